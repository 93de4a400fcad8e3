// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/solve.hpp"
#include "srgw/transform.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;
using nlohmann::json;

// --- Runs that other programs computed (case 11)
// --------------------------------------------------

const json& given() { return reference_case("11_mirror_descent"); }

OwnedProblem problem_from(const json& matrices, const json& features = {}) {
  OwnedProblem owned{.source = Structure::dense(to_matrix(matrices.at("C"))),
                     .target = Structure::dense(to_matrix(matrices.at("Cbar"))),
                     .weights = to_vector(given().at("h")),
                     .cost = {},
                     .alpha = {}};
  if (!features.is_null()) {
    const Matrix from = to_matrix(features.at("features"));
    const Matrix to = to_matrix(features.at("features_bar"));
    owned.cost.resize(from.rows(), to.rows());
    for (Index i = 0; i < from.rows(); ++i) {
      for (Index k = 0; k < to.rows(); ++k) {
        owned.cost(i, k) = (from.row(i) - to.row(k)).squaredNorm();
      }
    }
    owned.alpha = features.at("alpha");
  }
  return owned;
}

Solution steps(const OwnedProblem& owned, int count, double epsilon) {
  const Plan start = Plan::from_dense(owned.weights, to_matrix(given().at("T0")));
  return solve(owned.problem(), MirrorDescent{.epsilon = epsilon, .max_iterations = count}, start,
               {.trace = true});
}

void expect_plan(const Solution& solution, const json& expected) {
  EXPECT_LT((solution.plan.dense() - to_matrix(expected)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(MirrorDescentCase, MakesTheReferenceSteps) {
  const OwnedProblem owned = problem_from(given());
  const json& sym = given().at("sym");
  for (const int count : {1, 2, 3}) {
    const Solution solution = steps(owned, count, given().at("eps"));
    expect_plan(solution, sym.at("T" + std::to_string(count)));
    EXPECT_NEAR(solution.value, sym.at("losses")[static_cast<std::size_t>(count)].get<double>(),
                1e-12);
    EXPECT_EQ(solution.iterations, count);
    EXPECT_EQ(solution.status, Status::iteration_limit);
  }
}

TEST(MirrorDescentCase, MakesTheReferenceStepsOfAnAsymmetricPair) {
  const OwnedProblem owned = problem_from(given().at("asym"));
  expect_plan(steps(owned, 1, given().at("eps")), given().at("asym").at("T1"));
  expect_plan(steps(owned, 2, given().at("eps")), given().at("asym").at("T2"));
}

TEST(MirrorDescentCase, MakesTheReferenceStepOfAFusedProblem) {
  const json& fused = given().at("fused_sym");
  const Solution solution = steps(problem_from(given(), fused), 1, given().at("eps"));
  expect_plan(solution, fused.at("T1"));
  EXPECT_NEAR(solution.value, fused.at("loss_T1").get<double>(), 1e-12);
}

TEST(MirrorDescentCase, StaysFiniteWhereNaiveExponentialsUnderflow) {
  const json& tiny = given().at("tiny_eps");
  expect_plan(steps(problem_from(given()), 1, tiny.at("eps")), tiny.at("T1"));
}

TEST(MirrorDescentCase, StopsByTheRuleOfTheAuthors) {
  const json& run = given().at("sym").at("run_tol_1e5");
  const OwnedProblem owned = problem_from(given());
  const Plan start = Plan::from_dense(owned.weights, to_matrix(given().at("T0")));
  const Solution solution = solve(
      owned.problem(),
      MirrorDescent{.epsilon = given().at("eps"), .tolerance = 0, .value_tolerance = 1e-5}, start);
  EXPECT_EQ(solution.iterations, run.at("iterations").get<int>());
  EXPECT_NEAR(solution.value, run.at("final_loss").get<double>(), 1e-10);
  EXPECT_EQ(solution.status, Status::converged);
}

TEST(MirrorDescentCase, FindsTheFixedPointOfTheEntropicProblem) {
  const json& fixed = given().at("true_entropic_fixed_point");
  const OwnedProblem owned = problem_from(given());
  Problem problem = owned.problem();
  problem.entropy = fixed.at("eps");
  const Plan start = Plan::from_dense(owned.weights, to_matrix(given().at("T0")));
  const Solution solution = solve(problem, MirrorDescent{.tolerance = 1e-14}, start);
  expect_plan(solution, fixed.at("T"));
  EXPECT_NEAR(solution.value_quad, fixed.at("loss").get<double>(), 1e-10);
  EXPECT_NEAR(solution.value, fixed.at("regularised").get<double>(), 1e-10);
  EXPECT_NEAR(solution.value, value(problem, solution.plan).total(), 1e-12);
}

// --- Every weight, every scale
// ----------------------------------------------------------------------

struct StepScales {
  double epsilon, scale;
  bool entropic;
};
void PrintTo(const StepScales& s, std::ostream* out) {
  *out << "epsilon " << s.epsilon << ", scale " << s.scale << (s.entropic ? ", entropic" : "");
}

std::vector<StepScales> all_scales() {
  std::vector<StepScales> result;
  for (const double epsilon : {1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    for (const double scale : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
      for (const bool entropic : {false, true}) result.push_back({epsilon, scale, entropic});
    }
  }
  return result;
}

class EveryScale : public testing::TestWithParam<StepScales> {};
INSTANTIATE_TEST_SUITE_P(Scales, EveryScale, testing::ValuesIn(all_scales()));

TEST_P(EveryScale, GivesAFinitePlanThatIsNotWorseThanTheStart) {
  const auto [epsilon, scale, entropic] = GetParam();
  for (const bool symmetric : {true, false}) {
    OwnedProblem owned = random_problem({.rows = 25,
                                         .columns = 6,
                                         .source = Storage::csr,
                                         .symmetric_source = symmetric,
                                         .symmetric_target = symmetric,
                                         .alpha = 0.6,
                                         .zero_weights = true,
                                         .seed = 3});
    owned.source = Structure::dense(scale * owned.source.dense());
    owned.target = Structure::dense(scale * owned.target.dense());
    owned.cost *= scale * scale;
    Problem problem = owned.problem();
    if (entropic) problem.entropy = epsilon;
    const Plan start = random_plan(owned.weights, 6, PlanStorage::dense, 1);
    const Solution solution =
        solve(problem, MirrorDescent{.epsilon = epsilon, .max_iterations = 60}, start);
    const Matrix T = solution.plan.dense();
    ASSERT_TRUE(T.allFinite());
    EXPECT_GE(T.minCoeff(), 0);
    EXPECT_LT((T.rowwise().sum() - owned.weights).cwiseAbs().maxCoeff(), 1e-12);
    const double before = value(problem, start).total();
    EXPECT_TRUE(std::isfinite(solution.value));
    EXPECT_LE(solution.value, before + 1e-10 * std::abs(before));
    EXPECT_GE(solution.gap, 0);
  }
}

// --- What softness is for
// ---------------------------------------------------------------------------

/// The modularity structure of a planted graph onto the identity; owns what the problem looks at.
struct Planted {
  Planted(Index nodes, Index blocks)
      : graph(generate(PlantedPartition{.nodes = nodes, .blocks = blocks, .mean_degree = 20}, 1)),
        target(Structure::scaled_identity(blocks)) {}
  PlantedGraph graph;
  Source source = modularity(graph.graph);
  Structure target;
  Problem problem{.source = source.structure, .weights = source.weights, .target = target};
};

TEST(MirrorDescent, SoftensAHardStartAndSaysSo) {
  const Planted planted(400, 4);
  const Problem& problem = planted.problem;
  const Solution solution =
      solve(problem, MirrorDescent{.epsilon = 0.02}, Start::random_labels, 4, {.seed = 2});
  EXPECT_TRUE(solution.softened_start);
  EXPECT_GT(metrics::adjusted_rand_index(planted.graph.blocks, solution.plan.labels()), 0.8);
  const Solution soft = solve(problem, MirrorDescent{}, Start::random);
  EXPECT_FALSE(soft.softened_start);
}

TEST(MirrorDescent, LeavesAProductStartThatOnlySymmetryHolds) {
  const Planted planted(200, 3);
  const Problem& problem = planted.problem;
  const MirrorDescent method{.epsilon = 0.02};
  EXPECT_TRUE(solve(problem, method, Start::product).left_symmetric_start);
  EXPECT_FALSE(solve(problem, method, Start::product_literal).left_symmetric_start);
}

TEST(MirrorDescent, TakesEpsilonInUnitsOfTheGradient) {
  OwnedProblem owned = random_problem({.rows = 20, .columns = 4, .seed = 5});
  const Plan start = random_plan(owned.weights, 4, PlanStorage::product, 1);
  const MirrorDescent method{.epsilon = 0.05, .relative = true, .max_iterations = 20};
  const Matrix plan = solve(owned.problem(), method, start).plan.dense();
  // A power of two, so that the scaled problem makes the same roundings.
  owned.source = Structure::dense(1024 * owned.source.dense());
  owned.target = Structure::dense(1024 * owned.target.dense());
  EXPECT_LT((plan - solve(owned.problem(), method, start).plan.dense()).cwiseAbs().maxCoeff(),
            1e-12);
}

TEST(MirrorDescent, TestsTheToleranceAfterTheFirstOfSoManySteps) {
  const OwnedProblem owned = random_problem({.rows = 20, .columns = 4, .seed = 5});
  const Plan start = random_plan(owned.weights, 4, PlanStorage::dense, 1);
  MirrorDescent method{.epsilon = 2, .max_iterations = 2000, .tolerance = 1e-4};
  const int steps = solve(owned.problem(), method, start).iterations;
  method.test_interval = 10;
  const Solution solution = solve(owned.problem(), method, start, {.trace = true});
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_EQ(solution.iterations % 10, 1);
  EXPECT_GE(solution.iterations, steps);
  EXPECT_LT(solution.iterations, steps + 10);
  EXPECT_EQ(solution.trace.front().change, 0);
  EXPECT_LE(solution.trace.back().change, 1e-4);
  EXPECT_GT(solution.trace[static_cast<std::size_t>(steps) - 1].change, 1e-4);
}

TEST(MirrorDescent, AnnealsAlongAPath) {
  double plain = 0;
  double annealed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const OwnedProblem owned = random_problem({.rows = 30, .columns = 6, .seed = seed});
    const Plan start = random_plan(owned.weights, 6, PlanStorage::dense, seed);
    plain += solve(owned.problem(), MirrorDescent{.epsilon = 1e-3}, start).value;
    annealed +=
        solve(owned.problem(),
              MirrorDescent{.epsilon = 1e-3, .anneal_from = 10, .anneal_iterations = 100}, start)
            .value;
  }
  EXPECT_LT(annealed, plain);
}

TEST(MirrorDescent, MoreEntropyGivesSofterPlans) {
  const OwnedProblem owned = random_problem({.rows = 20, .columns = 4, .seed = 1});
  const Plan start = random_plan(owned.weights, 4, PlanStorage::product, 1);
  double sharpest = 0;
  for (const double entropy : {100.0, 10.0, 1.0, 0.1}) {
    Problem problem = owned.problem();
    problem.entropy = entropy;
    const double largest = solve(problem, MirrorDescent{}, start).plan.dense().maxCoeff();
    EXPECT_GT(largest, sharpest);
    sharpest = largest;
  }
}

TEST(MirrorDescent, RefusesWhatMakesNoSense) {
  const OwnedProblem owned = random_problem({.rows = 6, .columns = 3});
  expect_error(
      [&] { return Solver(MirrorDescent{.epsilon = 0}); },
      "epsilon is 0, expected a number above 0: the exact problem is for conditional gradient");
  expect_error([&] { return Solver(MirrorDescent{.epsilon = -1}); },
               "epsilon is -1, expected a number from 1e-300 to 1e+300");
  expect_error([&] { return Solver(MirrorDescent{.epsilon = std::nan("")}); },
               "epsilon is nan, expected a number from 1e-300 to 1e+300");
  Problem problem = owned.problem();
  problem.entropy = 0.5;
  expect_error([&] { return solve(problem); },
               "entropy is 0.5, but conditional gradient solves problems without entropy; use "
               "mirror descent");
  problem.entropy = -1;
  expect_error([&] { return solve(problem, MirrorDescent{}); },
               "entropy is -1, expected a number from 0 to 1e+300");
}

}  // namespace
}  // namespace srgw
