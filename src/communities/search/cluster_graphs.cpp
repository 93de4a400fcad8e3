// SPDX-License-Identifier: MIT
#include "communities/search/cluster_graphs.hpp"

#include "base/stop.hpp"
#include "base/union_find.hpp"

namespace srgw::detail {

ClusterGraphs::ClusterGraphs(const WeightedGraph& graph, const Assignment& labels,
                             std::size_t count)
    : graph_(graph), labels_(labels), members_(labels, count), place_(labels.size()) {
  for (std::size_t c = 0; c < count; ++c) {
    NodeId place = 0;
    for (const NodeId node : members_.of(c)) place_[node] = place++;
  }
}

WeightedGraph ClusterGraphs::of(std::size_t cluster) const {
  std::vector<std::uint64_t> offsets{0};
  std::vector<NodeId> columns;
  std::vector<double> weights;
  WeightedGraph part;
  part.total = 0;
  for (const NodeId i : nodes(cluster)) {
    double mass = 0;
    for (std::uint64_t e = graph_.begin(i); e < graph_.end(i); ++e) {
      const NodeId j = graph_.columns[e];
      if (labels_[j] != cluster) continue;
      columns.push_back(place_[j]);
      if (!graph_.weights.empty()) weights.push_back(graph_.weights[e]);
      mass += graph_.weight(e);
    }
    offsets.push_back(columns.size());
    part.mass.push_back(mass);
    part.total += mass;
  }
  part.offsets = std::move(offsets);
  part.columns = std::move(columns);
  part.weights = std::move(weights);
  return part;
}

Components components_inside(const WeightedGraph& graph, const Assignment& labels,
                             std::size_t count) {
  // As in components_of(): two edges of each node join most of a cluster, and what its largest set
  // lacks is seen from the other end.
  constexpr int few = 2;
  UnionFind sets(graph.size());
  const auto join = [&](std::size_t i, int most) {
    for (std::uint64_t e = graph.begin(i); e < graph.end(i) && most > 0; ++e) {
      if (labels[graph.columns[e]] != labels[i]) continue;
      sets.join(static_cast<NodeId>(i), graph.columns[e]);
      --most;
    }
  };
  StopCounter stop;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    stop.throw_if_stopped();
    join(i, few);
  }
  std::vector<NodeId> sizes(graph.size(), 0);
  for (std::size_t i = 0; i < graph.size(); ++i) ++sizes[sets.root(static_cast<NodeId>(i))];
  std::vector<NodeId> largest(count, 0);
  std::vector<NodeId> most(count, 0);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (sizes[i] <= most[labels[i]]) continue;
    most[labels[i]] = sizes[i];
    largest[labels[i]] = static_cast<NodeId>(i);
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    stop.throw_if_stopped();
    if (sets.root(static_cast<NodeId>(i)) == sets.root(largest[labels[i]])) continue;
    join(i, std::numeric_limits<int>::max());
  }
  Components result;
  result.labels.resize(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const NodeId root = sets.root(static_cast<NodeId>(i));
    if (root == i) {
      result.labels[i] = static_cast<NodeId>(result.sizes.size());
      result.sizes.push_back(0);
    } else {
      result.labels[i] = result.labels[root];  // the root came first
    }
    ++result.sizes[result.labels[i]];
  }
  return result;
}

}  // namespace srgw::detail
