// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace srgw::detail
