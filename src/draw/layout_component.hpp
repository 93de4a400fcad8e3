// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "srgw/draw.hpp"

namespace srgw::detail {

/// The layout of the nodes of one connected component of an undirected graph (two or more).
/// `numbers` tells the place of each node of the graph in the list of its component.
[[nodiscard]] Matrix component_layout(const Graph& graph, std::span<const NodeId> nodes,
                                      std::span<const NodeId> numbers,
                                      const LayoutOptions& options);

}  // namespace srgw::detail
