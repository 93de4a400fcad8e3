// SPDX-License-Identifier: MIT
#include "communities/clustered_nodes.hpp"

#include <algorithm>
#include <numeric>

#include "srgw/graph.hpp"

namespace srgw::detail {

namespace {

/// Components by falling volume, the first of equals first.
std::vector<std::size_t> by_volume(const Graph& graph, const Components& components) {
  std::vector<double> volumes(components.sizes.size(), 0);
  const Vector degrees = graph.degrees();
  for (std::size_t i = 0; i < components.labels.size(); ++i) {
    volumes[components.labels[i]] += degrees[static_cast<Index>(i)];
  }
  std::vector<std::size_t> order(volumes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return volumes[a] > volumes[b]; });
  return order;
}

}  // namespace

std::vector<NodeId> clustered_nodes(const Graph& graph, Index most) {
  const Components components = connected_components(graph);
  std::vector<bool> keep(components.sizes.size(), false);
  Index left = most;
  for (const std::size_t component : by_volume(graph, components)) {
    if (left == 0) break;
    if (components.sizes[component] == 1) continue;
    keep[component] = true;
    --left;
  }
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < components.labels.size(); ++node) {
    if (keep[components.labels[node]]) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace srgw::detail
