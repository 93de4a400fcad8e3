// SPDX-License-Identifier: MIT
#pragma once

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// A cut of a connected graph.
struct Cut {
  double weight = 0;
  std::vector<NodeId> side;  ///< the nodes of one side, ascending
  bool exact = true;         ///< false: the search ended early, and the smallest may be smaller
};

/// The smallest cut of a connected graph of at least two nodes: contraction along maximum adjacency
/// orders (Nagamochi, Ono and Ibaraki 1994) with priorities bounded by the best cut so far
/// (Henzinger, Noe and Schulz 2018). Ends when about `most_entries` entries, and at least 50 times
/// those of the graph, have been looked at.
[[nodiscard]] Cut smallest_cut(const WeightedGraph& graph, std::size_t most_entries = 50'000'000);

/// Nodes into parts that are connected and have no cut with `weight < least * log10(nodes)`,
/// found by splitting along smallest cuts. Returns the part of each node.
[[nodiscard]] Assignment split_along_cuts(const WeightedGraph& graph, double least);

}  // namespace srgw::detail
