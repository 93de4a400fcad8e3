// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ranks/exchange.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// What searches for hard plans onto c I walk on: a weighted graph without self-loops. Putting the
/// nodes i and j together gains twice
///     weight_ij - resolution mass_i mass_j / total.
/// With the adjacency matrix, degrees and their sum this is modularity at a resolution; with
/// weight_ij = 2 h_i h_j C_ij, mass = h and total = 1 it is -E/c for any structure C (c the
/// resolution). Weights of an unweighted graph are whole numbers, whose sums are exact.
struct WeightedGraph {
  std::vector<std::uint64_t> offsets;  ///< nodes + 1
  SharedArray<NodeId> columns;
  SharedArray<double> weights;  ///< empty: all are 1
  std::vector<double> mass;
  std::vector<double> inside;  ///< weight between the parts of a contracted node, both directions
  double total = 1;
  /// Where the other rows are, where some are on other ranks: nodes are those of this rank, and
  /// columns are places. Split and merge, and what it is made of, know that.
  const Exchange* exchange = &alone;

  [[nodiscard]] std::size_t size() const { return mass.size(); }
  [[nodiscard]] std::size_t degree(std::size_t node) const {
    return offsets[node + 1] - offsets[node];
  }
  [[nodiscard]] double weight(std::size_t entry) const {
    return weights.empty() ? 1.0 : weights[entry];
  }
};

/// Makes labels 0, 1, ... in the order of first appearance; returns how many there are.
std::size_t compact(Assignment& labels);

/// One node for each label below `count`. Neighbours of a contracted node are in no order.
[[nodiscard]] WeightedGraph contract(const WeightedGraph& graph, const Assignment& labels,
                                     std::size_t count, int threads = 1);

/// The graph between the given nodes (sorted); mass and total are those of what is left.
[[nodiscard]] WeightedGraph induced(const WeightedGraph& graph, const std::vector<NodeId>& nodes,
                                    int threads = 1);

/// (sum of weights inside clusters - resolution sum of squared masses / total) / total: modularity.
[[nodiscard]] double quality(const WeightedGraph& graph, const Assignment& labels,
                             double resolution, int threads = 1);

/// Labels of coarse nodes carried over to the nodes that they are made of.
[[nodiscard]] Assignment lift(const Assignment& coarse_of, const Assignment& coarse_labels);

/// Connected components, numbered by their first node; nodes without neighbours are such, too.
struct Components {
  Assignment labels;
  std::size_t count = 0;
};
[[nodiscard]] Components components(const WeightedGraph& graph);

}  // namespace srgw::detail
