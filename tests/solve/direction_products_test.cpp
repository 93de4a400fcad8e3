// SPDX-License-Identifier: MIT
#include "solve/direction_products.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "srgw/generate.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {
namespace {

/// Labels of which one in `changing` differs from those before; with `ties`, some rows are shared.
Vertex next_vertex(const Vertex& former, Index columns, std::uint64_t changing, bool ties,
                   Random& random) {
  Vertex vertex;
  vertex.column = former.column;
  for (NodeId i = 0; i < vertex.column.size(); ++i) {
    if (vertex.column[i] == tied || random.below(changing) == 0) {
      vertex.column[i] = static_cast<NodeId>(random.below(static_cast<std::uint64_t>(columns)));
    }
    if (!ties || random.below(20) != 0) continue;
    vertex.column[i] = tied;
    vertex.ties.rows.push_back(i);
    for (const NodeId k : {NodeId{0}, static_cast<NodeId>(columns - 1)}) {
      vertex.ties.columns.push_back(k);
    }
    vertex.ties.offsets.push_back(static_cast<std::uint32_t>(vertex.ties.columns.size()));
  }
  return vertex;
}

std::vector<NodeId> changed_rows(const Vertex& from, const Vertex& to) {
  std::vector<NodeId> changed;
  for (NodeId i = 0; i < to.column.size(); ++i) {
    if (!std::ranges::equal(from.columns_of(i), to.columns_of(i))) changed.push_back(i);
  }
  return changed;
}

struct Setting {
  const char* name;
  Source (*transform)(const Graph&);
  Index columns;
  bool counted;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

class FollowedDirections : public testing::TestWithParam<Setting> {};

INSTANTIATE_TEST_SUITE_P(Settings, FollowedDirections,
                         testing::Values(Setting{"adjacency", adjacency, 3, true},
                                         Setting{"modularity", modularity, 15, true},
                                         Setting{"modularity in two vectors", modularity, 20, true},
                                         Setting{"modularity in no vectors", modularity, 150, true},
                                         Setting{"normalized", normalized_adjacency, 5, false}));

TEST_P(FollowedDirections, HaveTheProductsOfEachOnItsOwn) {
  const Setting setting = GetParam();
  const Graph graph =
      generate(PlantedPartition{.nodes = 300, .blocks = 3, .mean_degree = 12}, 3).graph;
  const Source source = setting.transform(graph);
  const Structure target = Structure::scaled_identity(setting.columns, 0.3);
  Objective objective;
  objective.prepare({.source = source.structure, .weights = source.weights, .target = target});
  const Index stride = padded_columns(setting.columns);
  CrossProducts products;
  products.prepare(objective, stride, 1);
  EXPECT_EQ(products.counting().has_value(), setting.counted);
  DirectionProducts directions;
  directions.prepare(products, objective, stride, 2);

  CrossProducts reference;
  reference.prepare(objective, stride, 1);
  std::vector<double> expected(static_cast<std::size_t>(300 * stride));
  std::vector<double> followed(expected.size());
  Random random(8, 0);
  Vertex former;
  former.column.assign(300, 0);
  for (int step = 0; step < 40; ++step) {
    const std::uint64_t changing = step % 3 == 0 ? 2 : 30;
    const Vertex vertex = next_vertex(former, setting.columns, changing, step % 8 == 7, random);
    directions.follow(former, vertex, changed_rows(former, vertex));
    directions.blend(1, followed);
    reference.of_vertex(vertex, expected);
    double form = 0;
    for (Index i = 0; i < 300; ++i) {
      const auto columns = vertex.columns_of(i);
      const double scale = products.row_scale() != nullptr ? products.row_scale()[i] : 1.0;
      for (const NodeId k : columns) {
        form += source.weights[i] * scale / static_cast<double>(columns.size()) *
                expected[static_cast<std::size_t>(i * stride) + k];
      }
    }
    for (std::size_t e = 0; e < expected.size(); ++e) {
      ASSERT_NEAR(followed[e], expected[e], 1e-14) << "step " << step << ", entry " << e;
    }
    EXPECT_NEAR(directions.form(vertex), form, 1e-13);
    former = vertex;
  }
}

TEST(DirectionProducts, DoNotCountMoreNeighboursThanFit) {
  std::vector<Entry> star;
  for (NodeId leaf = 1; leaf <= 70'000; ++leaf) star.push_back({0, leaf});
  const Graph graph = Graph::from_edges(70'001, star);
  const Source source = adjacency(graph);
  const Structure target = Structure::scaled_identity(2);
  Objective objective;
  objective.prepare({.source = source.structure, .weights = source.weights, .target = target});
  CrossProducts products;
  products.prepare(objective, row_pass_lanes(), 1);
  EXPECT_FALSE(products.counting().has_value());
}

}  // namespace
}  // namespace srgw::detail
