// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "report/parts.hpp"
#include "srgw/report.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr std::size_t most_rows = 1000;

using Pairs = std::vector<std::pair<Index, Index>>;

ReportSection result_section(const CompletionReport& what, const Pairs& found) {
  const CompletionPicture& picture = what.picture;
  ReportSection section{.id = "result", .title = "Result"};
  section.facts = {
      {"nodes", fmt::format("{}, of which {} were hidden", picture.completed.nodes(),
                            picture.completed.nodes() - picture.seen.nodes())},
      {"edges added", fmt::format("{}", found.size())},
      {"value", fmt::format("{:.10g}, the divergence from the atom", what.completion.value)}};
  section.facts.insert(section.facts.end(), what.agreement.begin(), what.agreement.end());
  return section;
}

/// How often pairs were edges to which a probability was given.
ReportSection trust_section(const CompletionReport& what) {
  ReportSection section{.id = "certificate", .title = "How far to trust it"};
  if (what.evidence == nullptr) {
    section.sentences.emplace_back(
        "Free entries are what the atom likes best, which is no probability: a dictionary that was "
        "learned for completion gives some.");
    if (what.completion.status != Status::converged) {
      section.sentences.emplace_back(
          "The turns ended at a limit: more of them may lower the value.");
    }
    return section;
  }
  const CompletionEvidence& evidence = *what.evidence;
  section.sentences.push_back(
      fmt::format("Probabilities rest on {} graphs, hidden {} times at rate {:g}. On graphs that "
                  "were kept aside their mean squared error is {:.4f}.",
                  evidence.graphs, evidence.half_seen, evidence.rate, evidence.brier));
  Series share{"share of edges", {}, {}}, ideal{"as it should be", {0, 1}, {0, 1}};
  for (Index b = 0; b < evidence.reliability.rows(); ++b) {
    if (!(evidence.reliability(b, 0) > 0)) continue;
    share.x.push_back(evidence.reliability(b, 1));
    share.y.push_back(evidence.reliability(b, 2));
  }
  section.chart = CurvesPicture{
      .series = {share, ideal}, .x_label = "probability", .y_label = "share that are edges"};
  return section;
}

ReportSection completed_section(const CompletionPicture& picture) {
  CompletionPicture drawn = picture;
  drawn.title.clear();  // the page says it
  drawn.subtitle.clear();
  Assignment labels(picture.completed.nodes(), 1);
  std::fill_n(labels.begin(), picture.seen.nodes(), NodeId{0});
  GraphView view =
      graph_view(picture.completed, picture.names, labels, 2, nullptr, ClusterPlaces::mixed);
  view.graph.clusters = {"seen", "hidden"};
  return graph_section("The completed graph", std::move(view), draw_completion(drawn));
}

/// Edges that were found, the likeliest first.
ReportSection edges_section(const CompletionPicture& picture, Pairs pairs) {
  const Matrix& p = picture.probabilities;
  std::ranges::stable_sort(pairs, [&](const auto& a, const auto& b) {
    return p(a.first, a.second) > p(b.first, b.second);
  });
  ReportSection section{.id = "edges", .title = "Edges that were found"};
  if (pairs.size() > most_rows) {
    section.notes.push_back(fmt::format("The {} likeliest of {} edges.", most_rows, pairs.size()));
    pairs.resize(most_rows);
  }
  ReportTable table{{"from", "to", "probability"}, {}};
  for (const auto& [i, j] : pairs) {
    table.rows.push_back({picture.names[i], picture.names[j], fmt::format("{:.4f}", p(i, j))});
  }
  section.table = std::move(table);
  return section;
}

}  // namespace

Report completion_report(const CompletionReport& what) {
  const CompletionPicture& picture = what.picture;
  Report report{picture.title, picture.subtitle, {}};
  Pairs found = found_pairs(picture);
  report.sections.push_back(result_section(what, found));
  report.sections.push_back(trust_section(what));
  report.sections.push_back(completed_section(picture));
  report.sections.push_back(edges_section(picture, std::move(found)));
  report.sections.push_back({.id = "members", .title = "Nodes", .members = true});
  add_curve(report.sections, "value-curve", "Value, turn by turn", "turn", "value",
            what.completion.values);
  report.sections.push_back(
      {.id = "input", .title = "Input", .facts = graph_facts(picture.seen, what.file)});
  report.sections.push_back(origin_section(what.origin));
  return report;
}

}  // namespace srgw
