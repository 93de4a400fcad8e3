// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>

#include "srgw/transform.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw::test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Floyd and Warshall: lets every node be a stopover in turn.
Matrix brute_force_distances(const Graph& graph, double unreachable) {
  const Matrix A = dense_adjacency(graph);
  Matrix distances = (A.array() > 0).select(A, infinite);
  distances.diagonal().setZero();
  for (Index k = 0; k < A.rows(); ++k) {
    for (Index i = 0; i < A.rows(); ++i) {
      for (Index j = 0; j < A.rows(); ++j) {
        distances(i, j) = std::min(distances(i, j), distances(i, k) + distances(k, j));
      }
    }
  }
  return (distances.array() == infinite).select(unreachable, distances);
}

class ShortestPath : public testing::TestWithParam<
                         std::tuple<bool /*directed*/, bool /*weighted*/, Index /*lonely nodes*/>> {
};

INSTANTIATE_TEST_SUITE_P(Graphs, ShortestPath,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Values(0, 2)));

TEST_P(ShortestPath, EqualsFloydWarshall) {
  const auto [directed, weighted, lonely] = GetParam();
  const Graph graph = random_graph({.nodes = 40,
                                    .degree = 2,
                                    .directed = directed,
                                    .weighted = weighted,
                                    .self_loops = true,
                                    .lonely = lonely});
  const Source source = shortest_path(graph, 99.0);
  EXPECT_TRUE(source.structure.dense().isApprox(brute_force_distances(graph, 99), 1e-14));
  EXPECT_EQ(source.structure.symmetric(), !directed);
  EXPECT_EQ(source.weights, uniform_weights(40));
  for (const int threads : {1, 2, 8}) {
    EXPECT_EQ(shortest_path(graph, 99.0, threads).structure.dense(), source.structure.dense());
  }
}

TEST(ShortestPathCheck, OfOneNodeIsZero) {
  EXPECT_EQ(shortest_path(Graph::from_edges(1, {})).structure.dense(), Matrix::Zero(1, 1));
}

TEST(ShortestPathCheck, NeedsConnectedNodesOrADistance) {
  const Entry edges[] = {{0, 1, 1}};
  expect_error([&] { return shortest_path(Graph::from_edges(3, edges)); },
               "shortest path: no path from node 0 to node 2; expected a connected graph, or a "
               "distance for such pairs");
  expect_error([&] { return shortest_path(Graph::from_edges(3, edges), infinite); },
               "shortest path: the distance of unconnected nodes is inf, expected a finite number");
}

TEST(ShortestPathCheck, RefusesNegativeLengths) {
  const Entry edges[] = {{0, 1, -2}};
  expect_error([&] { return shortest_path(Graph::from_edges(2, edges)); },
               "shortest path: edge (0, 1) has weight -2, expected no negative weights");
}

TEST(ShortestPathCheck, RefusesGraphsThatAreTooLarge) {
  expect_error([] { return shortest_path(Graph::from_edges(20001, {})); },
               "shortest path of 20001 nodes is a dense array, expected at most 20000 nodes; take "
               "a part of the graph",
               Error::Kind::resource);
}

}  // namespace
}  // namespace srgw::test
