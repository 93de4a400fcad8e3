// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>

#include "srgw/problem.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A good problem of 4 x 3, to be spoilt in one place.
class ProblemCheck : public testing::Test {
 protected:
  void expect_refused(const std::string& message) const {
    expect_error([&] { check(owned_.problem()); }, message);
  }

  OwnedProblem owned_ = random_problem({.rows = 4, .columns = 3, .alpha = 0.5});
};

TEST_F(ProblemCheck, AcceptsAGoodProblem) { EXPECT_NO_THROW(check(owned_.problem())); }

TEST_F(ProblemCheck, AcceptsWeightsOfZero) {
  owned_.weights << 0, 0, 1, 0;
  EXPECT_NO_THROW(check(owned_.problem()));
}

TEST_F(ProblemCheck, RefusesTheWrongNumberOfWeights) {
  owned_.weights = Vector::Constant(5, 0.2);
  expect_refused("weights has 5 entries, expected 4, one for each source node");
}

TEST_F(ProblemCheck, RefusesNegativeWeights) {
  owned_.weights << 0.5, -0.5, 0.5, 0.5;
  expect_refused("weights[1] is -0.5, expected a finite number >= 0");
}

TEST_F(ProblemCheck, RefusesWeightsThatAreNotFinite) {
  owned_.weights[2] = not_a_number;
  expect_refused("weights[2] is nan, expected a finite number >= 0");
  owned_.weights[2] = infinity;
  expect_refused("weights[2] is inf, expected a finite number >= 0");
}

TEST_F(ProblemCheck, RefusesWeightsThatDoNotSumToOne) {
  owned_.weights << 0.25, 0.25, 0.25, 0.125;
  expect_refused("weights sum to 0.875, expected 1");
  owned_.weights.setZero();
  expect_refused("weights sum to 0, expected 1");
}

TEST_F(ProblemCheck, RefusesAlphaOutsideTheUnitInterval) {
  owned_.alpha = 1.5;
  expect_refused("alpha is 1.5, expected a number in [0, 1]");
  owned_.alpha = -0.25;
  expect_refused("alpha is -0.25, expected a number in [0, 1]");
  owned_.alpha = not_a_number;
  expect_refused("alpha is nan, expected a number in [0, 1]");
}

TEST_F(ProblemCheck, RefusesACostOfTheWrongShape) {
  owned_.cost = Matrix::Zero(3, 4);
  expect_refused("cost is 3 x 4, expected 4 x 3");
}

TEST_F(ProblemCheck, RefusesACostThatIsNotFinite) {
  owned_.cost(1, 2) = not_a_number;
  expect_refused("cost(1, 2) is nan, expected a number of size at most 1e+300");
  owned_.cost(1, 2) = -infinity;
  expect_refused("cost(1, 2) is -inf, expected a number of size at most 1e+300");
}

TEST_F(ProblemCheck, RefusesEntriesWhoseSquaresOverflow) {
  owned_.source = Structure::dense(Matrix::Constant(4, 4, -1e200));
  expect_refused(
      "source has an entry of size 1e+200, expected at most 1e+150, or squares overflow");
}

TEST_F(ProblemCheck, RefusesAPlanOfTheWrongShape) {
  const Plan plan = Plan::from_labels(owned_.weights, Assignment(4, 0), 2);
  expect_error([&] { return value(owned_.problem(), plan); }, "plan is 4 x 2, expected 4 x 3");
  expect_error([&] { return gradient(owned_.problem(), plan); }, "plan is 4 x 2, expected 4 x 3");
  expect_error([&] { return line(owned_.problem(), plan, plan); }, "plan is 4 x 2, expected 4 x 3");
}

TEST_F(ProblemCheck, RefusesAPlanWithOtherRowSums) {
  owned_.weights << 0.25, 0.25, 0.25, 0.25;
  Vector other(4);
  other << 0.25, 0.5, 0.125, 0.125;
  const Plan plan = Plan::from_labels(other, Assignment(4, 0), 3);
  expect_error([&] { check(owned_.problem(), plan); },
               "row 1 of the plan sums to 0.5, expected its weight 0.25");
}

class ExtremeScale : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Scales, ExtremeScale, testing::Values(1e-150, 1e-10, 1e10, 1e149));

TEST_P(ExtremeScale, GivesFiniteNumbers) {
  const OwnedProblem owned = random_problem({.rows = 5, .columns = 3, .symmetric_source = false});
  const Structure source = Structure::dense(owned.source.dense() * GetParam());
  const Structure target = Structure::dense(owned.target.dense() * GetParam());
  const Problem problem{.source = source, .weights = owned.weights, .target = target};
  const Plan from = random_plan(owned.weights, 3, PlanStorage::dense, 1);
  const Plan to = random_plan(owned.weights, 3, PlanStorage::labels, 2);
  EXPECT_TRUE(std::isfinite(value(problem, from).total()));
  EXPECT_TRUE(gradient(problem, from).allFinite());
  const Line along = line(problem, from, to);
  EXPECT_TRUE(std::isfinite(along.a) && std::isfinite(along.b));
  EXPECT_GE(along.step(), 0);
  EXPECT_LE(along.step(), 1);
}

}  // namespace
}  // namespace srgw
