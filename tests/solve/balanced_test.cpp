// SPDX-License-Identifier: MIT
// Problems with given target weights: GW and FGW, by conditional gradient and by mirror descent.
#include <gtest/gtest.h>

#include <numeric>

#include "srgw/plan.hpp"
#include "srgw/solve.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

struct Balanced {
  OwnedProblem owned;
  Vector target_weights;
  Loss loss = Loss::square;

  [[nodiscard]] Problem problem() const {
    Problem problem = owned.problem();
    problem.target_weights.emplace(target_weights);
    problem.loss = loss;
    return problem;
  }
};

Balanced draw(const Recipe& recipe, Loss loss = Loss::square) {
  detail::Random random(recipe.seed, 99);
  Balanced result{.owned = random_problem(recipe),
                  .target_weights = random_weights(recipe.columns, recipe.zero_weights, random),
                  .loss = loss};
  if (loss == Loss::kl) {
    const auto positive = [](const Structure& s) {
      return Structure::dense(s.dense().cwiseAbs().array() + 0.1);
    };
    result.owned.source = positive(result.owned.source);
    result.owned.target = positive(result.owned.target);
  }
  return result;
}

std::vector<Balanced> all_kinds() {
  std::vector<Balanced> result;
  std::uint64_t seed = 0;
  for (const Storage source : all_storages) {
    for (const Storage target : {Storage::dense, Storage::diagonal}) {
      for (const bool symmetric : {true, false}) {
        for (const std::optional<double> alpha : {std::optional<double>{}, {0.0}, {0.4}}) {
          for (const auto& [rows, columns] : {std::pair<Index, Index>{8, 5}, {4, 9}}) {
            const Recipe recipe{.rows = rows,
                                .columns = columns,
                                .source = source,
                                .target = target,
                                .symmetric_source = symmetric,
                                .symmetric_target = symmetric,
                                .alpha = alpha,
                                .zero_weights = seed % 2 == 0,
                                .seed = seed};
            result.push_back(draw(recipe));
            result.push_back(draw(recipe, Loss::kl));
            ++seed;
          }
        }
      }
    }
  }
  return result;
}

TEST(BalancedGradient, PlanValueAndGapFitTogether) {
  for (const Balanced& given : all_kinds()) {
    const Problem problem = given.problem();
    const Solution solution = solve(problem, ConditionalGradient{.max_iterations = 40});
    check(problem, solution.plan);
    EXPECT_LE((solution.target_weights - given.target_weights).cwiseAbs().maxCoeff(), 1e-13);
    const double scale = std::max(1.0, std::abs(solution.value));
    EXPECT_NEAR(solution.value, value(problem, solution.plan).total(), 1e-10 * scale);
    if (given.loss == Loss::square) {
      EXPECT_NEAR(solution.value, brute_force_value(problem, solution.plan.dense()).total(),
                  1e-10 * scale);
    }
    // The gap is <G, T - X> with X the cheapest transport.
    const Matrix G = gradient(problem, solution.plan);
    const double least = transport(G, problem.weights, given.target_weights).cost;
    const double gap = G.cwiseProduct(solution.plan.dense()).sum() - least;
    EXPECT_NEAR(solution.gap, gap, 1e-9 * std::max(1.0, G.cwiseAbs().maxCoeff()));
  }
}

TEST(BalancedGradient, ValuesNeverRise) {
  for (const Balanced& given : all_kinds()) {
    const Solution solution =
        solve(given.problem(), ConditionalGradient{}, Start::random, 1, {.trace = true});
    for (std::size_t i = 1; i < solution.trace.size(); ++i) {
      const double former = solution.trace[i - 1].value;
      EXPECT_LE(solution.trace[i].value, former + 1e-12 * std::max(1.0, std::abs(former)));
    }
  }
}

TEST(BalancedGradient, ReproducesTheWorkedCase) {
  const auto& given = reference_case("19_balanced").at("gw");
  const Structure C = Structure::dense(to_matrix(given["C"]));
  const Structure Cbar = Structure::dense(to_matrix(given["Cbar"]));
  const Vector h = to_vector(given["h"]), hbar = to_vector(given["hbar"]);
  Problem problem{.source = C, .weights = h, .target = Cbar};
  problem.target_weights.emplace(hbar);
  const Solution solution =
      solve(problem,
            ConditionalGradient{
                .tolerance = 1e-9, .absolute_tolerance = 1e-9, .stopping = Stopping::change},
            Start::product, 1, {.trace = true});
  const Vector losses = to_vector(given["losses"]);
  ASSERT_EQ(solution.trace.size(), static_cast<std::size_t>(losses.size()));
  for (Index i = 0; i < losses.size(); ++i) {
    EXPECT_NEAR(solution.trace[static_cast<std::size_t>(i)].value, losses[i], 1e-12);
  }
  EXPECT_LE((solution.plan.dense() - to_matrix(given["T"])).cwiseAbs().maxCoeff(), 1e-12);
}

// Between concave problems of n = m nodes with uniform weights some permutation is best.
TEST(BalancedGradient, FromAllPermutationsFindsTheBestOfThem) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Balanced given = draw({.rows = 5, .columns = 5, .seed = seed});
    given.owned.weights = given.target_weights = Vector::Constant(5, 0.2);
    const Problem problem = given.problem();
    Assignment order(5);
    std::iota(order.begin(), order.end(), NodeId{0});
    double best = std::numeric_limits<double>::infinity(), found = best;
    do {
      const Plan plan = Plan::from_labels(given.owned.weights, order, 5);
      best = std::min(best, value(problem, plan).total());
      found = std::min(found, solve(problem, ConditionalGradient{}, plan).value);
    } while (std::ranges::next_permutation(order).found);
    EXPECT_LE(found, best + 1e-12);
  }
}

TEST(BalancedGradient, ThreadsDoNotShow) {
  const Balanced given = draw({.rows = 1500, .columns = 12, .alpha = 0.5, .seed = 4});
  const auto run = [&](int threads) {
    return solve(given.problem(), ConditionalGradient{.max_iterations = 5}, Start::product, 1,
                 {.threads = threads});
  };
  const Solution one = run(1), four = run(4);
  EXPECT_EQ(one.value, four.value);
  EXPECT_EQ(one.plan.dense(), four.plan.dense());
}

TEST(BalancedGradient, AKeptSolverRemembersNothing) {
  Solver solver;
  const std::vector<Balanced> kinds = all_kinds();
  for (const Balanced& given : kinds) (void)solver.solve(given.problem());
  for (const Balanced& given : kinds) {
    EXPECT_EQ(solver.solve(given.problem()).value, Solver().solve(given.problem()).value);
  }
}

TEST(BalancedGradient, SemiRelaxedFromItsPlanIsNotAboveIt) {
  for (const Balanced& given : all_kinds()) {
    const Solution balanced = solve(given.problem());
    Problem relaxed = given.problem();
    relaxed.target_weights.reset();
    const Solution solution = solve(relaxed, ConditionalGradient{}, balanced.plan);
    EXPECT_LE(solution.value, balanced.value + 1e-10 * std::max(1.0, std::abs(balanced.value)));
  }
}

TEST(BalancedMirror, EveryEpsilonGivesAFeasiblePlanAndItsValue) {
  for (const Balanced& given : all_kinds()) {
    for (const double epsilon : {1e-6, 1e-2, 10.0}) {
      for (const bool entropic : {false, true}) {
        Problem problem = given.problem();
        if (entropic) problem.entropy = epsilon;
        const Solution solution = solve(
            problem,
            MirrorDescent{.epsilon = epsilon, .max_iterations = 10, .scaling_iterations = 50});
        check(problem, solution.plan);
        EXPECT_LE((solution.target_weights - given.target_weights).cwiseAbs().maxCoeff(), 1e-13);
        EXPECT_NEAR(solution.value, value(problem, solution.plan).total(),
                    1e-9 * std::max(1.0, std::abs(solution.value)));
        EXPECT_TRUE(std::isfinite(solution.gap));
      }
    }
  }
}

// T_ik = exp((f_i + g_k - G_ik) / epsilon) at a solution of the entropic problem.
TEST(BalancedMirror, EntropicSolutionsAreStationary) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Balanced given = draw({.rows = 9, .columns = 6, .alpha = 0.5, .seed = seed});
    Problem problem = given.problem();
    problem.entropy = 2;
    const Solution solution =
        solve(problem, MirrorDescent{.tolerance = 1e-13, .scaling_tolerance = 1e-14});
    const Matrix log_T = solution.plan.dense().array().log();
    Matrix residual = gradient(problem, solution.plan) / problem.entropy + log_T;
    residual.colwise() -= residual.rowwise().mean().eval();
    residual.rowwise() -= residual.colwise().mean().eval();
    EXPECT_LE(residual.cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(BalancedMirror, AlternatingNeedsTargetWeights) {
  const OwnedProblem owned = random_problem({});
  expect_error([&] { return solve(owned.problem(), MirrorDescent{.alternating = true}); },
               "alternating scaling needs target weights; semi-relaxed problems scale rows only");
}

TEST(BalancedProblem, RefusesWhatMakesNoSense) {
  const Balanced given = draw({.rows = 4, .columns = 3});
  const auto refuses = [&](const Vector& weights, const char* text) {
    Problem problem = given.problem();
    problem.target_weights.emplace(weights);
    expect_error([&] { return solve(problem); }, text);
  };
  refuses(Vector::Constant(2, 0.5),
          "target weights has 2 entries, expected 3, one for each target node");
  refuses(Vector::Constant(3, 0.5), "target weights sum to 1.5, expected 1");
  Vector negative(3);
  negative << 0.5, -0.5, 1;
  refuses(negative, "target weights[1] is -0.5, expected a finite number >= 0");
  Problem sparse = given.problem();
  sparse.sparsity = 0.1;
  expect_error([&] { return solve(sparse); },
               "sparsity is 0.1 with target weights given, expected 0: it chooses target weights");
  const Plan product = Plan::from_product(given.owned.weights, Vector::Constant(3, 1.0 / 3));
  EXPECT_THROW((void)solve(given.problem(), ConditionalGradient{}, product), Error);
}

}  // namespace
}  // namespace srgw
