// SPDX-License-Identifier: MIT
#include "communities/modularity_graph.hpp"

#include "base/message.hpp"
#include "graph/csr_rows.hpp"

namespace srgw::detail {

namespace {

/// Keeps what is no self-loop and weighs something.
template <class Offset>
void copy_without_loops(const CsrRows<Offset>& rows, Flow& flow) {
  std::vector<NodeId> columns;
  std::vector<double> weights;
  columns.reserve(rows.columns.size());
  for (Index i = 0; i < rows.size(); ++i) {
    for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
      if (rows.columns[e] == static_cast<NodeId>(i) || rows.value(e) == 0) continue;
      columns.push_back(rows.columns[e]);
      if (!rows.values.empty()) weights.push_back(rows.values[e]);
    }
    flow.offsets.push_back(columns.size());
  }
  flow.columns = std::move(columns);
  flow.weights = std::move(weights);
}

}  // namespace

Flow modularity_flow(const Graph& graph) {
  Flow flow;
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
      flow.offsets.assign(rows.offsets.begin(), rows.offsets.end());
      flow.columns = graph.adjacency().columns;
      flow.weights = graph.adjacency().values;
    } else {
      flow.offsets.reserve(rows.offsets.size());
      flow.offsets.push_back(0);
      copy_without_loops(rows, flow);
    }
  });
  flow.mass.resize(graph.nodes());
  flow.total = 0;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    if (flow.weights.empty()) {
      flow.mass[i] = static_cast<double>(flow.degree(i));
    } else {
      for (std::uint64_t e = flow.offsets[i]; e < flow.offsets[i + 1]; ++e) {
        flow.mass[i] += flow.weights[e];
      }
    }
    flow.total += flow.mass[i];
  }
  return flow;
}

}  // namespace srgw::detail
