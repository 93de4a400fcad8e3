// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "graph/edges.hpp"
#include "io/formats/dialect.hpp"
#include "io/id_set.hpp"

namespace srgw::detail {

/// The largest id that is kept as a number on the fast way.
inline constexpr std::uint64_t largest_plain_id = std::numeric_limits<NodeId>::max() - 1;

/// As EdgeMarks, of nodes that are numbers.
struct PlainMarks {
  bool directed = false;
  std::uint64_t nodes = 0;
  std::vector<NodeId> ids;
};

/// The edges of a list, or of the lines that one rank reads, between ids as they stand in the file.
class PlainEdges {
 public:
  explicit PlainEdges(const io::ReadOptions& options)
      : options_(options), threads_(resolve_threads(options.threads)) {}

  /// Reads lines of plain numbers on several threads, in chunks of so many bytes. False when any
  /// line is something else (a name, a quote, a mistake), or an id cannot be a node by the options.
  /// Pages of `forgotten` are given back as soon as they are read.
  [[nodiscard]] bool parse(const Dialect& dialect, std::size_t chunk_bytes,
                           const Input* forgotten = nullptr);
  /// Of the ids that occur or are known to exist.
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
  const io::ReadOptions& options_;
  int threads_;
  NodeId largest_ = 0;
  PlainMarks marks_;
};

}  // namespace srgw::detail
