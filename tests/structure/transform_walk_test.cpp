// SPDX-License-Identifier: MIT
#include "structure/transforms/walk.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw::test {
namespace {

using detail::directed_walk;
using detail::DirectedWalk;
using Kind = DirectedWalk::Kind;

Graph digraph(Index nodes, std::vector<Entry> arcs) { return Graph::from_edges(nodes, arcs, true); }

/// P and Chung's symmetric walk from their definitions, all dense.
Matrix brute_force_walk(const Graph& graph, Kind kind, const Vector& stationary, Matrix* P_out) {
  const Index n = graph.nodes();
  Matrix P = dense_adjacency(graph);
  for (Index i = 0; i < n; ++i) {
    const double sum = P.row(i).sum();
    if (sum > 0) P.row(i) /= sum;
    if (sum == 0) P.row(i).setConstant(1.0 / static_cast<double>(n));
  }
  if (kind == Kind::lazy) P = (Matrix::Identity(n, n) + P) / 2;
  if (kind == Kind::teleporting) P = (0.95 * P.array() + 0.05 / static_cast<double>(n)).matrix();
  const Vector s = stationary.cwiseSqrt();
  const Matrix SPS = s.asDiagonal() * P * s.cwiseInverse().asDiagonal();
  *P_out = P;
  return (SPS + SPS.transpose()) / 2;
}

void expect_walk(const Graph& graph, Kind kind) {
  const DirectedWalk found = directed_walk(graph, "test", 1);
  EXPECT_EQ(found.kind, kind);
  EXPECT_NEAR(found.stationary.sum(), 1, 1e-14);
  Matrix P;
  const Matrix N = brute_force_walk(graph, kind, found.stationary, &P);
  EXPECT_TRUE((found.stationary.transpose() * P).transpose().isApprox(found.stationary, 1e-12));
  EXPECT_TRUE(dense_walk(found.walk).isApprox(N, 1e-13));
}

TEST(DirectedWalk, IsPlainWhenStronglyConnectedAndAperiodic) {
  expect_walk(digraph(3, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {1, 0, 1}}), Kind::plain);
  expect_walk(digraph(3, {{0, 1, 2}, {1, 2, 1}, {2, 0, 3}, {2, 2, 1}}), Kind::plain);
  expect_walk(digraph(1, {{0, 0, 1}}), Kind::plain);
}

TEST(DirectedWalk, IsLazyWhenCyclesHaveACommonLength) {
  expect_walk(digraph(3, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}}), Kind::lazy);
  expect_walk(digraph(4, {{0, 1, 5}, {1, 0, 1}, {1, 2, 0.5}, {2, 1, 1}, {2, 3, 1}, {3, 0, 1}}),
              Kind::lazy);
}

TEST(DirectedWalk, TeleportsWhenNotStronglyConnected) {
  expect_walk(digraph(3, {{0, 1, 1}, {1, 2, 1}}), Kind::teleporting);
  expect_walk(digraph(4, {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}, {3, 2, 1}}), Kind::teleporting);
  expect_walk(digraph(3, {}), Kind::teleporting);
  expect_walk(digraph(1, {}), Kind::teleporting);
  expect_walk(random_graph({.directed = true, .weighted = true, .self_loops = true, .lonely = 3}),
              Kind::teleporting);
}

TEST(DirectedWalk, TakesArcsOfWeightZeroForNone) {
  expect_walk(digraph(3, {{0, 1, 2}, {1, 2, 1}, {2, 0, 0}}), Kind::teleporting);
}

TEST(DirectedWalk, SettlesWhereTheReferenceDoes) {
  const auto& reference = reference_case("18_preprocessing").at("directed_heat_kernel");
  const Graph graph = digraph(4, {{0, 1, 1}, {1, 2, 1}, {1, 3, 1}, {2, 0, 1}});
  EXPECT_TRUE(directed_walk(graph, "test", 1)
                  .stationary.isApprox(to_vector(reference.at("stationary")), 1e-12));
}

TEST(DirectedWalk, HasItsSpectrumInTheUnitInterval) {
  for (const bool lonely : {false, true}) {
    const Graph graph = random_graph({.nodes = 60, .directed = true, .lonely = lonely ? 5 : 0});
    const Matrix N = dense_walk(directed_walk(graph, "test", 1).walk);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs{Eigen::MatrixXd(N)};
    EXPECT_NEAR(pairs.eigenvalues().maxCoeff(), 1, 1e-12);
    EXPECT_GE(pairs.eigenvalues().minCoeff(), -1 - 1e-12);
  }
}

TEST(UndirectedWalk, BoundsItsLargestEigenvalue) {
  const Entry pair[] = {{0, 1, 1}};  // bipartite, and shifted by the lonely node
  for (const Graph& graph : {random_graph({.nodes = 60, .weighted = true, .lonely = 3}),
                             random_graph({.nodes = 60}), Graph::from_edges(3, pair)}) {
    const detail::Walk walk = detail::undirected_walk(graph, "test");
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs{Eigen::MatrixXd(dense_walk(walk))};
    const double largest = pairs.eigenvalues().maxCoeff();
    for (const double slack : {0.5, 0.01}) {
      const double bound = detail::largest_eigenvalue_bound(walk, slack, 1);
      EXPECT_GE(bound, largest - 1e-14);
      EXPECT_LE(bound, largest + slack);
      EXPECT_EQ(detail::largest_eigenvalue_bound(walk, slack, 8), bound);
    }
  }
  EXPECT_EQ(detail::largest_eigenvalue_bound(
                detail::undirected_walk(Graph::from_edges(2, {}), "test"), 0.1, 1),
            0);
}

TEST(DirectedWalk, DoesNotDependOnThreads) {
  const Graph graph = random_graph({.nodes = 5000, .directed = true, .lonely = 7});
  const DirectedWalk one = directed_walk(graph, "test", 1);
  for (const int threads : {2, 8}) {
    EXPECT_EQ(directed_walk(graph, "test", threads).stationary, one.stationary);
  }
}

}  // namespace
}  // namespace srgw::test
