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
[[nodiscard]] Partition searched(const Graph& graph, const PartitionOptions& options,
                                 const Run& run);

/// Any structure, weights and target, from a named start.
[[nodiscard]] Partition solved(const Graph& graph, const PartitionOptions& options, const Run& run);

/// Why options cannot be met on rows that are spread over ranks; empty where they can.
[[nodiscard]] std::string refusal_to_spread(const PartitionOptions& options);

/// Modularity or adjacency onto a scaled identity, from labels, random plans or split and merge:
/// the route that knows ranks, and which one process takes, too.
[[nodiscard]] Partition spread_out(const SpreadGraph& graph, const PartitionOptions& options,
                                   const Run& run);

}  // namespace srgw::detail
