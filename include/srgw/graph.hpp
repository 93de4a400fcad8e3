// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <ranges>
#include <span>
#include <tuple>
#include <vector>

#include "srgw/csr.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// A range of std::pair, std::tuple or std::array.
template <class Range>
concept TupleRange = requires {
  std::tuple_size<std::ranges::range_value_t<Range>>::value;
};

/// Nodes and weighted edges. An undirected edge is stored in both rows, a self-loop once.
class Graph {
 public:
  /// Each edge once, in either direction if undirected; both directions with one weight are one
  /// edge, and without weights (all are 1) so are repetitions, unless they are to be summed. Throws
  /// when an end is not below `nodes`, a weight is not finite, or (with Duplicates::refuse) a pair
  /// occurs twice.
  static Graph from_edges(Index nodes, std::span<const Entry> edges, bool directed = false,
                          Duplicates duplicates = Duplicates::refuse);
  /// The same from pairs (i, j) or triples (i, j, weight), say a std::vector<std::pair<int, int>>.
  template <TupleRange Edges>
  static Graph from_edges(Index nodes, const Edges& edges, bool directed = false,
                          Duplicates duplicates = Duplicates::refuse) {
    std::vector<Entry> entries;
    const auto add = [&](auto i, auto j, auto... weight) {
      entries.push_back({node_id(i), node_id(j), static_cast<double>(weight)...});
    };
    for (const auto& edge : edges) std::apply(add, edge);
    return from_edges(nodes, std::span<const Entry>(entries), directed, duplicates);
  }
  /// Throws when the rows are malformed, or not symmetric although `directed` is false.
  static Graph from_adjacency(Csr adjacency, bool directed = false);
  /// Directed unless the matrix is symmetric (to rounding). Throws when the rows are malformed.
  static Graph from_matrix(Csr matrix);

  [[nodiscard]] Index nodes() const { return adjacency_.rows(); }
  /// Edges (undirected, a self-loop is one) or arcs (directed).
  [[nodiscard]] Index edges() const { return edges_; }
  [[nodiscard]] bool directed() const { return directed_; }
  [[nodiscard]] bool weighted() const { return adjacency_.has_values(); }
  [[nodiscard]] const Csr& adjacency() const { return adjacency_; }

  /// Sum of the weights of a node's edges, a self-loop counted twice; directed: out plus in.
  [[nodiscard]] Vector degrees() const;
  /// The union of both directions, of two weights the larger one.
  [[nodiscard]] Graph undirected() const;

  /// Readers make rows that are right by construction.
  struct Trusted {
    Csr adjacency;
    bool directed = false;
    Index self_loops = 0;
  };
  explicit Graph(Trusted parts);

 private:
  Graph(Csr adjacency, bool directed);
  static NodeId node_id(std::int64_t node);

  Csr adjacency_;
  Index edges_ = 0;
  bool directed_ = false;
};

}  // namespace srgw
