// SPDX-License-Identifier: MIT
#include "solve/row_descent.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "srgw/solve.hpp"
#include "support/random_problem.hpp"

namespace srgw::detail {
namespace {

using namespace srgw::test;

/// What a descent reads of a problem.
struct Padded {
  Padded(const Problem& given, Index stride) : problem(given) {
    if (!given.features) return;
    cost = Matrix::Zero(given.rows(), stride);
    cost.leftCols(given.columns()) = given.features->cost;
    for (Index i = 0; i < cost.rows(); ++i) {
      rows.push_back(cost.row(i).data());
      sums.push_back(cost.row(i).sum());
    }
  }
  [[nodiscard]] RowDescent::Graph graph() const {
    return {.structure = problem.source,
            .weights = problem.weights,
            .linear = rows,
            .linear_sums = sums};
  }

  Problem problem;
  Matrix cost;
  std::vector<const double*> rows;
  std::vector<double> sums;
};

RowDescent descended(const Problem& problem, double tolerance) {
  RowDescent descent;
  descent.set_target(problem.target.dense(), problem.alpha());
  const Padded padded(problem, descent.stride());
  descent.solve(padded.graph(), tolerance);
  return descent;
}

Recipe random_recipe() {
  Recipe recipe{.rows = *rc::gen::inRange<Index>(1, 20),
                .columns = *rc::gen::inRange<Index>(1, 80),  // more than fit in registers, too
                .source = *rc::gen::element(Storage::csr, Storage::dense),
                .symmetric_target = *rc::gen::arbitrary<bool>(),
                .zero_weights = *rc::gen::arbitrary<bool>(),
                .seed = *rc::gen::arbitrary<std::uint64_t>()};
  if (*rc::gen::arbitrary<bool>()) recipe.alpha = *rc::gen::element(0.1, 0.5, 1.0);
  return recipe;
}

// <g, T> - sum_i h_i min_k g_ik
double gap_of(const Problem& problem, const Plan& plan) {
  const Matrix G = gradient(problem, plan);
  return G.cwiseProduct(plan.dense()).sum() - problem.weights.dot(G.rowwise().minCoeff());
}

RC_GTEST_PROP(RowDescent, SaysValueAndGapOfItsPlan, ()) {
  const OwnedProblem owned = random_problem(random_recipe());
  const Problem problem = owned.problem();
  RC_ASSERT(RowDescent::serves(problem.source));
  const RowDescent descent = descended(problem, 1e-5);
  const Plan plan = Plan::from_dense(problem.weights, descent.plan());
  const double size = 1 + std::abs(descent.value());
  RC_ASSERT(std::abs(value(problem, plan).total() - descent.value()) < 1e-11 * size);
  RC_ASSERT((plan.target_weights() - descent.target_weights()).cwiseAbs().maxCoeff() < 1e-13);
  RC_ASSERT(std::abs(gap_of(problem, plan) - descent.gap()) < 1e-11 * size);
}

RC_GTEST_PROP(RowDescent, EndsWhereTheGapIsSmall, ()) {
  const OwnedProblem owned = random_problem(random_recipe());
  const Problem problem = owned.problem();
  RC_ASSERT(RowDescent::serves(problem.source));
  const RowDescent descent = descended(problem, 1e-5);
  RC_ASSERT(descent.gap() <= 1e-5 * std::max(std::abs(descent.value()), 1e-7));
}

OwnedProblem shuffled(const OwnedProblem& owned, std::uint64_t seed) {
  const Index n = owned.weights.size();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  Random random(seed, 1);
  std::ranges::shuffle(order, random);
  OwnedProblem other = owned;
  Matrix C(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index from = order[static_cast<std::size_t>(i)];
    other.weights[i] = owned.weights[from];
    if (owned.alpha) other.cost.row(i) = owned.cost.row(from);
    for (Index j = 0; j < n; ++j) {
      C(i, j) = owned.source.at(from, order[static_cast<std::size_t>(j)]);
    }
  }
  other.source = Structure::csr(to_csr(C));
  return other;
}

TEST(RowDescent, HardlyDependsOnTheOrderOfNodes) {
  int different = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const OwnedProblem owned =
        random_problem({.rows = 2 + static_cast<Index>(seed % 15),
                        .columns = 7,
                        .source = Storage::csr,
                        .alpha = seed % 2 == 0 ? std::optional(0.5) : std::optional<double>{},
                        .seed = seed});
    const double expected = descended(owned.problem(), 1e-12).value();
    const double found = descended(shuffled(owned, seed).problem(), 1e-12).value();
    if (std::abs(found - expected) > 1e-9 * (1 + std::abs(expected))) ++different;
  }
  EXPECT_LE(different, 1);
}

TEST(RowDescent, EndsLowerThanConditionalGradientOnAverage) {
  for (const std::optional<double> alpha : {std::optional<double>{}, std::optional(0.5)}) {
    double rows = 0, steps = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const OwnedProblem owned = random_problem(
          {.rows = 15, .columns = 8, .source = Storage::csr, .alpha = alpha, .seed = seed});
      rows += descended(owned.problem(), 1e-5).value();
      steps += solve(owned.problem(), ConditionalGradient{}, Start::product_literal).value;
    }
    EXPECT_LT(rows, steps);
  }
}

TEST(RowDescent, IsTheSameOfDenseAndSparseGraphsOfAnySize) {
  for (const Index rows : {1, 3, 16, 17, 32, 33, 64, 65, 130}) {
    OwnedProblem owned = random_problem({.rows = rows,
                                         .columns = 6,
                                         .source = Storage::csr,
                                         .alpha = 0.5,
                                         .seed = static_cast<std::uint64_t>(rows)});
    const RowDescent sparse = descended(owned.problem(), 1e-5);
    owned.source = Structure::dense(owned.source.dense());
    const RowDescent dense = descended(owned.problem(), 1e-5);
    EXPECT_NEAR(dense.value(), sparse.value(), 1e-12 * (1 + std::abs(sparse.value())));
    EXPECT_LT((dense.plan() - sparse.plan()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(RowDescent, PlacesAllRowsOfLargeGraphs) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const OwnedProblem owned =
        random_problem({.rows = 400, .columns = 5, .source = Storage::csr, .seed = seed});
    const Problem problem = owned.problem();
    const RowDescent descent = descended(problem, 1e-5);
    const Plan plan = Plan::from_dense(problem.weights, descent.plan());
    EXPECT_NEAR(value(problem, plan).total(), descent.value(), 1e-10 * (1 + descent.value()));
  }
}

// An edge of this weight, and a node without any.
Matrix one_edge(double weight) {
  Matrix C = Matrix::Zero(3, 3);
  C(0, 1) = C(1, 0) = weight;
  return C;
}

TEST(RowDescent, FollowsNeighboursWhateverTheUnitOfEntries) {
  const Matrix B = (Matrix(2, 2) << 0.1, 0.9, 0.9, 0.2).finished();
  const Vector h = Vector::Constant(3, 1.0 / 3);
  std::vector<Matrix> plans;
  for (const double unit : {1.0, 1e70, 1e-12}) {
    const Problem problem{.source = Structure::csr(to_csr(one_edge(unit))),
                          .weights = h,
                          .target = Structure::dense(unit * B)};
    const RowDescent descent = descended(problem, 1e-5);
    plans.push_back(descent.plan());
    EXPECT_TRUE(std::isfinite(descent.value()));
    EXPECT_NEAR(descent.target_weights().sum(), 1, 1e-12);
  }
  EXPECT_EQ(plans[1], plans[0]);
  EXPECT_EQ(plans[2], plans[0]);
}

TEST(RowDescent, ServesSymmetricRowsWithoutScaling) {
  Random random(1, 1);
  EXPECT_TRUE(RowDescent::serves(random_structure(5, Storage::dense, true, random)));
  EXPECT_TRUE(RowDescent::serves(random_structure(5, Storage::csr, true, random)));
  EXPECT_FALSE(RowDescent::serves(random_structure(5, Storage::csr, false, random)));
  EXPECT_FALSE(RowDescent::serves(random_structure(5, Storage::scaled_csr, true, random)));
  EXPECT_FALSE(RowDescent::serves(random_structure(5, Storage::diagonal, true, random)));
}

}  // namespace
}  // namespace srgw::detail
