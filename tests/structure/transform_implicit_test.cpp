// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cstdlib>
#include <limits>

#include "srgw/plan.hpp"
#include "srgw/transform.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"
#include "support/random_problem.hpp"

namespace srgw::test {
namespace {

enum class Shape { plain, weighted, lonely, strong, weak };

Graph graph_of(Shape shape, Index nodes) {
  GraphRecipe recipe{.nodes = nodes, .degree = 8};
  recipe.weighted = shape == Shape::weighted;
  recipe.self_loops = shape == Shape::weighted;
  recipe.lonely = shape == Shape::lonely || shape == Shape::weak ? 4 : 0;
  recipe.directed = shape == Shape::strong || shape == Shape::weak;
  if (shape != Shape::strong) return random_graph(recipe);
  // A way back from the last node closes the path that random_graph begins with.
  std::vector<Entry> arcs = {{static_cast<NodeId>(nodes - 1), 0, 1}};
  const Matrix A = dense_adjacency(random_graph(recipe));
  for (Index i = 0; i < nodes; ++i) {
    for (Index j = 0; j < nodes; ++j) {
      if (A(i, j) != 0) arcs.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j), 1});
    }
  }
  return Graph::from_edges(nodes, arcs, true, Duplicates::first);
}

class ImplicitKernel : public testing::TestWithParam<Shape> {};

INSTANTIATE_TEST_SUITE_P(Shapes, ImplicitKernel,
                         testing::Values(Shape::plain, Shape::weighted, Shape::lonely,
                                         Shape::strong, Shape::weak));

void expect_same_products(const Source& implicit, const Source& dense) {
  EXPECT_EQ(implicit.weights, dense.weights);
  const Plan plan = random_plan(dense.weights, 5, PlanStorage::labels, 3);
  const Matrix expected = dense.structure.product(plan);
  const Matrix found = implicit.structure.product(plan);
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
  const double kappa = dense.structure.square_form(dense.weights);
  EXPECT_NEAR(implicit.structure.square_form(dense.weights), kappa, 1e-9 * kappa);
}

TEST_P(ImplicitKernel, HasTheProductsOfTheDenseOne) {
  const bool full = std::getenv("SRGW_TEST_FULL") != nullptr;
  const Graph graph = graph_of(GetParam(), full ? 2000 : 150);
  const Kernels heat = Kernels::heat(graph);
  for (const double t : {0.1, 1.0, 5.0, 20.0, 100.0}) {
    expect_same_products(implicit_heat_kernel(graph, t), heat.at(t));
  }
  if (graph.directed()) return;
  const Kernels stable = Kernels::stability(graph);
  for (const double t : {0.1, 5.0, 100.0}) {
    expect_same_products(implicit_stability(graph, t), stable.at(t));
  }
}

TEST_P(ImplicitKernel, StaysWithinItsErrorBound) {
  const Graph graph = graph_of(GetParam(), 60);
  for (const double tolerance : {1e-2, 1e-6, 1e-12}) {
    const Structure C = implicit_heat_kernel(graph, 5, tolerance).structure;
    EXPECT_LE(C.error_bound(), tolerance);
    const Matrix difference = C.dense() - heat_kernel(graph, 5).structure.dense();
    EXPECT_LE(Eigen::MatrixXd(difference).operatorNorm(), C.error_bound() + 1e-14);
  }
}

TEST_P(ImplicitKernel, LowRankLeavesOutWhatIsSmall) {
  const Graph graph = graph_of(GetParam(), 60);
  const Kernels kernels = Kernels::heat(graph);
  const Structure C = kernels.low_rank(5, 0.01).structure;
  const Matrix difference = C.dense() - kernels.at(5).structure.dense();
  EXPECT_LE(C.error_bound(), 0.01);
  EXPECT_NEAR(Eigen::MatrixXd(difference).operatorNorm(), C.error_bound(), 1e-13);
  EXPECT_LT(C.entries(), 60 * 60);
  if (graph.directed()) return;
  const Kernels stable = Kernels::stability(graph);
  const Source low = stable.low_rank(5);
  EXPECT_TRUE(low.structure.dense().isApprox(stable.at(5).structure.dense(), 1e-6));
  EXPECT_EQ(low.weights, stable.at(5).weights);
}

TEST(ImplicitKernel, OfDirectedGraphsNeedsNoDenseWalk) {
  const Graph graph = random_graph({.nodes = 30000, .degree = 4, .directed = true, .lonely = 5});
  const Structure C = implicit_heat_kernel(graph, 2).structure;
  EXPECT_LE(C.entries(), 2 * graph.edges());
  EXPECT_TRUE(C.product(Vector::Ones(30000)).allFinite());
}

TEST(ImplicitKernel, OfLonelyNodesIsRightHoweverSmall) {
  const Entry edges[] = {{0, 1, 1}, {1, 2, 1}, {3, 4, 0.5}};
  const Graph graph = Graph::from_edges(6, edges);
  for (const double t : {10.0, 100.0, 700.0}) {
    const Matrix dense = heat_kernel(graph, t).structure.dense();
    const Matrix found = implicit_heat_kernel(graph, t).structure.dense();
    EXPECT_GT(dense.maxCoeff(), 0);
    EXPECT_LE((found - dense).cwiseAbs().maxCoeff(), 1e-9 * dense.maxCoeff()) << t;
  }
  const Structure decay = implicit_heat_kernel(Graph::from_edges(3, {}), 100).structure;
  EXPECT_NEAR(decay.at(1, 1), std::exp(-100), 1e-12 * std::exp(-100));
}

TEST(ImplicitKernel, OfOneNodeWorks) {
  const Graph lonely = Graph::from_edges(1, {});
  EXPECT_NEAR(implicit_heat_kernel(lonely, 2).structure.at(0, 0), std::exp(-2), 1e-10);
  EXPECT_NEAR(implicit_heat_kernel(Graph::from_edges(1, {}, true), 2).structure.at(0, 0), 1, 1e-10);
}

TEST(ImplicitKernel, ProductsDoNotDependOnThreads) {
  const Source source = implicit_stability(random_graph({.nodes = 3000}), 4);
  const Plan plan = random_plan(source.weights, 15, PlanStorage::labels, 3);
  const Matrix one = source.structure.product(plan, 1);
  EXPECT_EQ(source.structure.product(plan, 2), one);
  EXPECT_EQ(source.structure.product(plan, 8), one);
}

TEST(ImplicitKernelCheck, RefusesBadNumbers) {
  const Graph graph = random_graph({});
  expect_error([&] { return implicit_heat_kernel(graph, -2); },
               "heat kernel: t is -2, expected a finite number that is not negative");
  expect_error([&] { return implicit_stability(graph, not_a_number); },
               "stability: t is nan, expected a finite number that is not negative");
  expect_error([&] { return implicit_heat_kernel(graph, 1, 0); },
               "heat kernel: the tolerance is 0, expected a number from 1e-16 to below 1");
  expect_error([&] { return implicit_stability(graph, 1, not_a_number); },
               "stability: the tolerance is nan, expected a number from 1e-16 to below 1");
  expect_error([&] { return Kernels::heat(graph).low_rank(1, 2); },
               "heat kernel: the cutoff is 2, expected a number between 0 and 1");
}

TEST(ImplicitKernelCheck, RefusesGraphsWithoutTheKernel) {
  const Entry arcs[] = {{0, 1, -3}};
  expect_error([&] { return implicit_stability(Graph::from_edges(2, arcs, true), 1); },
               "stability of a directed graph, expected an undirected one");
  expect_error([&] { return implicit_heat_kernel(Graph::from_edges(2, arcs), 1); },
               "heat kernel: edge (0, 1) has weight -3, expected no negative weights");
  expect_error([&] { return implicit_stability(Graph::from_edges(2, {}), 1); },
               "the degrees sum to 0, expected a positive finite number");
}

}  // namespace
}  // namespace srgw::test
