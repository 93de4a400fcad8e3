// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "communities/distributed_graph.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// Whether nothing is asked for that the search of spec 9.15 does not do.
[[nodiscard]] bool uses_search(const PartitionOptions& options);

/// The search, then conditional gradient (or, with features, alternation) from its labels. The
/// graph is undirected and has an edge.
[[nodiscard]] Partition partition_by_search(const Graph& graph, const PartitionOptions& options,
                                            const Run& run);

/// Any structure, weights and target, from a named start.
[[nodiscard]] Partition partition_by_solve(const Graph& graph, const PartitionOptions& options,
                                           const Run& run);

/// Why options cannot be met on rows that are distributed over ranks; empty where they can.
[[nodiscard]] std::string refusal_to_distribute(const PartitionOptions& options);

/// Modularity or adjacency onto a scaled identity, from labels, random plans or split and merge:
/// the route that knows ranks, and which one process takes, too.
[[nodiscard]] Partition partition_distributed(const DistributedGraph& graph,
                                              const PartitionOptions& options, const Run& run);

}  // namespace srgw::detail
