// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <limits>

#include "base/message.hpp"
#include "base/union_find.hpp"
#include "graph/csr_rows.hpp"

namespace srgw {

namespace {

constexpr NodeId absent = std::numeric_limits<NodeId>::max();

}  // namespace

Components connected_components(const Graph& graph) {
  detail::Trees forest(graph.nodes());
  detail::for_each_entry(graph.adjacency(), [&](Index row, Index column, double) {
    forest.join(static_cast<NodeId>(row), static_cast<NodeId>(column));
  });
  Components result;
  result.labels.resize(graph.nodes());
  for (NodeId node = 0; node < result.labels.size(); ++node) {
    const NodeId root = forest.root(node);
    if (root == node) {
      result.labels[node] = static_cast<NodeId>(result.sizes.size());
      result.sizes.push_back(0);
    } else {
      result.labels[node] = result.labels[root];  // the root came first
    }
    ++result.sizes[result.labels[node]];
  }
  return result;
}

Graph induced_subgraph(const Graph& graph, std::span<const NodeId> nodes) {
  std::vector<NodeId> places(graph.nodes(), absent);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (Index{nodes[i]} >= graph.nodes()) {
      detail::fail_argument("node {} of a graph with {} nodes, expected less", nodes[i],
                            graph.nodes());
    }
    if (places[nodes[i]] != absent) {
      detail::fail_argument("node {} is named twice, expected once", nodes[i]);
    }
    places[nodes[i]] = static_cast<NodeId>(i);
  }
  std::vector<Entry> entries;
  detail::for_each_entry(graph.adjacency(), [&](Index row, Index column, double value) {
    const NodeId from = places[row];
    const NodeId to = places[column];
    if (from != absent && to != absent) entries.push_back({from, to, value});
  });
  return Graph::from_adjacency(
      make_csr(static_cast<Index>(nodes.size()), entries, Duplicates::refuse), graph.directed());
}

}  // namespace srgw
