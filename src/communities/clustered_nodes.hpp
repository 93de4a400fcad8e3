// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "srgw/graph.hpp"

namespace srgw::detail {

/// The nodes of the `most` components with the largest volumes (sums of degrees) among those that
/// have an edge between two nodes: a target node holds no two components well.
[[nodiscard]] std::vector<NodeId> clustered_nodes(const Graph& graph, Index most);

}  // namespace srgw::detail
