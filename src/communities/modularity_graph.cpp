// SPDX-License-Identifier: MIT
#include "communities/modularity_graph.hpp"

#include "base/message.hpp"
#include "graph/csr_rows.hpp"

namespace srgw::detail {

WeightedGraph modularity_graph(const Graph& graph) {
  if (graph.weighted()) {
    for_each_entry(graph.adjacency(), [&](Index i, Index j, double weight) {
      if (weight < 0) {
        fail_argument("the edge {} - {} has weight {}, expected no negative weights for modularity",
                      i, j, weight);
      }
    });
  }
  WeightedGraph weighted = without_diagonal(graph.adjacency());
  weighted.mass.resize(graph.nodes());
  weighted.total = 0;
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    if (weighted.weights.empty()) {
      weighted.mass[i] = static_cast<double>(weighted.degree(i));
    } else {
      for (std::uint64_t e = weighted.begin(i); e < weighted.end(i); ++e) {
        weighted.mass[i] += weighted.weights[e];
      }
    }
    weighted.total += weighted.mass[i];
  }
  return weighted;
}

}  // namespace srgw::detail
