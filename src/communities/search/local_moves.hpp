// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// Gains below this share of the largest conceivable one are rounding.
inline constexpr double least_gain = 1e-11;

/// How far a search may go.
struct MoveRules {
  double resolution = 1;
  std::size_t most_clusters = 0;  ///< labels may go up to here; 0: as many as there are nodes
  std::uint64_t seed = 0;         ///< of the order in which nodes are visited
  int threads = 1;                ///< of refine()
};

/// All nodes in runs of `run` consecutive ones, whose rows lie side by side and which often have
/// neighbours in common; runs are in an order drawn from the seed.
[[nodiscard]] std::vector<NodeId> random_order(std::size_t size, std::uint64_t seed,
                                               std::size_t run);

/// Moves single nodes to the cluster of a neighbour, or to an empty one, while the quality rises.
/// A queue holds the nodes whose surroundings changed. One node after the other, in an order drawn
/// from the seed: the result does not depend on threads. Returns whether anything moved. If it is
/// stopped, labels are those after the moves so far.
bool local_moves(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules);

/// The same, from a queue of some nodes (each at most once).
bool local_moves(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
                 std::vector<NodeId> nodes);

/// Sub-clusters inside the clusters of `labels`: nodes that are still alone join the sub-cluster of
/// their cluster that gains most (Leiden's refinement, without its randomness). Sub-clusters are
/// connected; labels of the result are compact.
[[nodiscard]] Assignment refine(const WeightedGraph& graph, const Assignment& labels,
                                const MoveRules& rules);

}  // namespace srgw::detail
