// SPDX-License-Identifier: MIT
#include "structure/without_rows.hpp"

#include <gtest/gtest.h>

#include "srgw/transform.hpp"
#include "structure/plain_rows.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"
#include "support/random_problem.hpp"

namespace srgw::test {
namespace {

using detail::estimate_square_form;
using detail::exact_square_form;
using detail::ImplicitKernelStorage;

const ImplicitKernelStorage& kernel_of(const Source& source) {
  return std::get<ImplicitKernelStorage>(detail::storage_of(source.structure).form);
}

/// An implicit structure and the dense one that it should be.
struct Pair {
  Source implicit, dense;
};

Pair make_pair(bool stable, double t, const GraphRecipe& recipe) {
  const Graph graph = random_graph(recipe);
  if (stable) return {implicit_stability(graph, t, 1e-14), stability(graph, t)};
  return {implicit_heat_kernel(graph, t, 1e-14), heat_kernel(graph, t)};
}

class ImplicitStructure
    : public testing::TestWithParam<std::tuple<bool /*stability*/, double /*t*/>> {
 protected:
  static Pair pair() {
    const auto [stable, t] = GetParam();
    return make_pair(stable, t, {.weighted = true, .self_loops = true, .lonely = 2});
  }
  const Pair pair_ = pair();
  const Structure& C_ = pair_.implicit.structure;
  const Matrix dense_ = pair_.dense.structure.dense();
};

INSTANTIATE_TEST_SUITE_P(Kernels, ImplicitStructure,
                         testing::Combine(testing::Bool(), testing::Values(0, 0.1, 5, 100)));

TEST_P(ImplicitStructure, HoldsTheEntriesOfTheDenseOne) {
  const double scale = dense_.cwiseAbs().maxCoeff();
  EXPECT_EQ(C_.size(), dense_.rows());
  const Matrix found = C_.dense();
  EXPECT_LE((found - dense_).cwiseAbs().maxCoeff(), 1e-12 * scale);
  for (Index i = 0; i < C_.size(); ++i) EXPECT_EQ(C_.at(i, 3), found(3, i));
  EXPECT_GE(C_.largest_entry(), scale * (1 - 1e-12));
  EXPECT_EQ(pair_.implicit.weights, pair_.dense.weights);
}

TEST_P(ImplicitStructure, IsSymmetricAndWithoutRows) {
  EXPECT_TRUE(C_.symmetric());
  EXPECT_FALSE(C_.has_rows());
  EXPECT_TRUE(pair_.dense.structure.has_rows());
  EXPECT_EQ(C_.transposed().dense(), C_.dense());
  EXPECT_EQ(C_.symmetrized().dense(), C_.dense());
}

TEST_P(ImplicitStructure, MultipliesPlansAndVectors) {
  for (const PlanStorage storage : all_plan_storages) {
    const Plan plan = random_plan(pair_.implicit.weights, 3, storage, 7);
    const Matrix expected = dense_ * plan.dense();
    const double scale = expected.cwiseAbs().maxCoeff();
    EXPECT_LE((C_.product(plan) - expected).cwiseAbs().maxCoeff(), 1e-12 * scale);
    EXPECT_LE((C_.transposed_product(plan) - expected).cwiseAbs().maxCoeff(), 1e-12 * scale);
  }
  const Vector x = Vector::LinSpaced(C_.size(), -1, 2);
  EXPECT_TRUE(C_.product(x).isApprox(dense_ * x, 1e-12));
}

TEST_P(ImplicitStructure, SquareFormIsExactForFewNodes) {
  const Vector& h = pair_.implicit.weights;
  const double expected = h.dot(dense_.cwiseAbs2() * h);
  const SquareForm found = C_.square_form_estimate(h);
  EXPECT_NEAR(found.value, expected, 1e-12 * expected);
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.error, 0);
  EXPECT_EQ(C_.square_form(h), found.value);
}

class EstimatedSquareForm
    : public testing::TestWithParam<std::tuple<bool /*stability*/, double /*t*/, int /*seed*/>> {};

INSTANTIATE_TEST_SUITE_P(Kernels, EstimatedSquareForm,
                         testing::Combine(testing::Bool(), testing::Values(0, 0.1, 1, 10, 100),
                                          testing::Values(1, 2)));

TEST_P(EstimatedSquareForm, IsOffByItsErrorAtMost) {
  const auto [stable, t, seed] = GetParam();
  const Graph graph = random_graph({.nodes = 300,
                                    .degree = 5,
                                    .weighted = seed == 2,
                                    .lonely = 10,
                                    .seed = static_cast<std::uint64_t>(seed)});
  const Source source = stable ? implicit_stability(graph, t) : implicit_heat_kernel(graph, t);
  const double exact = exact_square_form(kernel_of(source), source.weights, 1);
  const SquareForm found = estimate_square_form(kernel_of(source), source.weights, 1);
  EXPECT_LE(std::abs(found.value - exact), found.error);
  EXPECT_LE(found.error, 0.25 * exact);
  EXPECT_FALSE(found.exact);
}

TEST(SquareFormOfManyNodes, IsEstimatedAlikeOnAllThreads) {
  const Graph graph = random_graph({.nodes = 5001, .degree = 3});
  const Source source = implicit_heat_kernel(graph, 1);
  const SquareForm one = source.structure.square_form_estimate(source.weights, 1);
  EXPECT_FALSE(one.exact);
  EXPECT_GT(one.error, 0);
  EXPECT_LE(one.error, 0.05 * one.value);
  for (const int threads : {2, 8}) {
    EXPECT_EQ(source.structure.square_form(source.weights, threads), one.value);
  }
  const Vector negative = -source.weights;
  expect_error([&] { return source.structure.square_form(negative); },
               "a weight is -0.0001999600079984003, expected none below 0 for an estimate");
}

TEST(SquareFormOfFewNodes, IsTheSameOnAllThreads) {
  const Source source = implicit_heat_kernel(random_graph({.nodes = 200}), 3);
  const double one = source.structure.square_form(source.weights, 1);
  for (const int threads : {2, 8}) {
    EXPECT_EQ(source.structure.square_form(source.weights, threads), one);
  }
}

TEST(ImplicitStructureCheck, HasNoRowsToRead) {
  const Source source = implicit_heat_kernel(random_graph({}), 3);
  expect_error([&] { return detail::with_plain_rows(source.structure, true); },
               "a structure of size 20 known through products only (low rank or implicit), "
               "expected one that has rows");
  const Source large = implicit_heat_kernel(Graph::from_edges(20001, {}), 3);
  expect_error([&] { return large.structure.dense(); },
               "all entries of a structure of size 20001 that has no rows, expected at most 20000; "
               "use its products",
               Error::Kind::resource);
}

}  // namespace
}  // namespace srgw::test
