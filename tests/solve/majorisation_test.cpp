// SPDX-License-Identifier: MIT
//
// Sparsity of the target weights by majorise-minimise, over both inner methods.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "solve/problem_loss.hpp"
#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/solve.hpp"
#include "srgw/transform.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;
using nlohmann::json;

TEST(Majorisation, HasTheSlopeOfTheReference) {
  const json& given = reference_case("12_mm_tangent");
  const Vector slope = detail::penalty_gradient(given.at("lam"), to_vector(given.at("q")));
  const Vector expected = to_vector(given.at("row"));
  for (Index k = 0; k < slope.size(); ++k) {
    EXPECT_NEAR(slope[k], expected[k], 1e-10 * expected[k]);
  }
}

class ReferencePath : public testing::TestWithParam<std::tuple<const char*, bool>> {};
INSTANTIATE_TEST_SUITE_P(Cases, ReferencePath,
                         testing::Combine(testing::Values("12_mm_lambda_0.05", "12_mm_lambda_0.1",
                                                          "12_mm_lambda_0.2"),
                                          testing::Bool()));

TEST_P(ReferencePath, IsFollowed) {
  const auto& [name, warm] = GetParam();
  const json& given = reference_case(name);
  const json& expected = given.at(warm ? "warm" : "cold");
  const Structure source = Structure::dense(to_matrix(given.at("C")));
  const Structure target = Structure::dense(to_matrix(given.at("Cbar")));
  const Vector weights = to_vector(given.at("h"));
  const Problem problem{
      .source = source, .weights = weights, .target = target, .sparsity = given.at("lam")};
  const Plan start = Plan::from_dense(weights, to_matrix(given.at("T0")));
  ConditionalGradient method{.tolerance = 1e-6,
                             .stopping = Stopping::change_of_former,
                             .polish_sweeps = 0,
                             .majorisation = {.warm = warm}};
  for (const int rounds : {1, 2}) {
    method.majorisation.max_rounds = rounds;
    EXPECT_NEAR(solve(problem, method, start).value,
                expected.at("losses")[static_cast<std::size_t>(rounds - 1)].get<double>(), 1e-7);
  }
  method.majorisation.max_rounds = 50;
  const Solution solution = solve(problem, method, start);
  EXPECT_NEAR(solution.value, expected.at("best_loss").get<double>(), 1e-5);
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_NEAR(solution.value, value(problem, solution.plan).total(), 1e-12);
}

struct Inner {
  Method method;
  Recipe recipe;
};
void PrintTo(const Inner& inner, std::ostream* out) {
  *out << "method " << inner.method.index() << ", " << inner.recipe;
}

std::vector<Inner> inners() {
  std::vector<Inner> result;
  for (const Method& method :
       {Method(ConditionalGradient{}), Method(MirrorDescent{.epsilon = 0.5})})
    for (const Storage source : {Storage::dense, Storage::csr}) {
      for (const Storage target : {Storage::dense, Storage::diagonal}) {
        for (const auto alpha : {std::optional<double>{}, std::optional(0.4)}) {
          result.push_back({method,
                            {.rows = 20,
                             .columns = 6,
                             .source = source,
                             .target = target,
                             .alpha = alpha,
                             .seed = result.size()}});
        }
      }
    }
  return result;
}

class EveryInner : public testing::TestWithParam<Inner> {};
INSTANTIATE_TEST_SUITE_P(Inners, EveryInner, testing::ValuesIn(inners()));

TEST_P(EveryInner, FallsFromRoundToRoundWhenWarm) {
  const OwnedProblem owned = random_problem(GetParam().recipe);
  Problem problem = owned.problem();
  problem.sparsity = 0.3;
  const Plan start = random_plan(owned.weights, 6, PlanStorage::product, 1);
  double former = std::numeric_limits<double>::infinity();
  for (int rounds = 1; rounds <= 6; ++rounds) {
    Method method = GetParam().method;
    std::visit(
        [&](auto& options) {
          options.majorisation.max_rounds = rounds;
          options.majorisation.round_tolerance = 0;
        },
        method);
    const Solution solution = solve(problem, method, start);
    EXPECT_LE(solution.value, former + 1e-12);
    EXPECT_NEAR(solution.value, value(problem, solution.plan).total(), 1e-11);
    EXPECT_NEAR(solution.value,
                solution.value_quad + solution.value_linear + solution.value_penalty,
                1e-14 * (1 + std::abs(solution.value)));
    const Matrix G = gradient(problem, solution.plan);
    const double gap =
        G.cwiseProduct(solution.plan.dense()).sum() - G.rowwise().minCoeff().dot(owned.weights);
    EXPECT_NEAR(solution.gap, gap, 1e-9 * (1 + G.rowwise().minCoeff().cwiseAbs().maxCoeff()));
    former = solution.value;
  }
}

// Small enough for rows of arrays, and large enough for labels.
class SparsityPath : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Sizes, SparsityPath, testing::Values(600, 12000));

TEST_P(SparsityPath, MeetsTheTrueNumberOfBlocks) {
  constexpr Index blocks = 8;
  const PlantedGraph graph =
      generate(PlantedPartition{.nodes = GetParam(), .blocks = blocks, .mean_degree = 30}, 3);
  const Source source = modularity(graph.graph);
  const Structure target = Structure::scaled_identity(3 * blocks);
  std::set<Index> found;
  for (double sparsity = 1e-3; sparsity < 1; sparsity *= 1.6) {
    const Problem problem{.source = source.structure,
                          .weights = source.weights,
                          .target = target,
                          .sparsity = sparsity};
    const Solution solution =
        solve(problem, ConditionalGradient{}, Start::random_labels, 2, {.seed = 1});
    const Index used = (solution.target_weights.array() > 1e-9).count();
    found.insert(used);
  }
  EXPECT_TRUE(found.contains(blocks)) << testing::PrintToString(found);
}

TEST(Majorisation, RefusesNegativeSparsity) {
  const OwnedProblem owned = random_problem({.rows = 6, .columns = 3});
  Problem problem = owned.problem();
  problem.sparsity = -0.1;
  expect_error([&] { return solve(problem); },
               "sparsity is -0.1, expected a number from 0 to 1e+300");
}

}  // namespace
}  // namespace srgw
