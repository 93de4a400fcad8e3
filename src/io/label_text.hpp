// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/formats.hpp"
#include "io/text.hpp"
#include "srgw/io.hpp"

// Files of labels, of which one process has all lines or several have some each.

namespace srgw::detail {

using io::NodeLabels;

/// Lines of a file, in a text that was looked at before.
struct LinesOfFile {
  std::string_view file, text;
  std::size_t lines_before = 0;
  bool first = true;        ///< no data come before, so that they may begin with a header
  std::size_t columns = 2;  ///< of the table, see label_columns()
};

/// Labels as text become numbers: their own when all are whole numbers, else as they occur, with
/// the names of the classes. With ranks, each has the labels of its lines; collective then.
[[nodiscard]] std::pair<std::vector<std::int64_t>, std::vector<std::string>> number_classes(
    const std::vector<std::string>& texts, Ranks* ranks = nullptr);

/// How many columns the header of a table of labels has; 2 where there is no header.
[[nodiscard]] std::size_t label_columns(std::string_view file, std::string_view text,
                                        char separator);

struct LabelTable {
  std::vector<std::string> names, labels;
  std::vector<std::size_t> lines;  ///< of the file
};
/// Throws for lines that are no name and label, and for names that have two.
[[nodiscard]] LabelTable parse_label_table(const LinesOfFile& part, char separator);
[[noreturn]] void fail_label_twice(const Where& where, const std::string& node, std::size_t line);

/// The first column of an array of labels, which may have a second dimension.
[[nodiscard]] io::Array first_column(const io::Array& array, const std::string& name);

/// Throws unless there are as many names as labels, in each level.
void check(const NodeLabels& labels);

/// The bytes of a file of labels, told by its ending: head, rows, tail.
class LabelText {
 public:
  LabelText(const std::filesystem::path& path, std::string file, std::size_t levels = 0)
      : extension_(extension_of(path)), file_(std::move(file)), levels_(levels) {}

  [[nodiscard]] std::string head(Index count) const;
  /// The rows of the nodes [begin, end); `first`: they are the first of the file.
  [[nodiscard]] std::string rows(const NodeLabels& labels, Index begin, Index end,
                                 bool first) const;
  [[nodiscard]] std::string tail(Index count) const;

 private:
  std::string extension_, file_;
  std::size_t levels_;
};

}  // namespace srgw::detail
