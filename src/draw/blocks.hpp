// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "srgw/graph.hpp"

namespace srgw::detail {

/// Nodes sorted by label; nodes of one label keep their order.
struct BlockOrder {
  std::vector<NodeId> place;  ///< of each node
  std::vector<Index> begins;  ///< where each label begins; one more for the end
};
[[nodiscard]] BlockOrder order_by_block(const Assignment& labels, Index blocks);

/// Sum of |weights| of the entries between groups of nodes; entry (a, a) has each inner edge twice.
/// `groups` has a number below `count` for each node.
[[nodiscard]] Matrix block_weights(const Graph& graph, const std::vector<NodeId>& groups,
                                   Index count);

}  // namespace srgw::detail
