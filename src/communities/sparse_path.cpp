// SPDX-License-Identifier: MIT
#include "communities/sparse_path.hpp"

#include <algorithm>
#include <cmath>

#include "base/stop.hpp"
#include "srgw/metrics.hpp"

namespace srgw::detail {

namespace {

constexpr int steps = 10;

Index used_columns(const Assignment& labels, Index columns) {
  std::vector<bool> used(columns, false);
  for (const NodeId label : labels) used[label] = true;
  return static_cast<Index>(std::count(used.begin(), used.end(), true));
}

}  // namespace

Alternated follow_path(const Alternation& problem, const Plan& start,
                       const PartitionOptions& options, const Graph& graph, const Run& run,
                       std::vector<PartitionPathPoint>& path) {
  Alternation penalised = problem;
  Alternated found{.solution = {}, .target = problem.target, .target_features = {}};
  found.solution.plan = start;
  for (int step = 1; step <= steps; ++step) {
    penalised.sparsity = std::ldexp(options.sparsity, step - steps);
    const Plan from = found.solution.plan;
    found = alternate(penalised, from, options.method, run);
    const StopShield shield;
    const Assignment labels = found.solution.plan.labels();
    path.push_back({penalised.sparsity, used_columns(labels, start.columns()), found.solution.value,
                    metrics::modularity(graph, labels)});
    const Status status = found.solution.status;
    if (status == Status::interrupted || status == Status::time_limit) break;
  }
  return found;
}

}  // namespace srgw::detail
