// SPDX-License-Identifier: MIT
#include "srgw/problem.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "support/arbitrary.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/vertices.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

constexpr double tolerance = 1e-10;  // of cases.json

double largest_difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

OwnedProblem problem_of(const nlohmann::json& json) {
  OwnedProblem owned{.source = Structure::dense(to_matrix(json.at("C"))),
                     .target = Structure::dense(to_matrix(json.at("Cbar"))),
                     .weights = to_vector(json.at("h")),
                     .cost = {},
                     .alpha = {}};
  if (json.contains("M")) {
    owned.cost = to_matrix(json.at("M"));
    owned.alpha = json.at("alpha");
  }
  return owned;
}

/// One conditional-gradient step of cases.json: T0, its value and gradient, X, the line, T1.
class ReferenceStep : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] Plan plan(const char* name) const {
    return Plan::from_dense(owned_.weights, to_matrix(json_.at(name)));
  }
  [[nodiscard]] Plan vertex() const {
    return Plan::from_labels(owned_.weights, to_labels(json_.at("X_argmin")), problem_.columns());
  }
  void expect_number(double found, const char* name) const {
    const double expected = json_.at(name);
    EXPECT_NEAR(found, expected, tolerance * std::abs(expected)) << name;
  }

  const nlohmann::json& json_ = reference_case(GetParam());
  OwnedProblem owned_ = problem_of(json_);
  Problem problem_ = owned_.problem();
};

INSTANTIATE_TEST_SUITE_P(Cases, ReferenceStep,
                         testing::Values("01_sym_value_gradient_step",
                                         "02_asym_value_gradient_step",
                                         "02b_asym_interior_step_and_run", "03a_fused_sym",
                                         "03b_fused_asym"));

TEST_P(ReferenceStep, HasItsValueInParts) {
  const Value found = value(problem_, plan("T0"));
  expect_number(found.total(), "loss");
  if (json_.contains("lin_loss")) {
    expect_number(found.linear, "lin_loss");
    expect_number(found.quad, "quad_loss");
  }
}

TEST_P(ReferenceStep, HasItsGradient) {
  const Matrix found = gradient(problem_, plan("T0"));
  EXPECT_LT(largest_difference(found, to_matrix(json_.at("gradient"))), tolerance);
}

TEST_P(ReferenceStep, GoesWhereTheGradientIsSmallest) {
  const Matrix G = gradient(problem_, plan("T0"));
  const Assignment expected = vertex().labels();
  for (Index i = 0; i < G.rows(); ++i) {
    Index smallest = 0;
    G.row(i).minCoeff(&smallest);
    EXPECT_EQ(smallest, expected[static_cast<std::size_t>(i)]);
  }
}

TEST_P(ReferenceStep, HasItsLineAndStep) {
  const Line found = line(problem_, plan("T0"), vertex());
  expect_number(found.a, "a");
  expect_number(found.b, "b");
  expect_number(found.step(), "gamma");
}

TEST_P(ReferenceStep, EndsAtItsNextPlan) {
  const Plan start = plan("T0");
  const double gamma = line(problem_, start, vertex()).step();
  const Matrix next = (1 - gamma) * start.dense() + gamma * vertex().dense();
  EXPECT_LT(largest_difference(next, to_matrix(json_.at("T1"))), tolerance);
  if (json_.contains("loss_T1")) expect_number(value(problem_, plan("T1")).total(), "loss_T1");
}

TEST(ProductStart, IsStationaryOnTheIdentity) {
  const auto& json = reference_case("04_product_init_identity_is_stationary");
  const OwnedProblem owned = problem_of(json);
  const Plan product = Plan::from_product(owned.weights, Vector::Constant(3, 1. / 3));
  EXPECT_LT(largest_difference(product.dense(), to_matrix(json.at("T0"))), tolerance);
  EXPECT_NEAR(value(owned.problem(), product).total(), json.at("loss"), tolerance);
  const Matrix expected = to_vector(json.at("gradient_row_values")) * Vector::Ones(3).transpose();
  EXPECT_LT(largest_difference(gradient(owned.problem(), product), expected), tolerance);
  const Line to_itself = line(owned.problem(), product, product);
  EXPECT_EQ(to_itself.a, 0);
  EXPECT_EQ(to_itself.b, 0);
  EXPECT_EQ(to_itself.step(), 0);
}

TEST(ProductStart, GainsNothingTowardsTheFirstColumn) {
  const auto& json = reference_case("04_product_init_identity_is_stationary");
  const OwnedProblem owned = problem_of(json);
  const Plan product = Plan::from_product(owned.weights, Vector::Constant(3, 1. / 3));
  const Plan first = Plan::from_labels(owned.weights, Assignment(6, 0), 3);
  EXPECT_NEAR(value(owned.problem(), first).total(), json.at("loss_if_all_mass_on_first"),
              tolerance);
  const Line found = line(owned.problem(), product, first);
  EXPECT_NEAR(found.a, json.at("first_index_ties").at("a"), tolerance);
  EXPECT_NEAR(found.b, 0, 1e-15);
  EXPECT_NEAR(found.step(), 0, 1e-14);
}

TEST(Line, StepsByTheSignsOfItsCoefficients) {
  for (const auto& json : reference_case("05_line_search_sign_cases").at("cases")) {
    const Line line{.a = json.at("a"), .b = json.at("b")};
    EXPECT_EQ(line.step(), json.at("gamma").get<double>()) << json;
  }
}

RC_GTEST_PROP(Line, StepIsTheBestPointOfAGrid, (int a, int b)) {
  const Line line{.a = a / 16.0, .b = b / 16.0};
  const auto change = [&](double gamma) { return (line.a * gamma + line.b) * gamma; };
  const double step = line.step();
  RC_ASSERT(step >= 0 && step <= 1);
  for (int i = 0; i <= 100; ++i) RC_ASSERT(change(step) <= change(i / 100.0) + 1e-9);
}

TEST(Line, StepSurvivesExtremeCoefficients) {
  constexpr double huge = std::numeric_limits<double>::max();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ((Line{.a = tiny, .b = -huge}.step()), 1);
  EXPECT_EQ((Line{.a = huge, .b = -huge}.step()), 0.5);
  EXPECT_EQ((Line{.a = -huge, .b = -huge}.step()), 1);
  EXPECT_EQ((Line{.a = huge, .b = -tiny}.step()), 0);
}

class ConcaveProblem : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Cases, ConcaveProblem,
                         testing::Values("09_concave_exhaustive_optimum",
                                         "09b_concave_unique_optimum"));

TEST_P(ConcaveProblem, HasItsBestVertices) {
  const auto& json = reference_case(GetParam());
  const OwnedProblem owned = problem_of(json);
  const auto at = [&](const char* labels) {
    return value(owned.problem(), vertex(owned.problem(), to_labels(json.at(labels)))).total();
  };
  EXPECT_NEAR(at("optimal_assignment"), json.at("optimal_loss"), tolerance);
  EXPECT_NEAR(at("second_best_assignment"), json.at("second_best_loss"), tolerance);
  const std::vector<double> all = sorted_vertex_values(owned.problem());
  EXPECT_NEAR(all[0], json.at("optimal_loss"), tolerance);
  EXPECT_NEAR(all[1], json.at("second_best_loss"), tolerance);
}

TEST(ZeroCondition, HoldsForARestrictionOfTheTarget) {
  const auto& json = reference_case("10_zero_condition");
  const OwnedProblem owned = problem_of(json);
  const Problem problem = owned.problem();
  EXPECT_NEAR(value(problem, vertex(problem, to_labels(json.at("pi")))).total(), 0, 1e-14);
  const std::vector<double> all = sorted_vertex_values(problem);
  for (std::size_t rank = 0; rank < json.at("smallest_vertex_losses").size(); ++rank) {
    const auto& expected = json.at("smallest_vertex_losses")[rank];
    EXPECT_NEAR(all[rank], expected.at("loss"), tolerance);
    EXPECT_NEAR(value(problem, vertex(problem, to_labels(expected.at("assignment")))).total(),
                expected.at("loss"), tolerance);
  }
}

TEST(ZeroCondition, FailsInTheOtherDirection) {
  const auto& json = reference_case("10_zero_condition");
  const OwnedProblem owned = problem_of(json);
  const Vector uniform = Vector::Constant(owned.target.size(), 1. / 5);
  const Problem reverse{.source = owned.target, .weights = uniform, .target = owned.source};
  EXPECT_NEAR(sorted_vertex_values(reverse)[0], json.at("reverse_best_vertex").at("loss"),
              tolerance);
}

TEST(ZeroCondition, NeedsNoInjectionWhenMatricesAreNoDistances) {
  const auto& json = reference_case("10_zero_condition").at("non_metric_counterexample");
  const OwnedProblem owned = problem_of(json);
  EXPECT_EQ(value(owned.problem(), vertex(owned.problem(), {0, 0, 0})).total(), 0);
}

TEST(ScaledIdentity, HasTheValuesOfTwoTriangles) {
  const auto& json = reference_case("16_partition_scaled_identity");
  const Structure source = Structure::csr(to_csr(to_matrix(json.at("C"))));
  const Vector weights = to_vector(json.at("h"));
  EXPECT_NEAR(source.square_form(weights), json.at("kappa"), tolerance);
  for (const auto& expected : json.at("values")) {
    const Structure target = Structure::scaled_identity(3, expected.at("c"));
    const Problem problem{.source = source, .weights = weights, .target = target};
    EXPECT_NEAR(value(problem, vertex(problem, to_labels(json.at("labels")))).total(),
                expected.at("loss_two_triangles"), tolerance);
    EXPECT_NEAR(sorted_vertex_values(problem)[0], expected.at("best_vertex_loss"), tolerance);
  }
}

RC_GTEST_PROP(Problem, AgreesWithItsDefinition, (const Recipe& recipe, PlanStorage storage)) {
  const OwnedProblem owned = random_problem(recipe);
  const Problem problem = owned.problem();
  const Plan from = random_plan(owned.weights, recipe.columns, storage, recipe.seed);
  const Plan to = random_plan(owned.weights, recipe.columns, PlanStorage::labels, recipe.seed + 1);
  const Matrix T = from.dense();
  const Value expected = brute_force_value(problem, T);
  const Value found = value(problem, from);
  RC_ASSERT(std::abs(found.quad - expected.quad) < tolerance);
  RC_ASSERT(std::abs(found.linear - expected.linear) < tolerance);
  RC_ASSERT(largest_difference(gradient(problem, from), brute_force_gradient(problem, T)) < 1e-9);
  const Line along = line(problem, from, to), by_values = brute_force_line(problem, T, to.dense());
  RC_ASSERT(std::abs(along.a - by_values.a) < tolerance);
  RC_ASSERT(std::abs(along.b - by_values.b) < tolerance);
}

RC_GTEST_PROP(Problem, HasHalfTheGradientAsQuadraticPart, (const Recipe& recipe)) {
  const OwnedProblem owned = random_problem(recipe);
  const Problem problem = owned.problem();
  const Plan plan = random_plan(owned.weights, recipe.columns, PlanStorage::dense, recipe.seed);
  const Value found = value(problem, plan);
  const double along = gradient(problem, plan).cwiseProduct(plan.dense()).sum();
  RC_ASSERT(std::abs(2 * found.quad + found.linear - along) < tolerance);
}

RC_GTEST_PROP(Problem, HasTheGradientAsSlopeOfALine, (const Recipe& recipe)) {
  const OwnedProblem owned = random_problem(recipe);
  const Problem problem = owned.problem();
  const Plan from = random_plan(owned.weights, recipe.columns, PlanStorage::dense, recipe.seed);
  const Plan to = random_plan(owned.weights, recipe.columns, PlanStorage::dense, recipe.seed + 1);
  const double slope = gradient(problem, from).cwiseProduct(to.dense() - from.dense()).sum();
  RC_ASSERT(std::abs(line(problem, from, to).b - slope) < tolerance);
}

TEST(Problem, KeepsTheTemporariesItIsMadeFrom) {
  const Matrix C = Matrix::Random(6, 6);
  std::vector<Problem> problems;
  for (Index m = 2; m < 5; ++m) {
    problems.push_back({Structure::dense(C), Vector::Constant(6, 1.0 / 6),
                        Structure::scaled_identity(m), Vector::Constant(m, 1.0) / double(m),
                        FusedTerm{Matrix::Ones(6, m) * 2}});
  }
  problems.front() = problems.back();
  for (const Problem& problem : problems) {
    check(problem);
    const Index m = problem.columns();
    const Plan plan =
        Plan::from_dense(problem.weights, Matrix::Constant(6, m, 1.0 / double(6 * m)));
    EXPECT_NEAR(value(problem, plan).linear, 1, 1e-12);
    EXPECT_NEAR(problem.target_weights->sum(), 1, 1e-12);
  }
  EXPECT_EQ(problems.front().columns(), 4);
  EXPECT_EQ(problems.front().weights.data(), problems.back().weights.data());
}

TEST(Problem, TakesStandardVectorsAndMatricesByColumn) {
  const Matrix M = Matrix::Random(4, 2);
  const Eigen::MatrixXd by_column = M;
  const std::vector<double> h = {0.1, 0.2, 0.3, 0.4};
  const Structure C = Structure::dense(Matrix::Random(4, 4)),
                  identity = Structure::scaled_identity(2);
  const Problem looking{.source = C, .weights = h, .target = identity, .features = FusedTerm{M}};
  EXPECT_EQ(looking.weights.data(), h.data());
  EXPECT_EQ(looking.features->cost.data(), M.data());
  const Problem keeping{.source = C,
                        .weights = std::vector<double>(h),
                        .target = identity,
                        .features = FusedTerm{by_column}};
  EXPECT_EQ(keeping.weights, looking.weights);
  EXPECT_EQ(keeping.features->cost, M);
}

}  // namespace
}  // namespace srgw
