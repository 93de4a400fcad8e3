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
  char separator = ' ';    ///< a blank stands for any number of blanks
  std::size_t fields = 2;  ///< in each line
  std::size_t source_column = 0, target_column = 1;
  std::optional<std::size_t> weight_column = {};     ///< none: all weights are 1
  std::optional<std::size_t> direction_column = {};  ///< Gephi's Type
  bool directed = false;                             ///< by that column
  std::string_view body = {};    ///< the text behind the header, if there is one
  std::size_t lines_before = 0;  ///< lines of the file in front of the body

  /// Whether lines are two nodes and perhaps a weight, in this order.
  [[nodiscard]] bool plain() const {
    return source_column == 0 && target_column == 1 &&
           (weight_column ? fields == 3 && *weight_column == 2 : fields == 2);
  }
};

/// Throws when the first line has not the form of an edge.
[[nodiscard]] Dialect sniff_dialect(const Input& input, const io::ReadOptions& options);

// Comments of an edge list hold what edges cannot express:
//
//   #srgw directed       the lines are arcs
//   #srgw nodes 34       all nodes 0..33 exist
//   #srgw node "a b"     this node exists
inline constexpr std::string_view mark_start = "#srgw ";

struct EdgeMarks {
  bool directed = false;
  std::uint64_t nodes = 0;
  std::vector<std::string> names;

  /// Throws for a line that starts like a mark and is none.
  void add(const Where& where, std::string_view line);
};

/// Walks over the edges of a list, line by line, and checks the number of fields.
class DataLines {
 public:
  DataLines(const Input& input, const Dialect& dialect);

  bool next();
  [[nodiscard]] const std::string& source() const { return fields_[dialect_.source_column]; }
  [[nodiscard]] const std::string& target() const { return fields_[dialect_.target_column]; }
  [[nodiscard]] Where where() const;
  /// The weight of the edge in this line; throws when it is no finite number.
  [[nodiscard]] double weight();
  /// Found in the lines so far.
  [[nodiscard]] const EdgeMarks& marks() const { return marks_; }

 private:
  const Dialect& dialect_;
  LineReader lines_;
  std::vector<std::string> fields_;
  char decimal_ = 0;  // the point or comma of the weights, once one has it
  EdgeMarks marks_;
};

/// Throws when a node cannot be called that.
void check_name(const Where& where, const std::string& name);
/// The node that an index means where the options say how many there are; throws for any other.
[[nodiscard]] NodeId indexed_node(const Where& where, const std::string& name,
                                  const io::ReadOptions& options);

}  // namespace srgw::detail
