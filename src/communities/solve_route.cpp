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

}  // namespace

Partition partition_by_solve(const Graph& graph, const ResolvedPartition& resolved,
                             const Run& run) {
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
  result.resolution = given ? 1 : part.options.target.scale;
  if (options.target.kind == Target::learned) {
    result.target = found.target.dense();
    result.reasons.push_back(
        fmt::format("The target was learned: plan and target in turn, {} rounds.", found.rounds));
  }
  result.target_features = std::move(found.target_features);
  finish(alone, graph.nodes(), std::move(part.nodes), given, result);
  judge(
      options.structure.kind,
      [&](const Assignment& labels, std::size_t) { return metrics::modularity(graph, labels); },
      result);
  return result;
}

}  // namespace srgw::detail
