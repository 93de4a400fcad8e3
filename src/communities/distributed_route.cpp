// SPDX-License-Identifier: MIT
// The recipe of partitions whose rows may be distributed over ranks.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "communities/distributed_solve.hpp"
#include "communities/distributed_source.hpp"
#include "communities/routes.hpp"
#include "solve/watch.hpp"

namespace srgw::detail {

namespace {

using Kind = PartitionStructure::Kind;
using Target = PartitionTarget::Kind;

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
void finish(const DistributedGraph& graph, const std::vector<bool>& clustered, Index all_clustered,
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

std::string about(Start start) { return std::string(name(start)); }

}  // namespace

std::string refusal_to_distribute(const PartitionOptions& options) {
  const Kind kind = options.structure.kind;
  if (kind != Kind::automatic && kind != Kind::modularity && kind != Kind::adjacency) {
    return "another structure than modularity or adjacency on several ranks, expected one of these";
  }
  if (options.target.kind != Target::automatic && options.target.kind != Target::scaled_identity) {
    return "another target than a scaled identity on several ranks, expected a number of clusters";
  }
  if (options.weights.kind == PartitionWeights::Kind::given) {
    return "given weights on several ranks, expected uniform, degree or power ones";
  }
  if (options.features) return "features on several ranks, expected none";
  if (options.loss != Loss::square) return "another loss than square on several ranks";
  if (options.entropy != 0) return "entropy on several ranks, expected none";
  if (options.sparsity != 0) return "a sparsity penalty on several ranks, expected none";
  if (options.select) return "a selection of settings on several ranks, expected none";
  if (!std::holds_alternative<ConditionalGradient>(options.method)) {
    return "mirror descent on several ranks, expected conditional gradient";
  }
  if (!options.start) {
    return "the default search on several ranks, expected a start: split-merge, random, "
           "random-labels or labels";
  }
  if (std::holds_alternative<Matrix>(*options.start)) {
    return "a plan to start from on several ranks, expected labels";
  }
  if (const auto* start = std::get_if<Start>(&*options.start)) {
    if (*start != Start::split_merge && *start != Start::random && *start != Start::random_labels) {
      return fmt::format(
          "start {} on several ranks, expected split-merge, random, random-labels or labels",
          about(*start));
    }
  }
  return {};
}

Partition partition_distributed(const DistributedGraph& graph, const PartitionOptions& options,
                                const Run& run) {
  const Watch watch(run);
  const int threads = resolve_threads(run.threads);
  if (!options.clusters) {
    fail_argument("no number of clusters, expected one: only the default search can choose it");
  }
  const Index columns = std::min(*options.clusters, graph.nodes());
  const std::vector<bool> clustered = clustered_rows(graph, degrees_of(graph, threads), columns);
  const DistributedSource source =
      source_of(graph, rows_among(graph, clustered), clustered, options, threads);

  Partition result;
  PartitionTraffic traffic;
  result.solution = solve_distributed(graph, source, options, columns, watch.rest(), traffic);
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
