// SPDX-License-Identifier: MIT
#include "communities/distributed_graph.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/message.hpp"
#include "communities/search/shared_sums.hpp"
#include "graph/csr_build.hpp"

namespace srgw::detail {

DistributedGraph distribute(const Graph& graph) { return {graph.adjacency(), {}}; }

DistributedGraph distribute(GraphShard graph, Ranks& ranks) {
  Exchange exchange(ranks, std::move(graph.starts), graph.columns);
  return {assemble(std::move(graph.offsets), std::move(graph.columns), std::move(graph.weights)),
          std::move(exchange)};
}

std::vector<double> degrees_of(const DistributedGraph& graph, int threads) {
  std::vector<double> degrees(graph.size(), 0);
  parallel_for(block_count(graph.size()), threads, [&](Index block, int) {
    for_each_entry_of_block(graph.rows, block, [&](Index i, NodeId j, double weight) {
      degrees[i] += static_cast<Index>(j) == i ? 2 * weight : weight;
    });
  });
  return degrees;
}

double sum_over_rows(const Exchange& exchange, std::span<const double> values) {
  return sum_over_rows(exchange, values.size(), 1, [&](std::size_t i) { return values[i]; });
}

std::vector<NodeId> rows_where(const std::vector<bool>& marked) {
  std::vector<NodeId> rows;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i]) rows.push_back(static_cast<NodeId>(i));
  }
  return rows;
}

Csr rows_among(const DistributedGraph& graph, const std::vector<bool>& kept) {
  return keep_entries(graph.rows, [&](Index i, Index, double) { return kept[i]; });
}

double modularity_of(const DistributedGraph& graph, std::span<const NodeId> labels,
                     std::size_t count, int threads) {
  Assignment at_places(labels.begin(), labels.end());
  at_places.resize(graph.exchange.places(graph.size()));
  graph.exchange.refresh_all(std::span(at_places));
  // For each row: arcs in all, and those that stay inside the cluster.
  std::vector<double> out(labels.size(), 0), sizes(labels.size(), 0), inside(labels.size(), 0);
  parallel_for(block_count(graph.size()), threads, [&](Index block, int) {
    for_each_entry_of_block(graph.rows, block, [&](Index i, NodeId j, double weight) {
      const double arcs = static_cast<Index>(j) == i ? 2 * weight : weight;
      out[i] += arcs;
      sizes[i] += std::abs(arcs);
      if (at_places[i] == at_places[j]) inside[i] += arcs;
    });
  });
  const Quanta quanta(sum_over_rows(graph.exchange, sizes));
  std::vector<std::int64_t> sums(count + 1, 0);  // of clusters, then all that is inside
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sums[labels[i]] += quanta.from(out[i]);
    sums[count] += quanta.from(inside[i]);
  }
  graph.exchange.sum(sums);
  double total = 0;
  for (std::size_t c = 0; c < count; ++c) total += quanta.to(sums[c]);
  if (!(total > 0)) fail_argument("edge weights sum to {}, expected a positive number", total);
  double squares = 0;
  for (std::size_t c = 0; c < count; ++c) {
    squares += (quanta.to(sums[c]) / total) * (quanta.to(sums[c]) / total);
  }
  return quanta.to(sums[count]) / total - squares;
}

}  // namespace srgw::detail
