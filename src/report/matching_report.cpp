// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/parts.hpp"
#include "srgw/report.hpp"

namespace srgw {

namespace {

using namespace detail;

ReportSection result_section(const Solution& solution) {
  ReportSection section{.id = "result", .title = "Result"};
  section.facts.push_back({"value", fmt::format("{:.10g}", solution.value)});
  const auto part = [&](const char* name, double value) {
    if (value != 0) section.facts.push_back({name, fmt::format("{:.10g}", value)});
  };
  part("of the structure", solution.value_quad);
  part("of the features", solution.value_linear);
  part("of the penalty", solution.value_penalty);
  part("of the entropy", solution.value_entropy);
  const auto used = (solution.target_weights.array() > 0).count();
  section.facts.push_back(
      {"target nodes", fmt::format("{} of {} are used", used, solution.target_weights.size())});
  return section;
}

/// Target nodes with what they receive, heaviest first.
ReportSection weights_section(const MatchingReport& what) {
  const Vector& weights = what.solution.target_weights;
  std::vector<Index> order(weights.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return weights[a] > weights[b]; });
  const Assignment labels = what.solution.plan.labels();
  std::vector<Index> counts(order.size(), 0);
  for (const NodeId label : labels) counts[label] += 1;
  ReportTable table{{"target node", "weight", "source nodes"}, {}};
  for (const Index k : order) {
    table.rows.push_back({what.picture.target_names[k], fmt::format("{:.6g}", weights[k]),
                          fmt::format("{}", counts[k])});
  }
  return {.id = "weights", .title = "Target nodes", .table = std::move(table)};
}

}  // namespace

Report matching_report(const MatchingReport& what) {
  const MatchingPicture& picture = what.picture;
  Report report{picture.title, picture.subtitle, {}};
  MatchingPicture drawn = picture;
  drawn.title.clear();  // the page says it
  drawn.subtitle.clear();
  report.sections.push_back(result_section(what.solution));
  report.sections.push_back(certificate_section(what.solution));
  report.sections.push_back(
      {.id = "matching", .title = "Who goes where", .picture = draw_matching(drawn)});
  GraphView view = graph_view(picture.source, picture.source_names, what.solution.plan.labels(),
                              what.solution.plan.columns(), &what.solution.plan);
  for (std::size_t k = 0; k < view.graph.clusters.size(); ++k) {
    view.graph.clusters[k] = "target node " + picture.target_names[static_cast<Index>(k)];
  }
  report.sections.push_back(graph_section("The source by target node", std::move(view)));
  report.sections.push_back(weights_section(what));
  report.sections.push_back({.id = "members", .title = "Source nodes", .members = true});
  add_curves(report.sections, what.solution);
  ReportSection input{
      .id = "input", .title = "Input", .facts = graph_facts(picture.source, picture.source_name)};
  if (picture.target.edges() > 0) {
    const auto facts = graph_facts(picture.target, picture.target_name);
    input.facts.insert(input.facts.end(), facts.begin(), facts.end());
  }
  report.sections.push_back(std::move(input));
  report.sections.push_back(origin_section(what.origin));
  return report;
}

}  // namespace srgw
