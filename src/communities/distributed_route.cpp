// SPDX-License-Identifier: MIT
// The recipe of partitions whose rows may be distributed over ranks.
#include <algorithm>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "communities/distributed_solve.hpp"
#include "communities/distributed_source.hpp"
#include "communities/finish.hpp"
#include "communities/routes.hpp"
#include "solve/watch.hpp"

namespace srgw::detail {

namespace {

using Kind = PartitionStructure::Kind;
using Target = PartitionTarget::Kind;

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
  finish(graph.exchange, graph.size(), rows_where(clustered), false, result);
  judge(
      options.structure.kind,
      [&](const Assignment& labels, std::size_t count) {
        return modularity_of(graph, labels, count, threads);
      },
      result);
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
