// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "communities/finish.hpp"
#include "communities/part.hpp"
#include "communities/routes.hpp"
#include "communities/selection.hpp"
#include "communities/sources.hpp"
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
  return fmt::format("Of {} settings{} modularity is largest with {}.", selected.tried,
                     selected.stopped ? " that there was time for" : "", values);
}

/// k-means starts look at rows, which a large kernel does not have.
void choose_start_for_kernel(Part& part) {
  const PartitionStructure::Kind kind = part.options.structure.kind;
  const bool kernel =
      kind == PartitionStructure::Kind::heat || kind == PartitionStructure::Kind::stability;
  const auto* start = std::get_if<Start>(&*part.options.start);
  if (!kernel || part.graph.nodes() <= largest_formed_kernel || start == nullptr ||
      *start != Start::kmeans) {
    return;
  }
  if (!part.chooses_start) {
    fail_argument(
        "start kmeans with a kernel of {} nodes, which is not formed beyond {}, expected another "
        "one: spectral needs products only",
        part.graph.nodes(), largest_formed_kernel);
  }
  part.options.start = Start::spectral;
}

}  // namespace

Partition partition_by_solve(const Graph& graph, const ResolvedPartition& resolved,
                             const Run& run) {
  const PartitionOptions& options = resolved.options;
  const bool given = options.target.kind == Target::given;
  std::optional<StopShield> shield(std::in_place);
  Part part = part_of(graph, resolved,
                      given ? *options.clusters : std::min(*options.clusters, graph.nodes()));
  choose_start_for_kernel(part);
  shield.reset();
  Sources sources(part.graph, resolve_threads(run.threads));
  Partition result;
  std::optional<Alternated> found;
  std::optional<Status> stopped;
  if (options.select) {
    Selected selected = select_setting(part, sources, run);
    result.setting = selected.setting;
    result.reasons.push_back(about_setting(selected, *options.select));
    part.options = std::move(selected.options);
    found = std::move(selected.trial);
    stopped = selected.stopped;
  }
  if (!stopped) {
    stopped = run_until_stopped(run, [&](StopScope&) {
      found = solve_part(part, sources.of(part.options), part.options, run);
    });
  }
  if (!found) throw Stopped(*stopped);
  if (stopped) found->solution.status = *stopped;
  shield.emplace();
  result.solution = std::move(found->solution);
  result.resolution = given ? 1 : part.options.target.scale;
  if (options.target.kind == Target::learned) {
    result.target = found->target.dense();
    result.reasons.push_back(
        fmt::format("The target was learned: plan and target in turn, {} rounds.", found->rounds));
  }
  result.target_features = std::move(found->target_features);
  finish(alone, graph.nodes(), std::move(part.nodes), given, result);
  result.modularity = metrics::modularity(graph, result.labels);
  judge(options.target.kind, result);
  return result;
}

}  // namespace srgw::detail
