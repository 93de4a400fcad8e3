// SPDX-License-Identifier: MIT
#pragma once

#include "communities/search/weighted_graph.hpp"
#include "srgw/graph.hpp"

namespace srgw::detail {

/// The graph whose quality is the modularity of an undirected graph without its self-loops. Shares
/// the columns of the graph where it has none. Throws for negative weights.
[[nodiscard]] WeightedGraph modularity_graph(const Graph& graph);

}  // namespace srgw::detail
