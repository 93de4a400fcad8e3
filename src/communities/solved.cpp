// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "communities/finish.hpp"
#include "communities/part.hpp"
#include "communities/routes.hpp"
#include "communities/selection.hpp"
#include "communities/sources.hpp"
#include "solve/watch.hpp"
#include "srgw/metrics.hpp"

namespace srgw::detail {

namespace {

using Target = PartitionTarget::Kind;

std::string about_setting(const Selected& selected, const PartitionGrid& grid) {
  std::string values;
  const auto add = [&](const std::vector<double>& tried, const char* what, double value) {
    if (tried.empty()) return;
    values += fmt::format("{}{} {:g}", values.empty() ? "" : ", ", what, value);
  };
  add(grid.times, "time", selected.setting.time);
  add(grid.scales, "scale", selected.setting.scale);
  add(grid.exponents, "exponent of the weights", selected.setting.exponent);
  add(grid.epsilons, "epsilon", selected.setting.epsilon);
  return fmt::format("Of {} settings modularity is largest with {}.", selected.tried, values);
}

/// Whether clusters that modularity was to find have any.
bool is_better_than_none(const Graph& graph, const PartitionOptions& options,
                         const Partition& result) {
  if (result.clusters <= 1) return result.solution.plan.columns() == 1;
  return options.structure.kind != PartitionStructure::Kind::modularity ||
         metrics::modularity(graph, result.labels) > 0;
}

}  // namespace

Partition solved(const Graph& graph, const ResolvedPartition& resolved, const Run& run) {
  const Watch watch(run);
  const PartitionOptions& options = resolved.options;
  const bool given = options.target.kind == Target::given;
  Part part = part_of(graph, resolved,
                      given ? *options.clusters : std::min(*options.clusters, graph.nodes()));
  Sources sources(part.graph, resolve_threads(run.threads));
  Partition result;
  if (options.select) {
    Selected selected = select_setting(part, sources, run);
    result.setting = selected.setting;
    result.reasons.push_back(about_setting(selected, *options.select));
    part.options = std::move(selected.options);
  }
  Alternated found = solve_part(part, sources.of(part.options), part.options, watch.rest());
  result.solution = std::move(found.solution);
  result.nodes = std::move(part.nodes);
  result.resolution = given ? 1 : part.options.target.scale;
  if (options.target.kind == Target::learned) {
    result.target = found.target.dense();
    result.reasons.push_back(
        fmt::format("The target was learned: plan and target in turn, {} rounds.", found.rounds));
  }
  result.target_features = std::move(found.target_features);
  finish(graph.nodes(), given, result);
  result.significant = is_better_than_none(graph, options, result);
  if (!result.significant && result.clusters > 1) become_one_cluster(result);
  return result;
}

}  // namespace srgw::detail
