// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "communities/anchors.hpp"
#include "communities/search/multilevel.hpp"

namespace srgw::detail {

/// Labels of the nodes of an anchored graph to start from: those of the previous ids. Fixed nodes
/// are with their anchor. New nodes join the neighbouring cluster that gains most at resolution 1,
/// or are alone. Clusters are connected, as a cluster in several pieces gains when these part.
/// Labels are compact, and anchor i has the label i.
[[nodiscard]] Assignment start_from_previous(const AnchoredGraph& anchored,
                                             const std::vector<std::int64_t>& previous);

/// The resolution at which the fewest nodes (by mass) want to leave the clusters they start in:
/// 1.25^j, tried on both sides of 1 until three in a row bring no improvement, each with local
/// moves and a V-cycle; of equals the one nearest to 1. Previous labels do not say at which
/// resolution they were found, and any other would merge or split their clusters.
[[nodiscard]] double resolution_of_start(const WeightedGraph& graph, const Assignment& start,
                                         const Multilevel& rules, int threads);

/// V-cycles from the start, merged down to the allowed number first. Where a number is given and
/// the start has fewer clusters, the resolution is raised, at most to 40 times its value, until
/// there are enough. Returns the clustering; rules.resolution is the one used.
[[nodiscard]] Clustering search_from_start(const WeightedGraph& graph, Assignment start,
                                           Multilevel& rules);

}  // namespace srgw::detail
