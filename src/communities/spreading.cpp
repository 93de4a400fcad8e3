// SPDX-License-Identifier: MIT
// The recipe of partitions whose rows may be spread over ranks.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "communities/routes.hpp"
#include "communities/spread_solve.hpp"
#include "communities/spread_source.hpp"
#include "solve/watch.hpp"

namespace srgw::detail {

namespace {

using Kind = PartitionStructure::Kind;

/// New numbers of the columns: by falling number of nodes, the first of equals first.
std::vector<NodeId> by_size(const std::vector<std::int64_t>& sizes) {
  std::vector<NodeId> order(sizes.size()), number(sizes.size());
  std::iota(order.begin(), order.end(), NodeId{0});
  std::ranges::stable_sort(order, [&](NodeId a, NodeId b) { return sizes[a] > sizes[b]; });
  for (std::size_t place = 0; place < order.size(); ++place) {
    number[order[place]] = static_cast<NodeId>(place);
  }
  return number;
}

/// The plan with its columns renumbered; rows without weight are empty.
Plan renumbered(Plan plan, const std::vector<NodeId>& number, bool all_clustered) {
  Plan::Trusted parts = plan.release();
  if (all_clustered && std::holds_alternative<Labels>(parts.storage)) {
    std::visit(
        [&]<class Label>(std::vector<Label>& labels) {
          for (Label& label : labels) label = static_cast<Label>(number[label]);
        },
        std::get<Labels>(parts.storage));
    return Plan(std::move(parts));
  }
  const std::vector<double> weights = parts.weights;
  const ShortRows from = Plan(std::move(parts)).short_rows();
  ShortRows rows{.offsets = {0}, .columns = {}, .masses = {}};
  std::vector<std::pair<NodeId, double>> row;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    row.clear();
    for (auto e = from.offsets[i]; e < from.offsets[i + 1]; ++e) {
      row.emplace_back(number[from.columns[e]], from.masses[e]);
    }
    std::ranges::sort(row);
    for (const auto& [column, mass] : row) {
      rows.columns.push_back(column);
      rows.masses.push_back(mass);
    }
    rows.offsets.push_back(rows.columns.size());
  }
  return Plan(Plan::Trusted{weights, static_cast<Index>(number.size()), std::move(rows)});
}

/// Labels, sizes and plan of the result, large clusters first.
void finish(const SpreadGraph& graph, const std::vector<bool>& clustered, Index all_clustered,
            Partition& result) {
  Solution& solution = result.solution;
  const Assignment found = solution.plan.labels();
  std::vector<std::int64_t> sizes(solution.plan.columns(), 0);
  for (std::size_t i = 0; i < found.size(); ++i) sizes[found[i]] += clustered[i] ? 1 : 0;
  graph.exchange.sum(sizes);
  const std::vector<NodeId> number = by_size(sizes);
  result.sizes.resize(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) result.sizes[number[k]] = sizes[k];
  while (!result.sizes.empty() && result.sizes.back() == 0) result.sizes.pop_back();
  result.clusters = std::ssize(result.sizes);
  result.labels.assign(found.size(), static_cast<NodeId>(result.sizes.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!clustered[i]) continue;
    result.labels[i] = number[found[i]];
    result.nodes.push_back(graph.exchange.node(static_cast<Index>(i)));
  }
  result.unconnected = graph.nodes() - all_clustered;
  solution.plan = renumbered(std::move(solution.plan), number, all_clustered == graph.nodes());
  const Vector weights = solution.target_weights;
  for (Index k = 0; k < weights.size(); ++k) solution.target_weights[number[k]] = weights[k];
}

void become_one_cluster(const std::vector<bool>& clustered, Index all_clustered,
                        Partition& result) {
  for (std::size_t i = 0; i < clustered.size(); ++i) result.labels[i] = clustered[i] ? 0 : 1;
  result.sizes = {all_clustered};
  result.clusters = 1;
}

}  // namespace

Partition spread_out(const SpreadGraph& graph, const PartitionOptions& options, const Run& run) {
  const Watch watch(run);
  const int threads = resolve_threads(run.threads);
  const Index columns = std::min(*options.clusters, graph.nodes());
  const std::vector<bool> clustered = clustered_rows(graph, degrees_of(graph, threads), columns);
  const SpreadSource source =
      source_of(graph, rows_among(graph, clustered), clustered, options, threads);

  Partition result;
  PartitionTraffic traffic;
  result.solution = solve_spread(graph, source, options, columns, watch.rest(), traffic);
  result.resolution = options.target.scale;
  finish(graph, clustered, source.clustered, result);
  result.modularity = modularity_of(graph, result.labels, result.sizes.size() + 1, threads);
  result.significant = result.clusters <= 1
                           ? columns == 1
                           : options.structure.kind != Kind::modularity || result.modularity > 0;
  if (!result.significant && result.clusters > 1) {
    become_one_cluster(clustered, source.clustered, result);
    result.modularity = modularity_of(graph, result.labels, 2, threads);
  }
  if (!graph.exchange.alone()) {
    std::array<std::int64_t, 2> sums{static_cast<std::int64_t>(graph.exchange.copies()),
                                     static_cast<std::int64_t>(graph.exchange.bytes_sent())};
    graph.exchange.sum(sums);
    traffic.copies = static_cast<std::uint64_t>(sums[0]);
    traffic.bytes = static_cast<std::uint64_t>(sums[1]);
    result.traffic = std::move(traffic);
  }
  return result;
}

}  // namespace srgw::detail
