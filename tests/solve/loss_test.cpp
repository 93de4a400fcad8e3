// SPDX-License-Identifier: MIT
//
// The KL loss, and the derivatives of the value in what a problem is made of.
#include <gtest/gtest.h>

#include <cmath>

#include "srgw/solve.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;
using nlohmann::json;

struct KlCase : testing::Test {
  const json& given = reference_case("15_kl_loss");
  const Structure source = Structure::dense(to_matrix(given.at("C")));
  const Structure target = Structure::dense(to_matrix(given.at("Cbar")));
  const Vector weights = to_vector(given.at("h"));
  const Problem problem{.source = source, .weights = weights, .target = target, .loss = Loss::kl};
  const Plan start = Plan::from_dense(weights, to_matrix(given.at("T0")));
};

TEST_F(KlCase, HasTheReferenceValueGradientAndLine) {
  EXPECT_NEAR(value(problem, start).total(), given.at("loss").get<double>(), 1e-12);
  const Matrix expected = to_matrix(given.at("gradient"));
  EXPECT_LT((gradient(problem, start) - expected).cwiseAbs().maxCoeff(), 1e-10);
  const Plan to = Plan::from_labels(weights, to_labels(given.at("X_argmin")), 2);
  const Line path = line(problem, start, to);
  EXPECT_NEAR(path.a, given.at("a").get<double>(), 1e-12);
  EXPECT_NEAR(path.b, given.at("b").get<double>(), 1e-12);
  EXPECT_NEAR(path.step(), given.at("gamma").get<double>(), 1e-10);
}

TEST_F(KlCase, MakesTheReferenceRun) {
  const json& run = given.at("cg_pot_rule");
  const Solution solution = solve(problem,
                                  ConditionalGradient{.max_iterations = 10000,
                                                      .tolerance = 1e-9,
                                                      .absolute_tolerance = 1e-9,
                                                      .stopping = Stopping::change,
                                                      .polish_sweeps = 0},
                                  start, {.trace = true});
  for (std::size_t t = 0; t < run.at("loss_head").size(); ++t) {
    EXPECT_NEAR(solution.trace[t].value, run.at("loss_head")[t].get<double>(), 1e-8) << t;
  }
  EXPECT_NEAR(solution.value, run.at("final_loss").get<double>(), 1e-7);
  // Row coordinate descent ends the tail early, and not higher.
  EXPECT_LE(solve(problem, ConditionalGradient{.tolerance = 1e-9}, start).value,
            solution.value + 1e-9);
}

TEST_F(KlCase, HasTheReferenceDerivatives) {
  const Derivatives d = derivatives(problem, start);
  EXPECT_LT((d.source - to_matrix(given.at("dE_dC"))).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((d.target - to_matrix(given.at("dE_dCbar"))).cwiseAbs().maxCoeff(), 1e-10);
}

// --- Random problems against the four-fold sum and finite differences
// ----------------------------------

OwnedProblem positive_problem(std::uint64_t seed, bool symmetric, Storage storage) {
  OwnedProblem owned = random_problem({.rows = 7,
                                       .columns = 4,
                                       .source = storage,
                                       .symmetric_source = symmetric,
                                       .symmetric_target = symmetric,
                                       .alpha = 0.3,
                                       .seed = seed});
  const Matrix C = owned.source.dense().cwiseAbs();
  owned.source = storage == Storage::dense ? Structure::dense(C) : Structure::csr(to_csr(C));
  owned.target = Structure::dense(owned.target.dense().cwiseAbs().array() + 0.1);
  return owned;
}

double kl_four_fold(const Matrix& C, const Matrix& Cbar, const Matrix& T) {
  double sum = 0;
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < C.rows(); ++j) {
      for (Index k = 0; k < Cbar.rows(); ++k) {
        for (Index l = 0; l < Cbar.rows(); ++l) {
          const double a = C(i, j);
          const double b = Cbar(k, l);
          sum += ((a > 0 ? a * std::log(a / b) : 0.0) - a + b) * T(i, k) * T(j, l);
        }
      }
    }
  }
  return sum;
}

class EveryKl : public testing::TestWithParam<std::tuple<bool, Storage>> {
 protected:
  OwnedProblem owned_ = positive_problem(4, std::get<0>(GetParam()), std::get<1>(GetParam()));
  [[nodiscard]] Problem problem() const {
    Problem result = owned_.problem();
    result.loss = Loss::kl;
    return result;
  }
  const Plan plan_ = random_plan(owned_.weights, 4, PlanStorage::dense, 2);
};
INSTANTIATE_TEST_SUITE_P(Kinds, EveryKl,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Storage::dense, Storage::csr)));

TEST_P(EveryKl, ValueIsTheFourFoldSum) {
  const Matrix T = plan_.dense();
  const double expected = 0.3 * kl_four_fold(owned_.source.dense(), owned_.target.dense(), T) +
                          0.7 * owned_.cost.cwiseProduct(T).sum();
  EXPECT_NEAR(value(problem(), plan_).total(), expected, 1e-12);
}

TEST_P(EveryKl, MethodsReportValueAndGapOfTheirPlans) {
  for (const Method& method :
       {Method(ConditionalGradient{}), Method(MirrorDescent{.epsilon = 0.1})}) {
    const Solution solution = solve(problem(), method, plan_);
    EXPECT_NEAR(solution.value, value(problem(), solution.plan).total(), 1e-11);
    EXPECT_LE(solution.value, value(problem(), plan_).total() + 1e-12);
    const Matrix G = gradient(problem(), solution.plan);
    const double gap =
        G.cwiseProduct(solution.plan.dense()).sum() - G.rowwise().minCoeff().dot(owned_.weights);
    EXPECT_NEAR(solution.gap, gap, 1e-10);
  }
}

class EveryDerivative : public testing::TestWithParam<std::tuple<Loss, bool>> {};
INSTANTIATE_TEST_SUITE_P(Losses, EveryDerivative,
                         testing::Combine(testing::Values(Loss::square, Loss::kl),
                                          testing::Bool()));

TEST_P(EveryDerivative, AgreesWithFiniteDifferences) {
  const auto [loss, symmetric] = GetParam();
  OwnedProblem owned = positive_problem(9, symmetric, Storage::dense);
  const Matrix C = owned.source.dense().array() + 0.2;  // no logarithm of 0 nearby
  owned.source = Structure::dense(C);
  const Plan plan = random_plan(owned.weights, 4, PlanStorage::dense, 2);
  const auto total = [&, loss = loss] {
    Problem problem = owned.problem();
    problem.loss = loss;
    return value(problem, plan).total();
  };
  Problem problem = owned.problem();
  problem.loss = loss;
  const Derivatives d = derivatives(problem, plan);
  constexpr double step = 1e-5;
  const auto difference = [&](const auto& put) {
    put(step);
    const double above = total();
    put(-step);
    const double below = total();
    put(0);
    return (above - below) / (2 * step);
  };
  const Matrix Cbar = owned.target.dense();
  const Matrix M = owned.cost;
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      const double in_source = difference([&](double x) {
        Matrix moved = C;
        moved(i, j) += x;
        owned.source = Structure::dense(moved);
      });
      EXPECT_NEAR(d.source(i, j), in_source, 1e-8);
      const double in_target = difference([&](double x) {
        Matrix moved = Cbar;
        moved(i, j) += x;
        owned.target = Structure::dense(moved);
      });
      EXPECT_NEAR(d.target(i, j), in_target, 1e-8);
      const double in_cost = difference([&](double x) { owned.cost(i, j) = M(i, j) + x; });
      EXPECT_NEAR(d.cost(i, j), in_cost, 1e-8);
    }
  }
  EXPECT_NEAR(d.alpha, difference([&](double x) { owned.alpha = 0.3 + x; }), 1e-8);
}

TEST(KlLoss, RefusesNegativeEntries) {
  const Structure source = Structure::dense(Matrix{{1, -2}, {3, 4}});
  const Structure target = Structure::scaled_identity(2);
  const Vector weights = Vector::Constant(2, 0.5);
  expect_error(
      [&] {
        return solve({.source = source, .weights = weights, .target = target, .loss = Loss::kl});
      },
      "source(0, 1) is -2, expected entries >= 0 for the KL loss");
}

}  // namespace
}  // namespace srgw
