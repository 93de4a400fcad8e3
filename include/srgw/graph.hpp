// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/csr.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// Nodes and weighted edges. An undirected edge is stored in both rows, a self-loop once.
class Graph {
 public:
  /// Each edge once, in either direction if undirected; both directions with one weight are one
  /// edge, and without weights (all are 1) so are repetitions, unless they are to be summed. Throws
  /// when an end is not below `nodes`, a weight is not finite, or (with Duplicates::refuse) a pair
  /// occurs twice.
  static Graph from_edges(Index nodes, std::span<const Entry> edges, bool directed = false,
                          Duplicates duplicates = Duplicates::refuse);
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

  Csr adjacency_;
  Index edges_ = 0;
  bool directed_ = false;
};

}  // namespace srgw
