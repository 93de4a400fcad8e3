// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// No id: the node is new, or free.
inline constexpr std::int64_t no_id = -1;

/// A graph with one anchor for each id: first those of fixed nodes, which are contracted into their
/// anchor, then those that only pull; behind them all other nodes in their order.
struct AnchoredGraph {
  WeightedGraph graph;
  std::vector<std::int64_t> ids;  ///< of the anchors
  std::size_t fixed = 0;          ///< anchors of fixed nodes
  Assignment place;               ///< in `graph`, of each node
  std::vector<double> nodes;      ///< behind each node of `graph`; empty: 1
};

/// `fixed` are the ids of fixed nodes, else no_id; empty: none.
[[nodiscard]] AnchoredGraph anchor_fixed(const WeightedGraph& graph,
                                         const std::vector<std::int64_t>& fixed, int threads);

/// The same with pulls: the anchor of the previous id of a node, of mass 0, has an edge of weight
/// keep mass / 2 to it, so that the quality falls by keep times the share of the mass that leaves
/// its anchor.
[[nodiscard]] AnchoredGraph anchor_previous(const WeightedGraph& graph,
                                            const std::vector<std::int64_t>& fixed,
                                            const std::vector<std::int64_t>& previous, double keep,
                                            int threads);

/// Clusters around the anchors: each node joins the nearest one; components without an anchor are
/// clusters of their own. Anchor i has the label i.
[[nodiscard]] Assignment nearest_anchors(const WeightedGraph& graph);

}  // namespace srgw::detail
