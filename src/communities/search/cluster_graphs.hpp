// SPDX-License-Identifier: MIT
#pragma once

#include "communities/search/weighted_graph.hpp"
#include "srgw/graph.hpp"

namespace srgw::detail {

/// The graphs inside of clusters. Each costs the entries of its nodes, whatever the size of the
/// whole graph. Refers to its arguments.
class ClusterGraphs {
 public:
  ClusterGraphs(const WeightedGraph& graph, const Assignment& labels, std::size_t count);

  [[nodiscard]] std::span<const NodeId> nodes(std::size_t cluster) const {
    return members_.of(cluster);
  }
  /// Its nodes in their order; masses are the weights inside of the cluster, without
  /// layers.
  [[nodiscard]] WeightedGraph of(std::size_t cluster) const;

 private:
  const WeightedGraph& graph_;
  const Assignment& labels_;
  Members members_;
  std::vector<NodeId> place_;  ///< of each node in its cluster
};

/// The connected components inside of clusters: those of the graph without the edges between
/// clusters.
[[nodiscard]] Components components_inside(const WeightedGraph& graph, const Assignment& labels,
                                           std::size_t count);

}  // namespace srgw::detail
