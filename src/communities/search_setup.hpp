// SPDX-License-Identifier: MIT
// What the search with and without constraints share.
#pragma once

#include "base/stop.hpp"
#include "communities/communities.hpp"
#include "communities/searched_graph.hpp"
#include "communities/significance.hpp"

namespace srgw::detail {

/// The search that the options ask for. Throws where they do not fit the graph.
[[nodiscard]] CommunitySearch search_for(const SearchedGraph& graph,
                                         const PartitionOptions& options, const Run& run);

/// Tells the observer of the run, if there is one, each value of the search.
void tell_observer(const Run& run, StopScope& scope, CommunitySearch& search);

/// Tests whether there are communities, unless the options forbid it or tell more than the edges.
[[nodiscard]] Significance judge_communities(const SearchedGraph& graph,
                                             const PartitionOptions& options,
                                             const Communities& found,
                                             const CommunitySearch& search);

/// Where the graph does not say how many clusters there are and some of the given number are
/// missing, finer resolutions may have them.
void raise_to_number(const SearchedGraph& graph, const Significance& significance,
                     const CommunitySearch& search, Communities& found);

/// All nodes with a neighbour become one cluster.
void become_one_cluster(const WeightedGraph& weighted, Communities& found);

/// What decided a free number of clusters.
[[nodiscard]] std::optional<PartitionCriterion> deciding_criterion(const CommunitySearch& search,
                                                                   const Communities& found);

}  // namespace srgw::detail
