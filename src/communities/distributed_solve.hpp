// SPDX-License-Identifier: MIT
#pragma once

#include "communities/distributed_source.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// Conditional gradient onto a scaled identity of `columns` nodes, from the start that the options
/// name: of several the best. The plan is that of the rows here, all else is of all ranks. Leaves
/// in `traffic` what the steps of the best start sent.
[[nodiscard]] Solution solve_distributed(const DistributedGraph& graph,
                                         const DistributedSource& source,
                                         const PartitionOptions& options, Index columns,
                                         const Run& run, PartitionTraffic& traffic);

}  // namespace srgw::detail
