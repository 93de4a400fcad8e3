// SPDX-License-Identifier: MIT
// The recipe of partitions whose rows may be distributed over ranks.
#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "communities/distributed_solve.hpp"
#include "communities/distributed_source.hpp"
#include "communities/finish.hpp"
#include "communities/routes.hpp"
#include "solve/watch.hpp"

namespace srgw::detail {

Partition partition_distributed(const DistributedGraph& graph, const PartitionOptions& options,
                                const Run& run) {
  const Watch watch(run);
  const int threads = resolve_threads(run.threads);
  const Index columns = std::min(*options.clusters, graph.nodes());
  std::optional<StopShield> shield(std::in_place);  // what every answer needs
  const std::vector<bool> clustered = clustered_rows(graph, degrees_of(graph, threads), columns);
  const DistributedSource source =
      source_of(graph, rows_among(graph, clustered), clustered, options, threads);

  shield.reset();
  Partition result;
  PartitionTraffic traffic;
  result.solution = solve_distributed(graph, source, options, columns, watch.rest(), traffic);
  shield.emplace();
  result.resolution = options.target.scale;
  finish(graph.exchange, graph.size(), rows_where(clustered), false, result);
  result.modularity = modularity_of(graph, result.labels, result.sizes.size() + 1, threads);
  judge(options.target.kind, result);
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
