// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "srgw/generate.hpp"
#include "srgw/transform.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw::test {
namespace {

class LowRankHeatKernel
    : public testing::TestWithParam<std::tuple<double /*t*/, Index /*rank*/, Index /*lonely*/>> {};

INSTANTIATE_TEST_SUITE_P(Times, LowRankHeatKernel,
                         testing::Combine(testing::Values(0.5, 10, 100, 2000),
                                          testing::Values(1, 5, 30, 120), testing::Values(0, 3)));

TEST_P(LowRankHeatKernel, IsNearlyTheBestOfItsRank) {
  const auto [t, rank, lonely] = GetParam();
  const Graph graph = random_graph({.nodes = 120, .degree = 3, .lonely = lonely});
  const Kernels kernels = Kernels::heat(graph);
  const Source found = low_rank_heat_kernel(graph, t, rank);
  const Matrix difference = found.structure.dense() - kernels.at(t).structure.dense();
  const double off = Eigen::MatrixXd(difference).operatorNorm();
  const double largest = std::exp(-t * kernels.eigenvalues()[0]);
  const double best = rank < 120 ? std::exp(-t * kernels.eigenvalues()[rank]) : 0.0;
  EXPECT_LE(off, 1.1 * best + 1e-11 * largest);
  EXPECT_LE(off, found.structure.error_bound() + 1e-11 * largest);
  EXPECT_EQ(found.weights, uniform_weights(120));
}

TEST(LowRankHeatKernelCheck, FindsTheBlocksOfAPlantedGraph) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 3000, .blocks = 6, .mean_degree = 25}, 1);
  const Structure C = low_rank_heat_kernel(planted.graph, 20, 6).structure;
  EXPECT_LE(C.error_bound(), 1e-3);
  EXPECT_EQ(C.entries(), 6 * 3000);
  const Structure full = implicit_heat_kernel(planted.graph, 20).structure;
  const Vector x = Vector::LinSpaced(3000, -1, 1);
  EXPECT_LE((C.product(x) - full.product(x)).norm(), C.error_bound() * x.norm());
  EXPECT_EQ(low_rank_heat_kernel(planted.graph, 20, 6, 8).structure.product(x), C.product(x));
}

TEST(LowRankHeatKernelCheck, RefusesRanksThatDoNotExist) {
  const Graph graph = random_graph({});
  expect_error([&] { return low_rank_heat_kernel(graph, 1, 0); },
               "heat kernel: rank 0 for 20 nodes, expected a number from 1 to that");
  expect_error([&] { return low_rank_heat_kernel(graph, 1, 21); },
               "heat kernel: rank 21 for 20 nodes, expected a number from 1 to that");
  expect_error([&] { return low_rank_heat_kernel(graph, -1, 2); },
               "heat kernel: t is -1, expected a finite number that is not negative");
}

}  // namespace
}  // namespace srgw::test
