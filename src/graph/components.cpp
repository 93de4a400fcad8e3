// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <algorithm>
#include <limits>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "base/union_find.hpp"
#include "graph/components_rows.hpp"
#include "graph/csr_rows.hpp"

namespace srgw {

namespace {

using detail::CsrRows;
using detail::UnionFind;

constexpr NodeId absent = std::numeric_limits<NodeId>::max();

/// The root of most of some nodes.
NodeId frequent_root(UnionFind& sets, std::size_t size) {
  constexpr std::size_t sample = 256;
  std::vector<NodeId> roots;
  for (std::size_t k = 0; k < std::min(sample, size); ++k) {
    roots.push_back(sets.root(static_cast<NodeId>(k * size / std::min(sample, size))));
  }
  std::ranges::sort(roots);
  std::size_t longest = 0;
  NodeId found = absent;
  for (std::size_t begin = 0, end = 0; begin < roots.size(); begin = end) {
    while (end < roots.size() && roots[end] == roots[begin]) ++end;
    if (end - begin > longest) {
      longest = end - begin;
      found = roots[begin];
    }
  }
  return found;
}

template <class Offset>
void join_neighbours(UnionFind& sets, const CsrRows<Offset>& rows, bool symmetric) {
  // A few edges of each node join most of what belongs together. Edges between the largest set and
  // the rest are seen from the rest, so the other edges of that set need not be looked at (Sutton,
  // Ben-Nun and Barak: Optimizing parallel graph connectivity computation via subgraph sampling,
  // 2018).
  constexpr std::size_t few = 2;
  const auto join = [&](Index i, std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) sets.join(static_cast<NodeId>(i), rows.columns[e]);
  };
  detail::StopCounter stop;
  for (Index i = 0; i < rows.size(); ++i) {
    stop.throw_if_stopped();
    join(i, rows.begin(i), std::min(rows.begin(i) + few, rows.end(i)));
  }
  const NodeId largest = frequent_root(sets, rows.size());
  for (Index i = 0; i < rows.size(); ++i) {
    stop.throw_if_stopped();
    if (symmetric && sets.root(static_cast<NodeId>(i)) == sets.root(largest)) continue;
    join(i, rows.begin(i) + few, rows.end(i));
  }
}

}  // namespace

Components detail::components_of(const Csr& csr, bool symmetric) {
  UnionFind sets(csr.rows());
  with_rows(csr, [&](const auto& rows) { join_neighbours(sets, rows, symmetric); });
  Components result;
  result.labels.resize(csr.rows());
  for (NodeId node = 0; node < result.labels.size(); ++node) {
    const NodeId root = sets.root(node);
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

Components connected_components(const Graph& graph) {
  return detail::components_of(graph.adjacency(), !graph.directed());
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
