// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "ranks/exchange.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// Takes labels and sizes from the solution, whose rows are all rows here or the clustered ones
/// alone (ascending), and makes its plan one of all rows here: those of other rows are empty.
/// Unless target nodes were given, large clusters come first.
void finish(const Exchange& exchange, Index rows, std::vector<NodeId> clustered, bool given_target,
            Partition& result);

/// Sets the modularity of the labels. Clusters of the modularity structure that have none are not
/// significant: all clustered nodes become one cluster, and the plan stays.
void judge(PartitionStructure::Kind structure,
           const std::function<double(const Assignment&, std::size_t count)>& modularity,
           Partition& result);

}  // namespace srgw::detail
