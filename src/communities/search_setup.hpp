// SPDX-License-Identifier: MIT
// What the search with and without constraints share.
#pragma once

#include "base/stop.hpp"
#include "communities/communities.hpp"
#include "communities/significance.hpp"

namespace srgw::detail {

/// The graph that is searched. Throws where the only edges are self-loops.
[[nodiscard]] WeightedGraph searched_graph(const Graph& graph);

/// The search that the options ask for. Throws where they do not fit the graph.
[[nodiscard]] CommunitySearch search_for(const Graph& graph, const WeightedGraph& weighted,
                                         const PartitionOptions& options, const Run& run);

/// Tells the observer of the run, if there is one, each value of the search.
void tell_observer(const Run& run, StopScope& scope, CommunitySearch& search);

/// find_communities() on the searched graph or one made from it, with the edges of the former.
[[nodiscard]] Communities find_communities_of(const WeightedGraph& weighted,
                                              const WeightedGraph& searched,
                                              const CommunitySearch& search);

/// Tests whether there are communities, unless the options forbid it or tell more than the edges.
[[nodiscard]] Significance judge_communities(const Graph& graph, const WeightedGraph& weighted,
                                             const PartitionOptions& options,
                                             const Communities& found,
                                             const CommunitySearch& search);

/// Where the graph does not say how many clusters there are and some of the given number are
/// missing, finer resolutions may have them.
void raise_to_number(const WeightedGraph& weighted, const Significance& significance,
                     const CommunitySearch& search, Communities& found);

/// All nodes with a neighbour become one cluster.
void become_one_cluster(const WeightedGraph& weighted, Communities& found);

/// At resolution 1, with self-loops.
[[nodiscard]] double modularity_of(const Graph& graph, const WeightedGraph& weighted,
                                   const Assignment& labels, int threads);

}  // namespace srgw::detail
