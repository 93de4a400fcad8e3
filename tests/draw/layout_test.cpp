// SPDX-License-Identifier: MIT
#include "srgw/draw.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "srgw/generate.hpp"
#include "srgw/run.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw {
namespace {

using test::expect_error;

Graph path(Index nodes) {
  std::vector<Entry> edges;
  for (NodeId i = 1; i < nodes; ++i) edges.push_back({i - 1, i, 1});
  return Graph::from_edges(nodes, edges);
}

double distance(const Matrix& points, Index i, Index j) {
  return (points.row(i) - points.row(j)).norm();
}

/// Lengths of shortest paths by Floyd and Warshall.
Matrix path_lengths(const Graph& graph) {
  const Index n = graph.nodes();
  Matrix d = Matrix::Constant(n, n, 1e9);
  const Matrix edges = test::dense_adjacency(graph);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (edges(i, j) != 0) d(i, j) = 1;
    }
    d(i, i) = 0;
  }
  for (Index k = 0; k < n; ++k) {
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) d(i, j) = std::min(d(i, j), d(i, k) + d(k, j));
    }
  }
  return d;
}

double stress(const Matrix& points, const Matrix& lengths) {
  double sum = 0;
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double off = distance(points, i, j) - lengths(i, j);
      sum += off * off / (lengths(i, j) * lengths(i, j));
    }
  }
  return sum;
}

TEST(Layout, DrawsAPathStraightAndToScale) {
  const Matrix points = layout(path(12));
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < i; ++j) {
      EXPECT_NEAR(distance(points, i, j), static_cast<double>(i - j), 0.25) << i << " " << j;
    }
  }
}

TEST(Layout, SweepsLowerTheStressOfAllPairs) {
  const Graph graph = test::random_graph({.nodes = 120, .degree = 3});
  const Matrix lengths = path_lengths(graph);
  const double before = stress(layout(graph, {.sweeps = 0}), lengths);
  const double after = stress(layout(graph), lengths);
  EXPECT_LT(after, 0.9 * before);
  // Few pivots see less, but about the same.
  EXPECT_LT(stress(layout(graph, {.pivots = 30}), lengths), before);
}

TEST(Layout, PutsBlocksApart) {
  const Index n = 200;
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = n, .blocks = 4, .mean_degree = 20}, 1);
  const Matrix points = layout(planted.graph, {.blocks = planted.blocks});
  double inside = 0, between = 0;
  Index inside_pairs = 0, between_pairs = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      const bool same = planted.blocks[static_cast<std::size_t>(i)] ==
                        planted.blocks[static_cast<std::size_t>(j)];
      (same ? inside : between) += distance(points, i, j);
      (same ? inside_pairs : between_pairs) += 1;
    }
  }
  EXPECT_LT(2 * inside / static_cast<double>(inside_pairs),
            between / static_cast<double>(between_pairs));
}

TEST(Layout, PacksComponentsSideBySide) {
  std::vector<Entry> edges;
  for (NodeId c = 0; c < 5; ++c) {  // five squares and seven nodes alone
    for (NodeId k = 0; k < 4; ++k) edges.push_back({4 * c + k, 4 * c + (k + 1) % 4, 1});
  }
  const Matrix points = layout(Graph::from_edges(27, edges));
  for (Index i = 0; i < 27; ++i) {
    for (Index j = 0; j < i; ++j) {
      const bool together = i < 20 && i / 4 == j / 4;
      EXPECT_GT(distance(points, i, j), together ? 0.5 : 0.8) << i << " " << j;
    }
  }
}

TEST(Layout, IsFiniteAndTheSameEachTime) {
  std::vector<Entry> star, complete;
  for (NodeId i = 1; i < 30; ++i) star.push_back({0, i, 1});
  for (NodeId i = 0; i < 20; ++i) {
    for (NodeId j = 0; j < i; ++j) complete.push_back({j, i, 1});
  }
  const std::vector<Graph> graphs{
      Graph::from_edges(30, star), Graph::from_edges(20, complete), Graph::from_edges(1, {}),
      Graph::from_edges(2, std::vector<Entry>{{0, 1, 1}}),
      test::random_graph({.nodes = 500, .directed = true, .self_loops = true, .lonely = 20})};
  for (const Graph& graph : graphs) {
    const Matrix points = layout(graph);
    EXPECT_TRUE(points.allFinite());
    EXPECT_EQ(points, layout(graph));
    for (Index i = 0; i < points.rows(); ++i) {
      for (Index j = 0; j < i; ++j) EXPECT_GT(distance(points, i, j), 1e-3);
    }
  }
}

TEST(Layout, RefusesBlocksOfOtherNodes) {
  const Assignment blocks{0, 1};
  expect_error([&] { return layout(path(3), {.blocks = blocks}); },
               "layout: blocks of 2 nodes, expected 3");
}

TEST(Layout, StopsWithTheScopeOfItsThread) {
  const Graph graph = path(2000);
  StopScope scope({});
  scope.request_stop(Status::interrupted);
  expect_error([&] { return layout(graph); }, "interrupted before there was a result",
               Error::Kind::stopped);
}

TEST(Separate, LeavesNoDiscsOnEachOther) {
  Matrix points = Matrix::Zero(40, 2);  // all at one place
  points(39, 0) = 100;
  std::vector<double> radii(40, 1);
  radii[3] = 3;
  separate(points, radii, 1000);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double wanted = radii[static_cast<std::size_t>(i)] + radii[static_cast<std::size_t>(j)];
      EXPECT_GT(distance(points, i, j), 0.97 * wanted) << i << " " << j;
    }
  }
  EXPECT_EQ(points(39, 0), 100);  // what overlaps nothing stays
}

}  // namespace
}  // namespace srgw
