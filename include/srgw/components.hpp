// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// Which nodes reach each other along edges, whatever the direction of these.
struct Components {
  Assignment labels;         ///< component of each node, numbered by their first nodes
  std::vector<Index> sizes;  ///< nodes in each component
};
[[nodiscard]] Components connected_components(const Graph& graph);

/// The graph on some of the nodes: node i of it is nodes[i]. Edges to others are dropped. Throws
/// when a node is not in the graph or is named twice.
[[nodiscard]] Graph induced_subgraph(const Graph& graph, std::span<const NodeId> nodes);

}  // namespace srgw
