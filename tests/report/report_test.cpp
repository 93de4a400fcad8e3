// SPDX-License-Identifier: MIT
#include "srgw/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "report/graph_view.hpp"
#include "report/json.hpp"
#include "report/page_data.hpp"
#include "srgw/generate.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw {
namespace {

using test::expect_error;

Report small_report() {
  return {
      "<Title>", "sub & title", {{.id = "one", .title = "First \"one\"", .sentences = {"a < b"}}}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(JsonWriter, WritesWhatAParserReadsBack) {
  detail::JsonWriter json;
  json.begin_object().key("text").text("</script>\n\"\\ \xC3\xA9").key("broken").text("\xFFx");
  json.key("numbers").begin_array().number(0.1).number(NAN).whole(-7).end_array();
  json.key("yes").boolean(true).key("empty").begin_object().end_object().end_object();
  const std::string text = json.take();
  EXPECT_FALSE(has(text, "<"));
  const auto read = nlohmann::json::parse(text);
  EXPECT_EQ(read["text"], "</script>\n\"\\ \xC3\xA9");
  EXPECT_EQ(read["broken"], "\xEF\xBF\xBDx");
  EXPECT_EQ(read["numbers"][0], 0.1);
  EXPECT_TRUE(read["numbers"][1].is_null());
  EXPECT_EQ(read["numbers"][2], -7);
  EXPECT_EQ(read["yes"], true);
}

TEST(JsonWriter, StopsWithTheScopeOfItsThread) {
  StopScope scope({});
  scope.request_stop(Status::time_limit);
  const std::vector<int> numbers(10'000, 1);
  detail::JsonWriter json;
  test::expect_error(
      [&] {
        json.array(numbers, [&](int number) { json.whole(number); });
        return 0;
      },
      "the time limit was reached before there was a result", Error::Kind::stopped);
}

TEST(Html, EscapesAllTextAndForbidsTheNetwork) {
  const std::string page = html(small_report());
  EXPECT_TRUE(has(page, "<title>&lt;Title&gt;</title>"));
  EXPECT_TRUE(has(page, "sub &amp; title"));
  EXPECT_TRUE(has(page, "First &quot;one&quot;"));
  EXPECT_TRUE(has(page, "<p>a &lt; b</p>"));
  EXPECT_TRUE(has(page, "default-src 'none'"));
  EXPECT_EQ(has(page, "This page is plain"), !report_has_scripts());
}

TEST(Html, KeepsTheLinesOfCode) {
  Report report = small_report();
  report.sections[0].code = "first\nsecond <x>";
  EXPECT_TRUE(has(html(report), "<code>first\nsecond &lt;x&gt;\n</code>"));
}

TEST(Html, RefusesEmptyPagesAndOddIds) {
  expect_error([] { return html({"", "", {}}); }, "report: nothing in it, expected a section");
  expect_error(
      [] {
        return html({"", "", {{.id = "a b", .title = ""}}});
      },
      "report: section id 'a b', expected a word");
  expect_error([] { return save(small_report(), "page.txt"), 0; },
               "report page.txt, expected a file that ends in .html");
}

TEST(PageData, HasAllCharts) {
  Report report = small_report();
  ReportSection& section = report.sections[0];
  const std::vector<ReportChart> charts{
      CurvesPicture{.series = {{"s", {0, 1}, {2, NAN}}}},
      BarsPicture{.groups = {"g"}, .series = {"s"}, .values = {{1}}},
      ReportPoints{Matrix::Identity(3, 3), {"b", "a", "b"}},
      ReportCells{{"x", "y"}, Matrix::Identity(2, 2), "edges"},
  };
  const std::vector<std::string> kinds{"curves", "bars", "points", "cells"};
  for (std::size_t k = 0; k < charts.size(); ++k) {
    section.chart = charts[k];
    const auto read = nlohmann::json::parse(detail::page_data(report));
    EXPECT_EQ(read["sections"][0]["chart"]["kind"], kinds[k]);
    EXPECT_TRUE(has(html(report), "<svg"));  // for readers without scripts
  }
  section.chart = charts[2];
  const auto points = nlohmann::json::parse(detail::page_data(report))["sections"][0]["chart"];
  EXPECT_EQ(points["classOf"], (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(points["x"].size(), 3U);
}

TEST(Certificate, SaysWhatHappenedAndWhatToDo) {
  Solution solution;
  solution.value = 2;
  solution.gap = 0.02;
  solution.iterations = 12;
  solution.status = Status::converged;
  EXPECT_TRUE(
      has(certificate(solution)[0], "Converged after 12 iterations: the gap is 0.02 (0.01"));
  solution.status = Status::iteration_limit;
  EXPECT_TRUE(has(certificate(solution)[0], "Allow more iterations"));
  solution.status = Status::time_limit;
  EXPECT_TRUE(has(certificate(solution)[0], "Allow more time"));
  solution.start_values = {2, 2.5};
  EXPECT_TRUE(has(certificate(solution)[1], "they disagree"));
  solution.start_values = {2, 2};
  EXPECT_TRUE(has(certificate(solution)[1], "all agree"));
}

TEST(GraphView, ShowsAllOfASmallGraph) {
  const Graph graph = test::random_graph({.nodes = 40});
  Assignment labels(40, 0);
  labels[39] = 2;  // in no cluster
  Matrix plan = Matrix::Zero(40, 2);
  plan.col(0).setConstant(1.0 / 40);
  plan(3, 0) = 0.25 / 40;
  plan(3, 1) = 0.75 / 40;
  const Plan soft = Plan::from_dense(Vector::Constant(40, 1.0 / 40), plan);
  const auto view = detail::graph_view(graph, NodeNames::numbered(40), labels, 2, &soft);
  EXPECT_TRUE(view.note.empty());
  EXPECT_EQ(std::ssize(view.graph.edges), graph.edges());
  EXPECT_EQ(view.graph.cluster[39], -1);
  ASSERT_EQ(view.graph.memberships.size(), 2U);
  EXPECT_EQ(view.graph.memberships[1].node, 3U);
  EXPECT_NEAR(view.graph.memberships[1].share, 0.75, 1e-12);
}

TEST(GraphView, SamplesALargeGraphByDegree) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 60000, .blocks = 5, .mean_degree = 6}, 1);
  const auto view = detail::graph_view(planted.graph, NodeNames::numbered(60000, 100),
                                       planted.blocks, 5, nullptr);
  const auto shown = std::ssize(view.graph.cluster);
  EXPECT_NEAR(static_cast<double>(shown), 20000, 10);
  EXPECT_TRUE(has(view.note, "of 60000 nodes are shown"));
  std::vector<Index> counts(5, 0);
  for (const std::int32_t k : view.graph.cluster) counts[static_cast<std::size_t>(k)] += 1;
  for (const Index count : counts) EXPECT_NEAR(static_cast<double>(count), 4000, 50);
  double mean = 0;
  for (const std::uint32_t d : view.graph.degree) mean += d;
  EXPECT_GT(mean / static_cast<double>(shown), 6);  // more neighbours than the mean node has
  for (const auto& [a, b] : view.graph.edges) {
    ASSERT_LT(a, static_cast<NodeId>(shown));
    ASSERT_LT(b, static_cast<NodeId>(shown));
  }
}

TEST(PartitionReport, HoldsAPageForEachPartition) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 120, .blocks = 3, .mean_degree = 12}, 1);
  const Partition found = partition(planted.graph, {.clusters = 3}, {.trace = true});
  const NodeNames names = NodeNames::numbered(120);
  const Report report = partition_report({.graph = planted.graph,
                                          .names = names,
                                          .partition = found,
                                          .file = "planted",
                                          .agreement = {{"ami", "1"}},
                                          .origin = {.program = "test", .command = "run it"}});
  EXPECT_EQ(report.title, "Partition of planted");
  const std::string page = html(report);
  for (const char* part : {"id=\"result\"", "id=\"graph\"", "id=\"blocks\"", "id=\"members\"",
                           "id=\"reproduce\"", "run it", "<dt>ami</dt>"}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
  EXPECT_EQ(page, html(report));
  EXPECT_FALSE(has(page, "id=\"compared\""));
}

TEST(PartitionReport, StandsBesideOtherPartitions) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 60, .blocks = 2, .mean_degree = 12}, 1);
  const Partition found = partition(planted.graph, {.clusters = 2});
  const NodeNames names = NodeNames::numbered(60);
  PartitionReport what{.graph = planted.graph,
                       .names = names,
                       .partition = found,
                       .file = "planted",
                       .compared = {{.name = "halves", .clusters = 2, .modularity = 0.25}}};
  const std::string without = html(partition_report(what));
  EXPECT_TRUE(has(without, "id=\"compared\""));
  EXPECT_TRUE(has(without, "halves"));
  EXPECT_FALSE(has(without, "AMI with the truth"));
  what.ami = 0.5;
  EXPECT_TRUE(has(html(partition_report(what)), "AMI with the truth"));
}

// Ids 3 and 5 are kept, 8 is split off from 3, and 7 went to 5. Node 6 is new, node 7 in none.
Partition updated_partition() {
  Partition found;
  found.labels = {0, 0, 2, 2, 1, 1, 1, 3};
  found.sizes = {2, 3, 2};
  found.ids = {3, 5, 8, 9};
  return found;
}
const std::vector<std::int64_t> before{3, 3, 3, 3, 5, 7, -1, 5};

TEST(ClusterChanges, TellsNewVanishedAndKept) {
  const std::vector<ClusterChange> changes = cluster_changes(updated_partition(), before);
  ASSERT_EQ(changes.size(), 4U);
  const auto is = [&](std::size_t k, std::int64_t id, Index had, Index has, Index stayed) {
    EXPECT_EQ(changes[k].id, id);
    EXPECT_EQ(changes[k].before, had);
    EXPECT_EQ(changes[k].now, has);
    EXPECT_EQ(changes[k].stayed, stayed);
  };
  is(0, 3, 4, 2, 2);
  is(1, 5, 2, 3, 1);
  is(2, 7, 1, 0, 0);
  is(3, 8, 0, 2, 0);
  EXPECT_EQ(changes[2].other, 5);
  EXPECT_EQ(changes[3].other, 3);
  EXPECT_EQ(changes[3].shared, 2);
  EXPECT_FALSE(changes[0].other);
  test::expect_error([] { return cluster_changes(updated_partition(), {}); },
                     "changes of clusters: 0 previous labels, expected 8");
}

TEST(PartitionReport, ShowsLevelsCutsUpdateAndCosts) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 240, .blocks = 6, .mean_degree = 12}, 1);
  const NodeNames names = NodeNames::numbered(240);
  const Partition levels = partition(planted.graph, {.cuts = true, .levels = true});
  const std::string page = html(partition_report(
      {.graph = planted.graph, .names = names, .partition = levels, .file = "planted"}));
  for (const char* part : {"id=\"cuts\"", "id=\"levels\"", "id=\"lengths\"", "the result",
                           "Each cluster lies in the one above it", ">chosen<"}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
  EXPECT_FALSE(has(page, "id=\"update\""));

  // The last block had two ids before; clusters are called by their ids.
  std::vector<std::int64_t> previous;
  for (std::size_t i = 0; i < 240; ++i) {
    previous.push_back(planted.blocks[i] == 5 && i % 3 == 0 ? 17 : 10 + planted.blocks[i]);
  }
  const Partition found =
      partition(planted.graph, {.previous = previous, .keep = 0.01, .max_size = 100});
  const std::string update = html(partition_report({.graph = planted.graph,
                                                    .names = names,
                                                    .partition = found,
                                                    .file = "planted",
                                                    .previous = {.ids = previous, .vanished = 4}}));
  for (const char* part :
       {"id=\"update\"", "id=\"costs\"", "<dt>nodes that vanished</dt><dd>4</dd>", "<td>17</td>",
        "vanished, ", "max-size", "cluster 12"}) {
    EXPECT_TRUE(has(update, part)) << part;
  }
}

TEST(MatchingReport, HasACurveForEachStart) {
  const Graph graph = test::random_graph({.nodes = 30});
  const Graph target = Graph::from_edges(3, std::vector<Entry>{{0, 1, 1}, {1, 2, 1}});
  const Source source = adjacency(graph), onto = adjacency(target);
  const Problem problem{
      .source = source.structure, .weights = source.weights, .target = onto.structure};
  const Solution solution =
      solve(problem, ConditionalGradient{}, Start::random, 12, {.seed = 1, .trace = true});
  ASSERT_EQ(solution.start_traces.size(), 12U);
  const auto best = static_cast<std::size_t>(solution.best_start);
  EXPECT_EQ(solution.start_traces[best].size(), solution.trace.size());
  EXPECT_EQ(solution.start_traces[best].back().value, solution.trace.back().value);
  const NodeNames names = NodeNames::numbered(30), target_names = NodeNames::numbered(3);
  const Report report = matching_report({.picture = {.source = graph,
                                                     .source_names = names,
                                                     .target = target,
                                                     .target_names = target_names,
                                                     .plan = solution.plan},
                                         .solution = solution});
  const auto section = std::ranges::find(report.sections, "value-curve", &ReportSection::id);
  ASSERT_NE(section, report.sections.end());
  const auto& curves = std::get<CurvesPicture>(*section->chart);
  EXPECT_EQ(curves.series.size(), 8U);
  EXPECT_EQ(curves.series[0].name, std::to_string(best + 1).insert(0, "start ") + ", the best");
  EXPECT_EQ(section->notes, std::vector<std::string>{"8 of 12 starts are shown."});
}

TEST(CompletionReport, TellsWhatProbabilitiesRestOn) {
  const Graph seen = Graph::from_edges(3, std::vector<Entry>{{0, 1, 1}, {1, 2, 1}});
  const Graph completed = Graph::from_edges(4, std::vector<Entry>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
  const NodeNames names = NodeNames::numbered(4);
  const Completion completion{.structure = Matrix::Zero(4, 4),
                              .probabilities = Matrix::Constant(4, 4, 0.75),
                              .value = 0.125,
                              .status = Status::converged,
                              .values = {0.5, 0.125}};
  CompletionEvidence evidence{.rate = 0.25, .graphs = 17, .half_seen = 34, .brier = 0.0625};
  evidence.reliability.row(7) << 10, 0.75, 0.7;
  CompletionReport what{.picture = {.seen = seen,
                                    .completed = completed,
                                    .names = names,
                                    .probabilities = completion.probabilities},
                        .completion = completion,
                        .evidence = &evidence,
                        .file = "seen.txt"};
  const std::string page = html(completion_report(what));
  for (const char* part :
       {"17 graphs, hidden 34 times", "0.0625", "id=\"edges\"", "0.7500", "id=\"value-curve\""}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
  what.evidence = nullptr;
  EXPECT_TRUE(has(html(completion_report(what)), "which is no probability"));
}

}  // namespace
}  // namespace srgw
