// SPDX-License-Identifier: MIT
//
// Methods on structures that are known through whole products only, against the same kernel as an
// array.
#include <gtest/gtest.h>

#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/solve.hpp"
#include "srgw/transform.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

PlantedGraph planted_blocks(Index nodes, Index blocks) {
  return generate(PlantedPartition{.nodes = nodes, .blocks = blocks, .mean_degree = 20}, 5);
}

double share_of_equal_labels(const Plan& a, const Plan& b) {
  const Assignment x = a.labels();
  const Assignment y = b.labels();
  double equal = 0;
  for (std::size_t i = 0; i < x.size(); ++i) equal += x[i] == y[i] ? 1 : 0;
  return equal / static_cast<double>(x.size());
}

class EveryTime : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Times, EveryTime, testing::Values(0.1, 1.0, 5.0, 20.0, 100.0));

TEST_P(EveryTime, GivesTheRunOfTheArray) {
  const PlantedGraph graph = planted_blocks(400, 6);
  const Source array = heat_kernel(graph.graph, GetParam());
  const Source implicit = implicit_heat_kernel(graph.graph, GetParam());
  // The scale at which the diagonal blocks of the kernel live.
  const Structure target = Structure::scaled_identity(6, 6.0 / 400);
  const auto run = [&](const Source& source, const Method& method) {
    const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
    return solve(problem, method, random_plan(source.weights, 6, PlanStorage::labels, 3));
  };
  for (const Method& method :
       {Method(ConditionalGradient{.max_iterations = 50, .polish_sweeps = 0}),
        Method(MirrorDescent{.epsilon = 1e-4, .max_iterations = 20})}) {
    const Solution a = run(array, method);
    const Solution b = run(implicit, method);
    EXPECT_NEAR(a.value, b.value, 1e-8 * a.value);
    EXPECT_EQ(b.value_error, 0);
    EXPECT_GE(share_of_equal_labels(a.plan, b.plan), 0.999);
  }
}

TEST(WholeProducts, ServeFusedProblemsAndDenseTargets) {
  const PlantedGraph graph = planted_blocks(200, 4);
  const Source array = heat_kernel(graph.graph, 3);
  const Source implicit = implicit_heat_kernel(graph.graph, 3, 1e-14);
  const OwnedProblem other =
      random_problem({.rows = 200, .columns = 5, .symmetric_target = false, .alpha = 0.5});
  const auto run = [&](const Source& source) {
    Problem problem{.source = source.structure, .weights = source.weights, .target = other.target};
    problem.features.emplace(FusedTerm{.cost = other.cost, .alpha = 0.5});
    return solve(problem, ConditionalGradient{.polish_sweeps = 0}).value;
  };
  EXPECT_NEAR(run(array), run(implicit), 1e-10);
}

TEST(WholeProducts, ServeLowRanks) {
  const PlantedGraph graph = planted_blocks(300, 4);
  const Source low = Kernels::heat(graph.graph).low_rank(5, 1e-12);
  const Source array = heat_kernel(graph.graph, 5);
  const Structure target = Structure::scaled_identity(4, 0.01);
  const auto run = [&](const Source& source) {
    const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
    return solve(problem, ConditionalGradient{.polish_sweeps = 0}, Start::spectral, 1);
  };
  EXPECT_NEAR(run(low).value, run(array).value, 1e-8);
}

TEST(WholeProducts, RecoverPlantedBlocksFromTheSpectralStart) {
  const PlantedGraph graph = planted_blocks(6000, 8);
  const Source source = implicit_stability(graph.graph, 3);
  const Structure target = Structure::scaled_identity(8);
  const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
  const Solution one = solve(problem, ConditionalGradient{}, Start::spectral, 1, {.threads = 1});
  const Solution two = solve(problem, ConditionalGradient{}, Start::spectral, 1, {.threads = 2});
  EXPECT_GT(metrics::adjusted_rand_index(graph.blocks, one.plan.labels()), 0.95);
  EXPECT_GT(one.value_error, 0);  // above 5,000 nodes the constant is an estimate
  EXPECT_EQ(one.value, two.value);
  EXPECT_EQ(one.plan.labels(), two.plan.labels());
}

TEST(WholeProducts, RefuseStartsThatNeedRows) {
  const PlantedGraph graph = planted_blocks(60, 3);
  const Source source = implicit_heat_kernel(graph.graph, 3);
  const Structure target = Structure::scaled_identity(3);
  const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
  expect_error([&] { return solve(problem, ConditionalGradient{}, Start::kmeans); },
               "a structure of size 60 known through products only (low rank or implicit), "
               "expected one that has rows");
}

}  // namespace
}  // namespace srgw
