// SPDX-License-Identifier: MIT
// A call that is stopped returns a feasible plan with its value and a bound of its gap, soon.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>

#include "base/kmeans.hpp"
#include "solve/product_solution.hpp"
#include "srgw/barycenter.hpp"
#include "srgw/plan.hpp"
#include "srgw/solve.hpp"
#include "srgw/transform.hpp"
#include "srgw/types.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

constexpr double limit = 0.2;
constexpr double margin = 3;  // seconds that a loaded machine may add

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// <G, T> - sum_i h_i min_k G_ik, no less than the gap of any kind of problem.
double gap_of_rows(const Problem& problem, const Plan& plan) {
  const Matrix G = gradient(problem, plan);
  return G.cwiseProduct(plan.dense()).sum() - problem.weights.dot(G.rowwise().minCoeff());
}

void expect_true(const Problem& problem, const Solution& solution) {
  check(problem, solution.plan);
  const Value found = value(problem, solution.plan);
  EXPECT_NEAR(solution.value, found.total(), 1e-8 * std::max(1.0, std::abs(found.total())));
  EXPECT_GE(solution.gap, 0);
  if (!problem.balanced() && problem.sparsity == 0) {
    EXPECT_NEAR(solution.gap, gap_of_rows(problem, solution.plan), 1e-8);
  }
}

// Does not end by itself.
const ConditionalGradient endless{.max_iterations = 1'000'000'000,
                                  .tolerance = 0,
                                  .stopping = Stopping::change,
                                  .polish_sweeps = 0};
const MirrorDescent endless_mirror{
    .epsilon = 5, .max_iterations = 1'000'000'000, .tolerance = 0, .scaling_tolerance = 0};

struct Case {
  const char* name;
  Recipe recipe;
  bool balanced = false;
  Method method = endless;
};

TEST(Limits, SolversReturnTheBestSoFar) {
  const std::vector<Case> cases{
      {"rows", {.rows = 300, .columns = 280}},
      {"asymmetric",
       {.rows = 300, .columns = 280, .symmetric_source = false, .symmetric_target = false}},
      {"labels",
       {.rows = 1000, .columns = 280, .source = Storage::csr, .target = Storage::diagonal}},
      {"fused", {.rows = 300, .columns = 280, .alpha = 0.3}},
      {"balanced", {.rows = 300, .columns = 280}, true},
      {"mirror", {.rows = 300, .columns = 280}, false, endless_mirror},
      {"balanced mirror", {.rows = 300, .columns = 280}, true, endless_mirror},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const OwnedProblem owned = random_problem(one.recipe);
    Problem problem = owned.problem();
    const Vector q = uniform_weights(one.recipe.columns);
    if (one.balanced) problem.target_weights.emplace(q);
    Solution solution;
    const double seconds = seconds_of([&] {
      solution = solve(problem, one.method, Start::random_labels, 3, {.time_limit = limit});
    });
    EXPECT_LT(seconds, limit + margin);
    EXPECT_EQ(solution.status, Status::time_limit);
    expect_true(problem, solution);
  }
}

TEST(Limits, ACancelledRunStopsInItsStartsToo) {
  const OwnedProblem owned = random_problem({.rows = 300, .columns = 280});
  const Problem problem = owned.problem();
  for (const Start start : {Start::kmeans_aligned, Start::spectral, Start::fluid, Start::random,
                            Start::automatic, Start::product}) {
    SCOPED_TRACE(name(start));
    Solution solution;
    const double seconds = seconds_of(
        [&] { solution = solve(problem, endless, start, 2, {.cancelled = [] { return true; }}); });
    EXPECT_LT(seconds, margin);
    EXPECT_EQ(solution.status, Status::interrupted);
    expect_true(problem, solution);
  }
}

TEST(Limits, TheProductHasItsValueInClosedForm) {
  std::uint64_t seed = 0;
  for (const Storage target : {Storage::dense, Storage::diagonal}) {
    for (const bool symmetric : {true, false}) {
      for (const std::optional<double> alpha : {std::optional<double>(), std::optional(0.4)}) {
        for (const bool balanced : {true, false}) {
          const OwnedProblem owned = random_problem({.rows = 9,
                                                     .columns = 4,
                                                     .source = Storage::scaled_csr,
                                                     .target = target,
                                                     .symmetric_source = symmetric,
                                                     .symmetric_target = symmetric,
                                                     .alpha = alpha,
                                                     .seed = ++seed});
          Problem problem = owned.problem();
          const Vector q = uniform_weights(4);
          if (balanced) problem.target_weights.emplace(q);
          problem.entropy = 0.1;
          if (!balanced) problem.sparsity = 0.2;
          const Solution found = detail::product_solution(problem, Status::time_limit, 1);
          const Value expected = value(problem, found.plan);
          EXPECT_NEAR(found.value_quad, expected.quad, 1e-12);
          EXPECT_NEAR(found.value_linear, expected.linear, 1e-12);
          EXPECT_NEAR(found.value_penalty, expected.penalty, 1e-12);
          EXPECT_NEAR(found.value_entropy, expected.entropy, 1e-12);
          problem.sparsity = 0;
          problem.entropy = 0;
          EXPECT_NEAR(found.gap, gap_of_rows(problem, found.plan), 1e-12);
        }
      }
    }
  }
}

TEST(Limits, ManyProblemsShareALimitAndAllHavePlans) {
  std::vector<OwnedProblem> owned;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    owned.push_back(random_problem({.rows = 20, .columns = 15, .seed = seed}));
  }
  std::vector<Problem> problems;
  for (const OwnedProblem& one : owned) problems.push_back(one.problem());
  std::vector<Solution> solutions;
  const double seconds = seconds_of([&] {
    solutions =
        solve_all(problems, endless, Start::random, 20, {.threads = 2, .time_limit = limit});
  });
  EXPECT_LT(seconds, limit + margin);
  for (std::size_t p = 0; p < problems.size(); ++p) expect_true(problems[p], solutions[p]);
  EXPECT_EQ(solutions.back().status, Status::time_limit);
}

TEST(Limits, ABarycenterHasPlansAndValuesOfItsStructure) {
  const OwnedProblem owned = random_problem({.rows = 60, .columns = 5});
  const std::vector<BarycenterSample> samples(
      3, {.structure = owned.source, .weights = owned.weights});
  for (const double seconds : {0.0, limit}) {
    const BarycenterProblem problem{.samples = samples, .size = 20};
    const Barycenter found =
        barycenter(problem, ConditionalGradient{}, {.max_iterations = 1'000'000, .tolerance = 0},
                   {.time_limit = seconds});
    if (found.status == Status::converged) continue;
    EXPECT_EQ(found.status, Status::time_limit);
    ASSERT_EQ(found.plans.size(), samples.size());
    const Structure B = Structure::dense(found.structure);
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const Problem view{.source = owned.source, .weights = owned.weights, .target = B};
      EXPECT_NEAR(found.sample_values[s], value(view, found.plans[s]).total(), 1e-9);
    }
  }
}

Graph ring(Index nodes) {
  std::vector<Entry> edges;
  for (Index i = 0; i < nodes; ++i) {
    edges.push_back({static_cast<NodeId>(i), static_cast<NodeId>((i + 1) % nodes), 1});
  }
  return Graph::from_edges(nodes, edges);
}

// What has nothing to return throws.
TEST(Limits, StructuresAndTransportsAreStopped) {
  const Graph graph = ring(400);
  const Matrix cost = Matrix::Random(200, 200).cwiseAbs();
  const Vector h = uniform_weights(200);
  const std::vector<std::function<void()>> works{
      [&] { (void)shortest_path(graph); },
      [&] { (void)implicit_heat_kernel(graph, 3).structure.product(Vector(Vector::Ones(400))); },
      [&] { (void)heat_kernel(graph, 3); },
      [&] { (void)transport(cost, h, h); },
      [&] { (void)kmeans(cost, {.clusters = 5}); },
  };
  for (std::size_t w = 0; w < works.size(); ++w) {
    SCOPED_TRACE(w);
    const StopScope scope({.time_limit = 0.0});
    try {
      works[w]();
      ADD_FAILURE() << "not stopped";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::stopped);
    }
  }
}

}  // namespace
}  // namespace srgw
