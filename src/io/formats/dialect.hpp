// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input.hpp"
#include "io/text.hpp"
#include "srgw/io.hpp"

namespace srgw::detail {

/// How the lines of an edge list are written; told by its first lines.
struct Dialect {
  char separator = ' ';                           ///< a blank stands for any number of blanks
  std::size_t fields = 2;                         ///< in each line
  std::optional<std::size_t> weight_column = {};  ///< none: all weights are 1
  std::string_view body = {};                     ///< the text behind the header, if there is one
  std::size_t lines_before = 0;                   ///< lines of the file in front of the body
};

/// Throws when the first line has not the form of an edge.
[[nodiscard]] Dialect sniff_dialect(const Input& input, const io::ReadOptions& options);

/// Walks over the edges of a list, line by line, and checks the number of fields.
class DataLines {
 public:
  DataLines(const Input& input, const Dialect& dialect);

  bool next();
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  [[nodiscard]] Where where() const;
  /// The weight of the edge in this line; throws when it is no finite number.
  [[nodiscard]] double weight() const;

 private:
  const Dialect& dialect_;
  LineReader lines_;
  std::vector<std::string> fields_;
};

/// Throws when a node cannot be called that.
void check_name(const Where& where, const std::string& name);
/// The node that an index means where the options say how many there are; throws for any other.
[[nodiscard]] NodeId indexed_node(const Where& where, const std::string& name,
                                  const io::ReadOptions& options);

}  // namespace srgw::detail
