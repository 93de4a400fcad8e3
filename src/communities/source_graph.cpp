// SPDX-License-Identifier: MIT
#include <algorithm>

#include "communities/distributed_source.hpp"

namespace srgw::detail {

namespace {

/// Rows without self-loops and zeros, which a weighted has not; nothing is copied where there are
/// none.
void set_rows(const Csr& rows, WeightedGraph& weighted) {
  bool clean = true;
  for_each_entry(rows, [&](Index i, Index j, double a) { clean = clean && i != j && a != 0; });
  with_rows(rows, [&](const auto& seen) {
    if (clean) {
      weighted.offsets.assign(seen.offsets.begin(), seen.offsets.end());
      weighted.columns = rows.columns;
      weighted.weights = rows.values;
      return;
    }
    std::vector<NodeId> columns;
    std::vector<double> weights;
    weighted.offsets.assign(1, 0);
    for (Index i = 0; i < seen.size(); ++i) {
      for (std::size_t e = seen.begin(i); e < seen.end(i); ++e) {
        if (static_cast<Index>(seen.columns[e]) == i || seen.value(e) == 0) continue;
        columns.push_back(seen.columns[e]);
        if (rows.has_values()) weights.push_back(seen.value(e));
      }
      weighted.offsets.push_back(columns.size());
    }
    weighted.columns = std::move(columns);
    weighted.weights = std::move(weights);
  });
}

/// weight_ij = 2 h_i h_j C_ij with mass h and total 1, for any C.
void weigh(const Exchange& exchange, const DistributedSource& source, WeightedGraph& weighted) {
  std::vector<double> scaled = source.weights;  // right_j h_j at all places
  for (Index j = 0; j < source.rows.right.size(); ++j) scaled[j] *= source.rows.right[j];
  scaled.resize(exchange.places(static_cast<Index>(weighted.size())));
  exchange.refresh_all(std::span(scaled));
  std::vector<double> weights(weighted.columns.size());
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    const double left = source.rows.left.size() > 0 ? source.rows.left[static_cast<Index>(i)] : 1.0;
    const double own = 2 * source.rows.factor * (left * source.weights[i]);
    for (std::uint64_t e = weighted.offsets[i]; e < weighted.offsets[i + 1]; ++e) {
      weights[e] = own * scaled[weighted.columns[e]] * weighted.weight(e);
    }
  }
  weighted.weights = std::move(weights);
}

}  // namespace

WeightedGraph weighted_graph_of(const DistributedGraph& graph, const DistributedSource& source) {
  WeightedGraph weighted;
  weighted.exchange = &graph.exchange;
  set_rows(source.rows.csr, weighted);
  weighted.mass = source.weights;
  if (!source.counts_edges) {
    weigh(graph.exchange, source, weighted);
  } else if (source.is_modularity) {
    // Modularity: 2 h_i h_j C_ij is a_ij over the volume, and so is h_i = d_i over it.
    weighted.mass = source.degrees;
    weighted.total = sum_over_rows(graph.exchange, weighted.mass);
  } else {
    // Adjacency with h = 1/n: 2 a_ij - c for each pair, over n^2.
    for (double& mass : weighted.mass) mass = mass > 0 ? 1 : 0;
    weighted.total = 2;
  }
  return weighted;
}

}  // namespace srgw::detail
