// SPDX-License-Identifier: MIT
#include "srgw/draw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <pugixml.hpp>
#include <string>

#include "draw/axes.hpp"
#include "draw/canvas.hpp"
#include "draw/colours.hpp"
#include "srgw/run.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw {
namespace {

using test::expect_error;

TEST(Canvas, StopsWithTheScopeOfItsThread) {
  StopScope scope({});
  scope.request_stop(Status::interrupted);
  detail::Canvas canvas;
  expect_error(
      [&] {
        for (int i = 0; i < 1000; ++i) canvas.circle({0, 0}, 1, "");
        return 0;
      },
      "interrupted before there was a result", Error::Kind::stopped);
}

/// The document, which must be XML; with what is asked for counted.
class Drawn {
 public:
  explicit Drawn(const Picture& picture) : picture_(picture) {
    const auto answer = document_.load_string(svg(picture).c_str(), pugi::parse_full);
    EXPECT_TRUE(answer) << answer.description();
  }

  [[nodiscard]] std::size_t count(const std::string& query) const {
    return document_.select_nodes(query.c_str()).size();
  }
  [[nodiscard]] bool says(const std::string& text) const {
    for (const auto& node : document_.select_nodes("//text | //title")) {
      if (std::strstr(node.node().child_value(), text.c_str()) != nullptr) return true;
    }
    return false;
  }
  /// All numbers are numbers, and all text is inside: by the widths that we reckon with.
  void expect_inside() const {
    for (const auto& found : document_.select_nodes("//text[not(@transform)]")) {
      const pugi::xml_node node = found.node();
      double dx = 0, dy = 0;
      for (pugi::xml_node up = node.parent(); up; up = up.parent()) {
        double x = 0, y = 0;
        if (std::sscanf(up.attribute("transform").value(), "translate(%lf %lf)", &x, &y) == 2) {
          dx += x;
          dy += y;
        }
      }
      const double size = node.attribute("font-size").as_double();
      const double length = detail::text_width(node.child_value(), size);
      const std::string anchor = node.attribute("text-anchor").as_string("start");
      const double left = dx + node.attribute("x").as_double() -
                          (anchor == "start" ? 0
                           : anchor == "end" ? length
                                             : length / 2);
      EXPECT_GE(left, 0) << node.child_value();
      EXPECT_LE(left + length, picture_.width) << node.child_value();
      EXPECT_LE(dy + node.attribute("y").as_double() + 0.2 * size, picture_.height)
          << node.child_value();
    }
    EXPECT_EQ(svg(picture_).find("nan"), std::string::npos);
    EXPECT_EQ(svg(picture_).find("inf\""), std::string::npos);
  }

 private:
  Picture picture_;
  pugi::xml_document document_;
};

Assignment blocks_of(Index nodes, Index blocks) {
  Assignment labels;
  for (Index i = 0; i < nodes; ++i) labels.push_back(static_cast<NodeId>(i * blocks / nodes));
  return labels;
}

Vector uniform(Index n) { return Vector::Constant(n, 1.0 / static_cast<double>(n)); }

TEST(XmlText, EscapesMarkupAndReplacesWhatXmlCannotHold) {
  EXPECT_EQ(detail::xml_text("<script>alert(\"1\" & '2')</script>"),
            "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;");
  EXPECT_EQ(detail::xml_text(std::string("a\0b\x01", 4)),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
  EXPECT_EQ(detail::xml_text("\xC3\xA9\xFF\xC0\xAF"),
            "\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(detail::xml_text("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(detail::xml_text("a\nb"), "a b");
}

TEST(XmlText, IsShortenedToAWidth) {
  EXPECT_EQ(detail::shorten("short", 12, 100), "short");
  const std::string cut = detail::shorten(std::string(200, 'x'), 12, 100);
  EXPECT_LE(detail::text_width(cut, 12), 100);
  EXPECT_TRUE(cut.ends_with("…"));
}

TEST(Colours, OfCategoriesDifferAlsoForTheColourBlind) {
  // Deuteranopes and protanopes keep lightness and blue against yellow: both are kept apart here.
  const auto seen = [](const detail::Colour& c) {
    return Eigen::Vector2d(0.3 * c.red + 0.6 * c.green + 0.1 * c.blue,
                           0.5 * (c.red + c.green) - c.blue);
  };
  for (Index a = 0; a < 8; ++a) {
    for (Index b = 0; b < a; ++b) {
      EXPECT_GT((seen(detail::category(a)) - seen(detail::category(b))).norm(), 0.08)
          << a << " " << b;
    }
  }
  for (Index a = 0; a < 24; ++a) {
    for (Index b = 0; b < a; ++b) EXPECT_NE(detail::category(a), detail::category(b));
  }
}

TEST(Colours, MixIsBetweenAndOfOneIsItself) {
  const detail::Colour blue = detail::category(0), orange = detail::category(1);
  EXPECT_EQ(detail::mix(std::vector{blue}, std::vector{0.3}).hex(), blue.hex());
  const detail::Colour mean = detail::mix(std::vector{blue, orange}, std::vector{1.0, 1.0});
  EXPECT_GT(mean.red, blue.red);
  EXPECT_LT(mean.red, orange.red);
  EXPECT_EQ(detail::mix({}, {}).hex(), detail::no_cluster.hex());
}

TEST(Axis, HasRoundTicksAroundItsRange) {
  const detail::Axis axis(0.13, 9.4);
  EXPECT_EQ(axis.ticks().front().text, "0");
  EXPECT_EQ(axis.ticks().back().text, "10");
  EXPECT_EQ(axis.place(5), 0.5);
  const detail::Axis narrow(1.038865, 1.038895);
  for (std::size_t k = 1; k < narrow.ticks().size(); ++k) {
    EXPECT_NE(narrow.ticks()[k - 1].text, narrow.ticks()[k].text);
  }
  const detail::Axis log(3e-7, 0.2, true);
  EXPECT_EQ(log.ticks().front().text, "1e-7");
  EXPECT_DOUBLE_EQ(log.place(1e-7), 0);
  const detail::Axis one(4, 4);
  EXPECT_GT(one.place(4), 0);
  EXPECT_LT(one.place(4), 1);
}

TEST(DrawPartition, ShowsEachNodeOnceAndTheAdjacency) {
  const Graph graph = test::random_graph({.nodes = 60});
  const Assignment labels = blocks_of(60, 3);
  const Drawn drawn(draw_partition({.graph = graph,
                                    .names = NodeNames::numbered(60),
                                    .labels = labels,
                                    .title = "A partition",
                                    .subtitle = "60 nodes"}));
  EXPECT_EQ(drawn.count("//circle"), 60U);
  EXPECT_EQ(drawn.count("//g[@class='adjacency']"), 1U);
  EXPECT_TRUE(drawn.says("A partition"));
  EXPECT_TRUE(drawn.says("3: 20 nodes"));
  drawn.expect_inside();
}

TEST(DrawPartition, IsTheSameEachTime) {
  const Graph graph = test::random_graph({.nodes = 300, .weighted = true});
  const Assignment labels = blocks_of(300, 5);
  const NodeNames names = NodeNames::numbered(300);
  const PartitionPicture what{.graph = graph, .names = names, .labels = labels};
  EXPECT_EQ(svg(draw_partition(what)), svg(draw_partition(what)));
}

TEST(DrawPartition, ShowsNamesAsText) {
  const NodeNames names(std::vector<std::string>{"<script>alert(1)</script>", "\"quoted\" & 'so'",
                                                 "\xFF\xFE broken", "</svg>"});
  const Graph graph = Graph::from_edges(4, std::vector<Entry>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
  const Picture picture =
      draw_partition({.graph = graph, .names = names, .labels = {0, 0, 1, 1}, .title = "<b>&</b>"});
  const Drawn drawn(picture);
  EXPECT_EQ(drawn.count("//script"), 0U);
  EXPECT_TRUE(drawn.says("<script>alert(1)</script>, cluster 1"));
  EXPECT_TRUE(drawn.says("\"quoted\" & 'so', cluster 1"));
  EXPECT_TRUE(drawn.says("<b>&</b>"));
  EXPECT_EQ(svg(picture).find("<script"), std::string::npos);
}

TEST(DrawPartition, OfALargeGraphShowsClusters) {
  const Graph graph = test::random_graph({.nodes = 3000});
  const Assignment labels = blocks_of(3000, 7);
  const Drawn drawn(
      draw_partition({.graph = graph, .names = NodeNames::numbered(3000), .labels = labels}));
  EXPECT_EQ(drawn.count("//g[@class='nodes']/circle"), 7U);
  EXPECT_TRUE(drawn.says("cluster 7: 428 nodes") || drawn.says("cluster 7: 429 nodes"));
  drawn.expect_inside();
}

TEST(DrawPartition, CountsWhatHasNoPlace) {
  const Graph graph = test::random_graph({.nodes = 4000});
  const Assignment labels = blocks_of(4000, 200);
  const Drawn drawn(draw_partition(
      {.graph = graph, .names = NodeNames::numbered(4000), .labels = labels, .clusters = 150}));
  EXPECT_EQ(drawn.count("//g[@class='nodes']/circle"), 60U);
  EXPECT_TRUE(drawn.says("The 60 largest of 150 clusters"));
  EXPECT_TRUE(drawn.says("more"));
  drawn.expect_inside();
}

TEST(DrawPartition, OfTwoThousandNodesIsSmall) {
  const Graph graph = test::random_graph({.nodes = 2000, .degree = 40});
  const Picture picture = draw_partition(
      {.graph = graph, .names = NodeNames::numbered(2000), .labels = blocks_of(2000, 12)});
  EXPECT_LT(svg(picture).size(), 3U << 20U);
}

TEST(DrawPartition, RefusesWhatDoesNotFit) {
  const Graph graph = test::random_graph({.nodes = 5});
  const NodeNames names = NodeNames::numbered(5);
  expect_error(
      [&] {
        return draw_partition({.graph = graph, .names = names, .labels = {0, 1}});
      },
      "picture of a partition: 2 labels and 5 names of 5 nodes, expected as many");
}

TEST(DrawMatching, HasAnArcForEachEntryAndBothGraphs) {
  const Graph source = test::random_graph({.nodes = 9});
  const Graph target = test::random_graph({.nodes = 4, .seed = 1});
  Matrix plan = Matrix::Zero(9, 4);
  for (Index i = 0; i < 9; ++i) plan(i, i % 3) = 1.0 / 9;
  plan(0, 0) = plan(0, 1) = 0.5 / 9;
  const Drawn drawn(draw_matching({.source = source,
                                   .source_names = NodeNames::numbered(9),
                                   .target = target,
                                   .target_names = NodeNames::numbered(4),
                                   .plan = Plan::from_dense(uniform(9), plan),
                                   .title = "Matching"}));
  EXPECT_EQ(drawn.count("//g[@class='arcs']/path"), 10U);
  EXPECT_EQ(drawn.count("//circle"), 13U);
  EXPECT_TRUE(drawn.says("target: 3 of 4 nodes are used"));
  drawn.expect_inside();
}

TEST(DrawMatching, TargetNodesAreColouredByWhatTheyReceive) {
  const Graph source = test::random_graph({.nodes = 2}), target = Graph::from_edges(2, {});
  const Drawn drawn(draw_matching({.source = source,
                                   .source_names = NodeNames::numbered(2),
                                   .target = target,
                                   .target_names = NodeNames::numbered(2),
                                   .plan = Plan::from_labels(uniform(2), Assignment{1, 0}, 2)}));
  const std::string blue = detail::category(0).hex(), orange = detail::category(1).hex();
  EXPECT_EQ(drawn.count("//circle[@fill='" + blue + "']"), 2U);
  EXPECT_EQ(drawn.count("//circle[@fill='" + orange + "']"), 2U);
}

TEST(DrawMatching, OfALargeGraphIsAPartition) {
  const Graph source = test::random_graph({.nodes = 2500}), target = Graph::from_edges(3, {});
  const Drawn drawn(
      draw_matching({.source = source,
                     .source_names = NodeNames::numbered(2500),
                     .target = target,
                     .target_names = NodeNames::numbered(3),
                     .plan = Plan::from_labels(uniform(2500), blocks_of(2500, 3), 3)}));
  EXPECT_EQ(drawn.count("//g[@class='nodes']/circle"), 3U);
}

TEST(DrawAtom, HasFourColumnsForEachGraph) {
  const Graph graph = test::random_graph({.nodes = 10});
  const Plan plan = Plan::from_labels(uniform(10), blocks_of(10, 2), 3);
  Matrix structure = Matrix::Constant(3, 3, 0.2);
  structure(0, 1) = structure(1, 0) = 0.9;
  const Vector weights = uniform(3);
  const Drawn alone(draw_atom({.structure = structure, .weights = weights}));
  EXPECT_EQ(alone.count("//circle"), 3U);
  const Drawn drawn(draw_atom({.structure = structure,
                               .weights = weights,
                               .rows = {{graph, plan, "first"}, {graph, plan}}}));
  EXPECT_EQ(drawn.count("//circle"), 2U * (10 + 10 + 2 + 3));
  EXPECT_TRUE(drawn.says("first: 10 nodes"));
  EXPECT_TRUE(drawn.says("2 of 3 nodes are used"));
  drawn.expect_inside();
}

TEST(DrawCompletion, ShowsWhatWasSeenAndWhatWasFound) {
  const Graph seen = Graph::from_edges(3, std::vector<Entry>{{0, 1, 1}, {1, 2, 1}});
  const Graph completed =
      Graph::from_edges(5, std::vector<Entry>{{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {2, 4, 1}});
  const NodeNames names = NodeNames::numbered(5);
  const Matrix probabilities = Matrix::Constant(5, 5, 0.75);
  const CompletionPicture what{
      .seen = seen, .completed = completed, .names = names, .probabilities = probabilities};
  const std::vector<std::pair<Index, Index>> expected{{0, 2}, {2, 4}};
  EXPECT_EQ(found_pairs(what), expected);
  const Drawn drawn(draw_completion(what));
  EXPECT_EQ(drawn.count("//circle"), 3U + 5U);
  EXPECT_EQ(drawn.count("//g[@class='found']/line"), 2U);
  EXPECT_TRUE(drawn.says("seen: 3 nodes"));
  EXPECT_TRUE(drawn.says("2 more nodes, 2 more edges"));
  drawn.expect_inside();
  expect_error(
      [&] {
        return draw_completion(
            {.seen = completed, .completed = seen, .names = names, .probabilities = probabilities});
      },
      "picture of a completion: 5 seen nodes, 5 names, probabilities 5 x 5, expected 3 nodes, "
      "names "
      "and rows");
}

TEST(MainDirections, FindTheLineThatPointsLieOn) {
  Matrix rows(50, 3);
  for (Index i = 0; i < 50; ++i) {
    const double t = static_cast<double>(i) / 10;
    rows.row(i) = Eigen::RowVector3d(2 * t, -t, 2 * t);
  }
  const MainDirections main = main_directions(rows);
  EXPECT_NEAR(main.first, 1, 1e-12);
  EXPECT_NEAR(main.second, 0, 1e-12);
  EXPECT_NEAR(std::abs(main.points(49, 0) - main.points(0, 0)), 3 * 4.9, 1e-9);
  EXPECT_NEAR(main.points.col(0).mean(), 0, 1e-9);
}

TEST(DrawEmbedding, HasAPointForEachRowAndAColourForEachClass) {
  const Matrix rows = Matrix::Random(30, 4);
  std::vector<std::string> classes;
  for (int i = 0; i < 30; ++i) classes.push_back(i % 3 == 0 ? "10" : "2");
  const Drawn drawn(draw_embedding({.rows = rows, .classes = classes, .title = "Points"}));
  EXPECT_EQ(drawn.count("//g[@class='points']/circle"), 30U);
  EXPECT_EQ(drawn.count("//g[@class='points']/circle[@fill='" + detail::category(1).hex() + "']"),
            10U);  // 2 comes before 10
  drawn.expect_inside();
  const Matrix flat = Matrix::Ones(5, 1);
  EXPECT_EQ(Drawn(draw_embedding({.rows = flat})).count("//g[@class='points']/circle"), 5U);
}

TEST(DrawCurves, LeaveOutWhatHasNoLogarithm) {
  const CurvesPicture what{
      .series = {{"gap", {0, 1, 2, 3}, {1, 0.1, 0, 0.01}}, {"value", {0, 1}, {1, NAN}}},
      .x_label = "iteration",
      .log_y = true};
  const Drawn drawn(draw_curves(what));
  EXPECT_EQ(drawn.count("//path[@class='curve']"), 2U);
  EXPECT_EQ(drawn.count("//circle"), 4U);
  drawn.expect_inside();
  expect_error(
      [] {
        return draw_curves({.series = {{"none", {1}, {0}}}, .log_y = true});
      },
      "curves: no positive number, expected some");
}

TEST(DrawBars, HasABarForEachNumber) {
  const BarsPicture what{.groups = {"Amazon", "EU-email", "Village"},
                         .series = {"srgw", "louvain"},
                         .values = {{0.5, -0.1, 0.9}, {0.4, NAN, 0.8}},
                         .y_label = "AMI"};
  const Drawn drawn(draw_bars(what));
  EXPECT_EQ(drawn.count("//g[@class='bars']/rect"), 5U);
  EXPECT_TRUE(drawn.says("louvain"));
  drawn.expect_inside();
  expect_error(
      [] {
        return draw_bars({.groups = {"a"}, .series = {"x"}, .values = {{1, 2}}});
      },
      "bars x: 2 values, expected 1");
}

// Two clusters of 30 and 10 nodes; the small one is first in the finer level.
std::vector<HierarchyLevel> two_levels() {
  return {{.sizes = {10, 5, 25}, .parents = {1, 0, 0}, .marked = true}, {.sizes = {30, 10}}};
}

TEST(DrawHierarchy, PutsClustersBelowThoseTheyLieIn) {
  const HierarchyPlaces places = arrange_hierarchy(two_levels());
  EXPECT_EQ(places.begin[1], (std::vector<double>{0, 0.75}));
  EXPECT_EQ(places.end[1], (std::vector<double>{0.75, 1}));
  EXPECT_EQ(places.begin[0], (std::vector<double>{0.75, 0.625, 0}));  // the large one first
  EXPECT_EQ(places.end[0], (std::vector<double>{1, 0.75, 0.625}));
  EXPECT_EQ(places.colour[0], (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(places.colour[1], (std::vector<Index>{-1, -1}));
  std::vector<HierarchyLevel> levels = two_levels();
  std::swap(levels[0].marked, levels[1].marked);
  EXPECT_EQ(arrange_hierarchy(levels).colour[0], (std::vector<Index>{1, 0, 0}));
}

TEST(DrawHierarchy, HasABoxForEachCluster) {
  const Drawn drawn(draw_hierarchy({.levels = two_levels(), .title = "Levels"}));
  EXPECT_EQ(drawn.count("//rect[@stroke]"), 5U);
  EXPECT_TRUE(drawn.says("level 1"));
  EXPECT_TRUE(drawn.says("30"));
  drawn.expect_inside();
}

TEST(DrawHierarchy, ChecksParents) {
  expect_error([] { return draw_hierarchy({}); },
               "hierarchy: no levels with clusters, expected some");
  std::vector<HierarchyLevel> levels = two_levels();
  levels[0].parents[2] = 2;
  expect_error([&] { return draw_hierarchy({.levels = levels}); },
               "hierarchy: level 0 has the parent 2, expected one of 2 clusters");
  levels[0].parents.pop_back();
  expect_error([&] { return draw_hierarchy({.levels = levels}); },
               "hierarchy: level 0 has 3 clusters and 2 parents, expected as many");
}

TEST(Picture, ShowsTheLargestOfManyBlocks) {
  constexpr Index count = 500;
  const Matrix values = Matrix::Constant(count, count, 0.1);
  std::vector<Index> sizes(count, 1);
  for (Index k = 0; k < 200; ++k) sizes[2 * k] = 2 + k;
  const Drawn drawn(draw_block_matrix({.values = values, .sizes = sizes, .subtitle = "a graph"}));
  EXPECT_TRUE(drawn.says("a graph; the 200 largest of 500 blocks"));
  EXPECT_GE(drawn.count("//rect"), 200U * 200U);
  EXPECT_LE(drawn.count("//rect"), 201U * 202U);
  const Vector widths = Vector::LinSpaced(count, 0, 1);
  EXPECT_TRUE(Drawn(draw_block_matrix({.values = values, .sizes = sizes, .widths = &widths}))
                  .says("the 200 largest of 500 blocks"));
}

TEST(Picture, IsStackedBelowAnother) {
  const Picture bars = draw_bars({.groups = {"a"}, .series = {"x"}, .values = {{1}}, .title = "A"});
  const std::vector<Picture> both{bars, bars};
  const Picture sum = stack_pictures(both);
  EXPECT_EQ(sum.height, 2 * bars.height);
  EXPECT_EQ(Drawn(sum).count("//g[@class='bars']"), 2U);
  expect_error([] { return stack_pictures({}); }, "pictures: none, expected at least one");
}

TEST(Picture, IsSavedWholeOrNotAtAll) {
  const Picture picture = draw_bars({.groups = {"a"}, .series = {"x"}, .values = {{1}}});
  expect_error([&] { return save(picture, "bars.png"), 0; },
               "picture bars.png, expected a file that ends in .svg or .svg.gz");
  const auto folder = std::filesystem::temp_directory_path() / "srgw_draw_test";
  std::filesystem::create_directories(folder);
  save(picture, folder / "bars.svg");
  EXPECT_EQ(std::filesystem::file_size(folder / "bars.svg"), svg(picture).size());
  EXPECT_THROW(save(picture, folder / "absent" / "bars.svg"), Error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace srgw
