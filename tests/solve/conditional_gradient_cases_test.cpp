// SPDX-License-Identifier: MIT
//
// Complete runs of conditional gradient that other programs computed (tests/data/cases.json).
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "srgw/solve.hpp"
#include "support/cases.hpp"
#include "support/random_problem.hpp"
#include "support/vertices.hpp"

namespace srgw {
namespace {

using namespace srgw::test;
using nlohmann::json;

constexpr double trajectory_tolerance = 1e-8;  // of cases.json, for whole trajectories

ConditionalGradient plain_steps(Stopping stopping, double relative, double absolute) {
  return {.tolerance = relative,
          .absolute_tolerance = absolute,
          .stopping = stopping,
          .ties = Ties::share,
          .polish_sweeps = 0};
}

const ConditionalGradient pot_rule = plain_steps(Stopping::change, 1e-9, 1e-9);
const ConditionalGradient authors_rule = plain_steps(Stopping::change_of_former, 1e-5, 0);

Matrix squared_distances(const Matrix& from, const Matrix& to) {
  Matrix result(from.rows(), to.rows());
  for (Index i = 0; i < from.rows(); ++i) {
    for (Index k = 0; k < to.rows(); ++k) {
      result(i, k) = (from.row(i) - to.row(k)).squaredNorm();
    }
  }
  return result;
}

OwnedProblem problem_of(const json& given, Storage storage) {
  const Matrix C = to_matrix(given.at("C"));
  OwnedProblem owned{
      .source = storage == Storage::csr ? Structure::csr(to_csr(C)) : Structure::dense(C),
      .target = Structure::dense(to_matrix(given.at("Cbar"))),
      .weights = to_vector(given.at("h")),
      .cost = {},
      .alpha = {}};
  if (given.contains("features")) {
    owned.cost = squared_distances(to_matrix(given["features"]), to_matrix(given["features_bar"]));
    owned.alpha = given.at("alpha");
  }
  return owned;
}

struct Case {
  const char* name;
  const char* run;  ///< the entry that holds the run; empty: the case itself
  const ConditionalGradient* method;
};

void PrintTo(const Case& given, std::ostream* out) { *out << given.name << ' ' << given.run; }

class ReferenceRun : public testing::TestWithParam<std::tuple<Case, Storage>> {
 protected:
  [[nodiscard]] Solution solution(int max_iterations = 1000) const {
    ConditionalGradient method = *case_.method;
    method.max_iterations = max_iterations;
    return solve(problem_, method, start(), {.threads = 1, .trace = true});
  }
  [[nodiscard]] Plan start() const {
    const json& owner = run_.contains("T0") ? run_ : given_;
    return Plan::from_dense(owned_.weights, to_matrix(owner.at("T0")));
  }
  /// A sequence over the iterations, whole or only its head; empty where the case has none.
  [[nodiscard]] json sequence(const std::string& name) const {
    return run_.value(name, run_.value(name + "_head", json::array()));
  }

  const Case case_ = std::get<0>(GetParam());
  const json& given_ = reference_case(case_.name);
  const json& run_ = *case_.run == '\0' ? given_ : given_.at(case_.run);
  const OwnedProblem owned_ = problem_of(given_, std::get<1>(GetParam()));
  const Problem problem_ = owned_.problem();
};

INSTANTIATE_TEST_SUITE_P(
    Cases, ReferenceRun,
    testing::Combine(testing::Values(Case{"02b_asym_interior_step_and_run", "run", &pot_rule},
                                     Case{"06_cg_sym_run", "authors_rule", &authors_rule},
                                     Case{"06_cg_sym_run", "pot_rule", &pot_rule},
                                     Case{"07_cg_asym_run", "", &pot_rule},
                                     Case{"08_cg_fused_asym_run", "", &pot_rule},
                                     Case{"09_concave_exhaustive_optimum", "cg_from_T0",
                                          &pot_rule}),
                     testing::Values(Storage::dense, Storage::csr)));

TEST_P(ReferenceRun, TakesItsSteps) {
  const Solution found = solution();
  EXPECT_EQ(found.iterations, run_.at("iterations"));
  EXPECT_EQ(found.status, Status::converged);
  ASSERT_EQ(found.trace.size(), static_cast<std::size_t>(found.iterations) + 1);
  const json losses = sequence("loss");
  ASSERT_FALSE(losses.empty());
  for (std::size_t t = 0; t < losses.size(); ++t) {
    EXPECT_NEAR(found.trace[t].value, losses[t], trajectory_tolerance) << "iteration " << t;
  }
  const json steps = sequence("gamma");
  for (std::size_t t = 0; t < steps.size(); ++t) {
    EXPECT_NEAR(found.trace[t + 1].step, steps[t], trajectory_tolerance) << "iteration " << t;
  }
  const json slopes = sequence("b");
  for (std::size_t t = 0; t < slopes.size(); ++t) {
    EXPECT_NEAR(found.trace[t + 1].gap, -slopes[t].get<double>(), trajectory_tolerance)
        << "iteration " << t;
  }
}

TEST_P(ReferenceRun, GoesInItsDirections) {
  const json directions = sequence("sigma");
  for (std::size_t t = 0; t < directions.size(); ++t) {
    const Plan plan = t == 0 ? start() : solution(static_cast<int>(t)).plan;
    const Matrix G = gradient(problem_, plan);
    for (Index i = 0; i < G.rows(); ++i) {
      Index smallest = 0;
      G.row(i).minCoeff(&smallest);
      EXPECT_EQ(smallest, directions[t][static_cast<std::size_t>(i)]) << "iteration " << t;
    }
  }
}

TEST_P(ReferenceRun, EndsAtItsPlan) {
  const Solution found = solution();
  EXPECT_NEAR(found.value, run_.value("final_loss", sequence("loss").back().get<double>()),
              trajectory_tolerance);
  if (run_.contains("lin_loss")) {
    EXPECT_NEAR(found.value_linear, run_["lin_loss"], trajectory_tolerance);
  }
  if (!run_.contains("T")) return;
  const Matrix T = to_matrix(run_["T"]);
  EXPECT_LT((found.plan.dense() - T).cwiseAbs().maxCoeff(), trajectory_tolerance);
  EXPECT_LT((found.target_weights.transpose() - T.colwise().sum()).cwiseAbs().maxCoeff(),
            trajectory_tolerance);
}

TEST(ScaledIdentity, SplitsTwoTrianglesFromATiedStart) {
  const auto& given = reference_case("16_partition_scaled_identity");
  const auto& run = given.at("cg_from_hard_labels");
  const Structure source = Structure::csr(to_csr(to_matrix(given.at("C"))));
  const Structure target = Structure::scaled_identity(3);
  const Vector weights = to_vector(given.at("h"));
  const Problem problem{.source = source, .weights = weights, .target = target};
  const Solution found = solve(problem, pot_rule, vertex(problem, to_labels(run.at("labels0"))),
                               {.threads = 1, .trace = true});
  EXPECT_EQ(found.iterations, run.at("iterations"));
  const auto& losses = run.at("loss_head");
  for (std::size_t t = 0; t < losses.size(); ++t) {
    EXPECT_NEAR(found.trace.at(t).value, losses[t], trajectory_tolerance) << "iteration " << t;
  }
  EXPECT_NEAR(found.value, run.at("final_loss"), trajectory_tolerance);
  EXPECT_EQ(found.plan.labels(), to_labels(run.at("labels")));
}

class ConcaveObjective : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Cases, ConcaveObjective,
                         testing::Values("09_concave_exhaustive_optimum",
                                         "09b_concave_unique_optimum"));

TEST_P(ConcaveObjective, IsSolvedFromTheBestOfAllVerticesAndNeverBelow) {
  const auto& given = reference_case(GetParam());
  const OwnedProblem owned = problem_of(given, Storage::dense);
  const Problem problem = owned.problem();
  Solver solver(pot_rule, {.threads = 1});
  double best = std::numeric_limits<double>::infinity();
  Assignment labels(static_cast<std::size_t>(problem.rows()), 0);
  do {
    best = std::min(best, solver.solve(problem, vertex(problem, labels)).value);
  } while (next_assignment(labels, problem.columns()));
  EXPECT_NEAR(best, given.at("optimal_loss"), trajectory_tolerance);
}

}  // namespace
}  // namespace srgw
