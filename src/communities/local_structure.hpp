// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// How often two steps from a node lead to a place that another two steps led to: the share of
/// such meetings, from a sample of nodes. Near 0 a graph looks like a tree from close by: single
/// edges say nothing about communities, and local moves from single nodes have nothing to go by.
[[nodiscard]] double meeting_share(const WeightedGraph& graph, std::uint64_t seed);

}  // namespace srgw::detail
