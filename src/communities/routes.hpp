// SPDX-License-Identifier: MIT
#pragma once

#include "communities/distributed_graph.hpp"
#include "communities/searched_graph.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// The search, then conditional gradient (or, with features, alternation) from its labels, which
/// stay hard with several layers. Graphs are undirected and have an edge.
[[nodiscard]] Partition partition_by_search(const Layers& layers, const PartitionOptions& options,
                                            const Run& run);

/// The search with previous labels, fixed nodes or limits on sizes; memberships are hard.
[[nodiscard]] Partition partition_constrained(const Layers& layers, const PartitionOptions& options,
                                              const Run& run);

/// Any structure, weights and target, from a start.
[[nodiscard]] Partition partition_by_solve(const Graph& graph, const ResolvedPartition& resolved,
                                           const Run& run);

/// Modularity or adjacency onto a scaled identity, from labels, random plans or split and merge:
/// the route that knows ranks, and which one process takes, too.
[[nodiscard]] Partition partition_distributed(const DistributedGraph& graph,
                                              const PartitionOptions& options, const Run& run);

}  // namespace srgw::detail
