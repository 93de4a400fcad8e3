// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/edges.hpp"
#include "io/text.hpp"
#include "srgw/io.hpp"

namespace srgw::detail {

/// Columns of attributes while a file is read, as text with gaps, in the order of first occurrence.
class AttributeTable {
 public:
  /// Sets a value in the row that is being read; one that is text makes its column text.
  void set(const std::string& name, std::string value, bool is_text);
  /// Ends a row: a node or an edge.
  void end_row() { ++rows_; }
  /// The columns with their types: whole numbers, numbers, or text when any value is neither or is
  /// missing. `order[i]` is the row of item i; without order rows are items.
  [[nodiscard]] std::vector<io::Attribute> columns(const std::vector<std::size_t>* order) const;

  /// Values of a column by row; gaps are empty. Nothing when there is no such column.
  [[nodiscard]] const std::vector<std::optional<std::string>>* find(const std::string& name) const;
  void erase(const std::string& name);
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  struct Column {
    std::string name;
    bool is_text = false;
    std::vector<std::optional<std::string>> values;
  };
  std::vector<Column> columns_;
  std::unordered_map<std::string, std::size_t> index_;
  std::size_t rows_ = 0;
};

/// A graph of GraphML or GML: nodes with names and attributes, edges between them.
struct AttributedGraph {
  bool directed = false;
  std::vector<std::string> names = {};
  AttributeTable nodes = {};
  std::vector<EdgeChunk::Ends> ends = {};
  std::vector<std::size_t> lines = {};  ///< of the edges
  AttributeTable edges = {};
};

/// Builds the graph: weights from the attribute that the options name (or `weight`), duplicates,
/// known nodes, attributes in the order of nodes and entries.
[[nodiscard]] io::NamedGraph make_attributed(AttributedGraph parts, const Input& input,
                                             const io::ReadOptions& options);

/// The value of a node or edge as text, or nothing where text has a gap.
[[nodiscard]] std::optional<std::string> value_text(const io::Attribute& attribute,
                                                    std::size_t item);

/// Calls `write(source, target, weight, entry)` once for each edge, `entry` being its place in the
/// edge attributes.
void for_each_written_edge(
    const io::NamedGraph& graph,
    const std::function<void(Index source, Index target, double weight, std::size_t entry)>& write);

}  // namespace srgw::detail
