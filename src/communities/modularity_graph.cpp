// SPDX-License-Identifier: MIT
#include "communities/modularity_graph.hpp"

#include "base/message.hpp"
#include "graph/csr_rows.hpp"

namespace srgw::detail {

namespace {

/// Keeps what is no self-loop and weighs something.
template <class Offset>
void copy_without_loops(const CsrRows<Offset>& rows, WeightedGraph& weighted) {
  std::vector<NodeId> columns;
  std::vector<double> weights;
  columns.reserve(rows.columns.size());
  for (Index i = 0; i < rows.size(); ++i) {
    for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
      if (rows.columns[e] == static_cast<NodeId>(i) || rows.value(e) == 0) continue;
      columns.push_back(rows.columns[e]);
      if (!rows.values.empty()) weights.push_back(rows.values[e]);
    }
    weighted.offsets.push_back(columns.size());
  }
  weighted.columns = std::move(columns);
  weighted.weights = std::move(weights);
}

}  // namespace

WeightedGraph modularity_graph(const Graph& graph) {
  WeightedGraph weighted;
  // An edge has two entries, a self-loop one.
  bool clean = graph.adjacency().entries() == 2 * graph.edges();
  if (graph.weighted()) {
    for_each_entry(graph.adjacency(), [&](Index i, Index j, double weight) {
      if (weight < 0) {
        fail_argument("the edge {} - {} has weight {}, expected no negative weights for modularity",
                      i, j, weight);
      }
      clean = clean && weight != 0;
    });
  }
  with_rows(graph.adjacency(), [&](const auto& rows) {
    if (clean) {
      weighted.offsets.assign(rows.offsets.begin(), rows.offsets.end());
      weighted.columns = graph.adjacency().columns;
      weighted.weights = graph.adjacency().values;
    } else {
      weighted.offsets.reserve(rows.offsets.size());
      weighted.offsets.push_back(0);
      copy_without_loops(rows, weighted);
    }
  });
  weighted.mass.resize(graph.nodes());
  weighted.total = 0;
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    if (weighted.weights.empty()) {
      weighted.mass[i] = static_cast<double>(weighted.degree(i));
    } else {
      for (std::uint64_t e = weighted.offsets[i]; e < weighted.offsets[i + 1]; ++e) {
        weighted.mass[i] += weighted.weights[e];
      }
    }
    weighted.total += weighted.mass[i];
  }
  return weighted;
}

}  // namespace srgw::detail
