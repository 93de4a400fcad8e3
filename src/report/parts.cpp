// SPDX-License-Identifier: MIT
#include "report/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "srgw/components.hpp"

namespace srgw::detail {

ReportSection origin_section(const ReportOrigin& origin) {
  ReportSection section{.id = "reproduce", .title = "How to reproduce"};
  section.facts.push_back({"program", origin.program});
  section.facts.push_back({"seed", fmt::format("{}", origin.seed)});
  for (const ReportOrigin::Input& input : origin.inputs) {
    section.facts.push_back(
        {"input", input.file + (input.sha256.empty() ? "" : ", SHA-256 " + input.sha256)});
  }
  section.facts.insert(section.facts.end(), origin.facts.begin(), origin.facts.end());
  section.code = origin.command;
  return section;
}

ReportSection certificate_section(const Solution& solution) {
  return {.id = "certificate", .title = "How good it is", .sentences = certificate(solution)};
}

void add_curves(std::vector<ReportSection>& sections, const Solution& solution) {
  if (solution.trace.size() > 1) {
    Series value{"value", {}, {}}, gap{"gap", {}, {}};
    for (const Progress& progress : solution.trace) {
      value.x.push_back(progress.iteration);
      value.y.push_back(progress.value);
      if (progress.gap <= 0) continue;
      gap.x.push_back(progress.iteration);
      gap.y.push_back(progress.gap);
    }
    sections.push_back(
        {.id = "value-curve",
         .title = "Value, iteration by iteration",
         .chart = CurvesPicture{.series = {value}, .x_label = "iteration", .y_label = "value"}});
    if (gap.x.size() > 1) {
      sections.push_back(
          {.id = "gap-curve",
           .title = "Gap, iteration by iteration",
           .chart = CurvesPicture{
               .series = {gap}, .x_label = "iteration", .y_label = "gap", .log_y = true}});
    }
  }
  if (solution.start_values.size() < 2) return;
  std::vector<std::string> names;
  for (std::size_t s = 0; s < solution.start_values.size(); ++s) {
    names.push_back(fmt::format("start {}", s + 1));
  }
  sections.push_back({.id = "starts",
                      .title = "Where the starts ended",
                      .chart = BarsPicture{.groups = names,
                                           .series = {"value"},
                                           .values = {solution.start_values},
                                           .y_label = "value"}});
}

std::string counted(Index count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::vector<ReportFact> graph_facts(const Graph& graph, const std::string& file) {
  const Components components = connected_components(graph);
  const auto lonely = std::ranges::count(components.sizes, Index{1});
  return {{"file", file},
          {"nodes", fmt::format("{}", graph.nodes())},
          {graph.directed() ? "arcs" : "edges", fmt::format("{}", graph.edges())},
          {"weights", graph.weighted() ? "yes" : "no"},
          {"components",
           fmt::format("{}, of which {} are single nodes", components.sizes.size(), lonely)}};
}

}  // namespace srgw::detail
