// SPDX-License-Identifier: MIT
#include "structure/without_rows.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "srgw/structure.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw::test {
namespace {

constexpr Index low_rank_size = 9;

class LowRank : public testing::TestWithParam<bool /*all values positive*/> {
 protected:
  static Vector values() { return GetParam() ? Vector{{2, 1, 0.3}} : Vector{{2, -1, 0.3}}; }
  static Matrix factors() {
    detail::Random random(6, 0);
    return random_matrix(low_rank_size, 3, random);
  }
  const Structure C_ = Structure::low_rank(factors(), values(), 0.5);
  const Matrix dense_ = factors() * values().asDiagonal() * factors().transpose();
};

INSTANTIATE_TEST_SUITE_P(Signs, LowRank, testing::Bool());

TEST_P(LowRank, HoldsItsEntries) {
  EXPECT_TRUE(C_.dense().isApprox(dense_, 1e-14));
  EXPECT_NEAR(C_.at(2, 7), dense_(2, 7), 1e-14);
  EXPECT_EQ(C_.entries(), 27);
  EXPECT_EQ(C_.error_bound(), 0.5);
  EXPECT_TRUE(C_.symmetric());
  EXPECT_FALSE(C_.has_rows());
}

TEST_P(LowRank, BoundsItsLargestEntry) {
  const double largest = dense_.cwiseAbs().maxCoeff();
  EXPECT_GE(C_.largest_entry(), largest * (1 - 1e-14));
  if (GetParam()) {
    EXPECT_NEAR(C_.largest_entry(), largest, 1e-14 * largest);
  }
}

TEST_P(LowRank, MultipliesPlansAndVectors) {
  detail::Random random(5, 0);
  for (const PlanStorage storage : all_plan_storages) {
    const Plan plan = random_plan(random_weights(low_rank_size, true, random), 3, storage, 5);
    EXPECT_TRUE(C_.product(plan).isApprox(dense_ * plan.dense(), 1e-13));
    EXPECT_TRUE(C_.transposed_product(plan, 2).isApprox(dense_ * plan.dense(), 1e-13));
  }
  const Vector x = Vector::LinSpaced(low_rank_size, -1, 2);
  EXPECT_TRUE(C_.product(x).isApprox(dense_ * x, 1e-13));
}

TEST_P(LowRank, SquareFormIsExact) {
  const Vector h = Vector::LinSpaced(low_rank_size, 0, 0.25);
  const double expected = h.dot(dense_.cwiseAbs2() * h);
  const SquareForm found = C_.square_form_estimate(h);
  EXPECT_NEAR(found.value, expected, 1e-13 * expected);
  EXPECT_TRUE(found.exact);
}

TEST(LowRankCheck, ProductsDoNotDependOnThreads) {
  detail::Random random(5, 0);
  const Structure C =
      Structure::low_rank(random_matrix(3000, 4, random), random_matrix(4, 1, random));
  const Plan plan = random_plan(random_weights(3000, false, random), 5, PlanStorage::dense, 5);
  const Matrix one = C.product(plan, 1);
  EXPECT_EQ(C.product(plan, 2), one);
  EXPECT_EQ(C.product(plan, 8), one);
}

TEST(LowRankCheck, RefusesPartsThatDoNotFit) {
  expect_error([] { return Structure::low_rank(Matrix::Zero(3, 2), Vector::Zero(1)); },
               "3 x 2 factors with 1 values, expected one for each column, and at least one");
  expect_error([] { return Structure::low_rank(Matrix(3, 0), Vector()); },
               "3 x 0 factors with 0 values, expected one for each column, and at least one");
  expect_error([] { return Structure::low_rank(Matrix(), Vector()); },
               "0 rows, expected at least 1");
  expect_error(
      [&] { return Structure::low_rank(Matrix::Constant(2, 1, not_a_number), Vector::Ones(1)); },
      "factors or values of a low rank that are not finite, expected finite numbers");
  expect_error([] { return Structure::low_rank(Matrix::Zero(2, 1), Vector::Ones(1), -1); },
               "the error of a low rank is -1, expected a finite number that is not negative");
  expect_error([] { return Structure::low_rank(Matrix::Constant(2, 1, 1e200), Vector::Ones(1)); },
               "entries of the structure are bounded by inf, expected a finite number");
}

}  // namespace
}  // namespace srgw::test
