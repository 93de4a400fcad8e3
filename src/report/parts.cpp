// SPDX-License-Identifier: MIT
#include "report/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "srgw/graph.hpp"

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

ReportSection graph_section(const char* title, GraphView view, std::optional<Picture> picture) {
  ReportSection section{
      .id = "graph", .title = title, .picture = std::move(picture), .graph = std::move(view.graph)};
  if (!view.note.empty()) section.notes.push_back(view.note);
  return section;
}

void add_curve(std::vector<ReportSection>& sections, const char* id, const char* title,
               const char* x_label, const char* y_label, const std::vector<double>& numbers) {
  if (numbers.size() < 2) return;
  Series series{y_label, {}, numbers};
  for (std::size_t k = 1; k <= numbers.size(); ++k) series.x.push_back(static_cast<double>(k));
  sections.push_back(
      {.id = id,
       .title = title,
       .chart = CurvesPicture{.series = {series}, .x_label = x_label, .y_label = y_label}});
}

namespace {

constexpr std::size_t most_curves = 8;  // as many as colours are told apart easily

/// A trace and what it is called.
struct NamedTrace {
  std::string name;
  const std::vector<Progress>* trace = nullptr;
};

/// The best start first; one without a name when there are no others.
std::vector<NamedTrace> traces_of(const Solution& solution) {
  if (solution.start_traces.size() < 2) return {{"", &solution.trace}};
  const std::size_t best = solution.best_start;
  std::vector<NamedTrace> traces{{fmt::format("start {}, the best", best + 1), &solution.trace}};
  for (std::size_t s = 0; s < solution.start_traces.size() && traces.size() < most_curves; ++s) {
    if (s == best) continue;
    traces.push_back({fmt::format("start {}", s + 1), &solution.start_traces[s]});
  }
  return traces;
}

CurvesPicture curves_of(const std::vector<NamedTrace>& traces, double Progress::*number,
                        const char* word, bool positive) {
  CurvesPicture curves{.series = {}, .x_label = "iteration", .y_label = word, .log_y = positive};
  for (const auto& [name, trace] : traces) {
    Series series{name.empty() ? word : name, {}, {}};
    for (const Progress& progress : *trace) {
      if (positive && progress.*number <= 0) continue;
      series.x.push_back(progress.iteration);
      series.y.push_back(progress.*number);
    }
    if (series.x.size() > 1) curves.series.push_back(std::move(series));
  }
  return curves;
}

}  // namespace

void add_curves(std::vector<ReportSection>& sections, const Solution& solution) {
  const std::vector<NamedTrace> traces = traces_of(solution);
  const auto add = [&](const char* word, const char* title, double Progress::*number,
                       bool positive) {
    CurvesPicture curves = curves_of(traces, number, word, positive);
    if (curves.series.empty()) return;
    ReportSection section{.id = fmt::format("{}-curve", word), .title = title};
    section.chart = std::move(curves);
    if (traces.size() < solution.start_traces.size()) {
      section.notes.push_back(
          fmt::format("{} of {} starts are shown.", traces.size(), solution.start_traces.size()));
    }
    sections.push_back(std::move(section));
  };
  add("value", "Value, iteration by iteration", &Progress::value, false);
  add("gap", "Gap, iteration by iteration", &Progress::gap, true);
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

std::string format_count(Index count, const char* word) {
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
