// SPDX-License-Identifier: MIT
#pragma once

#include "ranks/exchange.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// Takes labels and sizes from the solution, whose rows are all rows here or the clustered ones
/// alone (ascending), and makes its plan one of all rows here: those of other rows are empty.
/// Unless target nodes were given, large clusters come first.
void finish(const Exchange& exchange, Index rows, std::vector<NodeId> clustered, bool given_target,
            Partition& result);

/// Says whether the clusters of a solve, whose modularity is known, are better than one cluster.
/// Only a target that wants clusters to be dense inside can be judged so.
void judge(PartitionTarget::Kind target, Partition& result);

}  // namespace srgw::detail
