// SPDX-License-Identifier: MIT
#include "base/message.hpp"
#include "base/random.hpp"
#include "graph/csr_rows.hpp"
#include "graph/generate/stubs.hpp"
#include "srgw/generate.hpp"

namespace srgw {

Graph rewired(const Graph& graph, std::uint64_t seed) {
  if (graph.directed()) {
    detail::fail_argument("a directed graph to rewire, expected an undirected one: undirected()");
  }
  std::vector<Entry> edges;
  std::vector<Entry> loops;
  std::vector<double> weights;
  std::vector<NodeId> stubs;
  detail::for_each_entry(graph.adjacency(), [&](Index i, Index j, double weight) {
    if (i > j) return;
    const Entry edge{static_cast<NodeId>(i), static_cast<NodeId>(j), weight};
    if (i == j) {
      loops.push_back(edge);
      return;
    }
    edges.push_back({edge.row, edge.column});
    weights.push_back(weight);
    stubs.push_back(edge.row);
    stubs.push_back(edge.column);
  });
  detail::Random random(seed, 0);
  std::vector<Entry> drawn = detail::match_stubs(std::move(stubs), nullptr, random);
  if (drawn.size() < edges.size()) {
    // Too dense to be drawn afresh: walk away from the graph as it is.
    drawn = std::move(edges);
    detail::swap_edges(drawn, 10 * drawn.size(), random);
  }
  for (std::size_t e = 0; e < drawn.size(); ++e) drawn[e].value = weights[e];
  drawn.insert(drawn.end(), loops.begin(), loops.end());
  return Graph::from_edges(graph.nodes(), drawn);
}

}  // namespace srgw
