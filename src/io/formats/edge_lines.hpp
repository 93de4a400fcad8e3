// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/id_set.hpp"
#include "base/parallel.hpp"
#include "graph/edges.hpp"
#include "io/formats/dialect.hpp"

namespace srgw::detail {

/// The largest id that is kept as a number on the fast way.
inline constexpr std::uint64_t largest_plain_id = std::numeric_limits<NodeId>::max() - 1;

/// As EdgeMarks, of nodes that are numbers.
struct PlainMarks {
  bool directed = false;
  std::uint64_t nodes = 0;
  std::vector<NodeId> ids = {};
};

/// The edges of a list, or of the lines that one rank reads.
class EdgeLines {
 public:
  explicit EdgeLines(const io::ReadOptions& options)
      : options_(options), threads_(resolve_threads(options.threads)) {}

  /// Reads lines of plain numbers on several threads, in chunks of so many bytes; nodes are ids as
  /// they stand in the file. False when any line is something else (a name, a quote, a mistake), or
  /// an id cannot be a node by the options. Pages of `forgotten` are given back as soon as they are
  /// read.
  [[nodiscard]] bool parse_plain(const Dialect& dialect, std::size_t chunk_bytes,
                                 const Input* forgotten = nullptr);
  /// Reads line by line, with any names, and throws at the first line that is wrong. Nodes are
  /// places in names().
  void parse_carefully(const Input& input, const Dialect& dialect);

  /// After parse_carefully(): the ids ascending where all nodes are whole numbers, else names as
  /// they occur, those of known nodes first.
  [[nodiscard]] NodeNames names() const;
  [[nodiscard]] const std::vector<std::int64_t>& ids() const { return ids_; }
  /// The message about the first node that is no whole number; empty if there is none.
  [[nodiscard]] const std::string& first_text() const { return first_text_; }

  /// The largest id that occurs or is known to exist, after parse_plain().
  [[nodiscard]] NodeId largest() const { return largest_; }
  /// Needs so many bits for each thread as the largest id says.
  [[nodiscard]] IdSet occurring_ids(NodeId largest, int threads) const;

  template <class Visit>
  void for_each_known_id(Visit visit) const {
    for (Index i = 0; options_.known_nodes && i < options_.known_nodes->size(); ++i) {
      visit(static_cast<NodeId>(options_.known_nodes->number(i)));
    }
    for (const NodeId id : marks_.ids) visit(id);
    for (std::uint64_t id = 0; id < marks_.nodes; ++id) visit(static_cast<NodeId>(id));
  }
  [[nodiscard]] const PlainMarks& marks() const { return marks_; }
  template <class Number>
  void renumber(const Number& number) {
    parallel_for(std::ssize(chunks), threads_, [&](Index item, int) {
      for (auto& [source, target] : chunks[item].ends) {
        source = number(source);
        target = number(target);
      }
    });
  }
  /// Where the options say how many nodes there are: ids become indices from 0 on.
  void subtract_index_base() {
    const auto base = static_cast<NodeId>(options_.index_base);
    if (base != 0) renumber([&](NodeId id) { return id - base; });
  }

  std::vector<EdgeChunk> chunks;

 private:
  /// The number of a node: its index where the options number nodes, else by first occurrence.
  NodeId node(const Where& where, const std::string& name);
  NodeId intern(const Where& where, const std::string& name);
  void sort_ids();

  const io::ReadOptions& options_;
  int threads_;
  NodeId largest_ = 0;
  PlainMarks marks_;
  // Set by parse_carefully().
  std::vector<std::int64_t> ids_;  // 0 for nodes that are no whole numbers
  std::unordered_map<std::int64_t, NodeId> by_id_;
  std::unordered_map<std::string, NodeId> by_text_;
  std::string first_text_;
};

}  // namespace srgw::detail
