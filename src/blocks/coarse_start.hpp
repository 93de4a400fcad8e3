// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// Communities at a resolution that gives about `count` of them, then merged or split to exactly
/// that number. The graph has weights that are not negative.
[[nodiscard]] Assignment communities_of_number(const WeightedGraph& graph, std::size_t count,
                                               std::uint64_t seed, int threads);

}  // namespace srgw::detail
