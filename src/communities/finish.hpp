// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/partition.hpp"

namespace srgw::detail {

/// Takes labels from a solution whose rows are `nodes`, and makes it one of all nodes: rows of the
/// others become empty. Unless target nodes were given, large clusters come first.
void finish(Index all_nodes, bool given_target, Partition& result);

/// All nodes that were clustered become one cluster; the plan stays.
void become_one_cluster(Partition& result);

}  // namespace srgw::detail
