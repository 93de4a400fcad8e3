// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "srgw/transform.hpp"
#include "srgw/types.hpp"

namespace srgw {
namespace {

// Structures of different sizes, and the problems of projecting them onto one target.
struct Family {
  std::vector<Source> sources;
  Structure target = Structure::dense(Matrix{{1.0, 0.2}, {0.2, 0.5}});

  explicit Family(int count) {
    for (int i = 0; i < count; ++i) {
      const Index n = 3 + i % 7;
      Matrix matrix = Matrix::Zero(n, n);
      for (Index a = 0; a < n; ++a) {
        for (Index b = 0; b < a; ++b) {
          matrix(a, b) = matrix(b, a) = static_cast<double>((a * 7 + b * 3 + i) % 5);
        }
      }
      sources.push_back({Structure::dense(std::move(matrix)), uniform_weights(n)});
    }
  }

  [[nodiscard]] std::vector<Problem> problems() const {
    std::vector<Problem> result;
    for (const Source& source : sources) {
      result.push_back({.source = source.structure, .weights = source.weights, .target = target});
    }
    return result;
  }
};

void expect_same(const Solution& a, const Solution& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.plan.dense(), b.plan.dense());
  EXPECT_EQ(a.start_values, b.start_values);
}

TEST(SolveAll, KeepsStructuresThatWereTemporaries) {
  const Vector h = uniform_weights(6);
  const auto source = [](int i) {
    return Matrix(Matrix::Identity(6, 6) * (1 + i) + Matrix::Ones(6, 6));
  };
  std::vector<Problem> problems;
  for (int i = 0; i < 20; ++i) {
    problems.push_back({Structure::dense(source(i)), h, Structure::scaled_identity(1 + i % 4)});
  }
  const auto all = solve_all(problems);
  for (int i = 0; i < 20; ++i) {
    const Structure kept = Structure::dense(source(i)),
                    target = Structure::scaled_identity(1 + i % 4);
    expect_same(all[i], solve({.source = kept, .weights = h, .target = target}));
  }
}

TEST(SolveAll, GivesTheAnswersOfSingleSolvesOnAnyNumberOfThreads) {
  const Family family(40);
  const auto problems = family.problems();
  for (const Start start : {Start::product, Start::random}) {
    for (const int threads : {1, 3}) {
      const auto all =
          solve_all(problems, ConditionalGradient{}, start, 2, {.threads = threads, .seed = 5});
      ASSERT_EQ(all.size(), problems.size());
      for (std::size_t p = 0; p < problems.size(); ++p) {
        expect_same(all[p], solve(problems[p], ConditionalGradient{}, start, 2, {.seed = 5}));
      }
    }
  }
}

TEST(SolveAll, StartsFromGivenPlans) {
  const Family family(9);
  const auto problems = family.problems();
  std::vector<Plan> plans;
  for (const Problem& problem : problems) {
    plans.push_back(initial_plan(problem, Start::random_labels, 3));
  }
  const auto all = solve_all(problems, ConditionalGradient{}, plans, {.threads = 2});
  for (std::size_t p = 0; p < problems.size(); ++p) {
    expect_same(all[p], solve(problems[p], ConditionalGradient{}, plans[p]));
  }
  plans.pop_back();
  EXPECT_THROW((void)solve_all(problems, ConditionalGradient{}, plans), Error);
}

TEST(SolveAll, StopsAllOnceTheObserverSaysSo) {
  const Family family(50);
  const auto problems = family.problems();
  int calls = 0;  // no atomic needed: calls never overlap
  const auto all =
      solve_all(problems, ConditionalGradient{}, Start::product, 1,
                {.threads = 4, .observer = [&](const Progress&) { return ++calls < 10; }});
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(all.back().status, Status::interrupted);
}

TEST(SolveAll, SharesOneTimeLimit) {
  const Family family(30);
  const auto problems = family.problems();
  const ConditionalGradient slow{.max_iterations = 1'000'000'000,
                                 .tolerance = 0,
                                 .stopping = Stopping::change,
                                 .polish_sweeps = 0};
  const auto begin = std::chrono::steady_clock::now();
  const auto all = solve_all(problems, slow, Start::random, 1, {.threads = 2, .time_limit = 0.1});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(elapsed.count(), 2.0);
  for (const Solution& solution : all) EXPECT_GT(solution.plan.rows(), 0);
}

TEST(SolveAll, ThrowsWhatTheFirstBadProblemThrows) {
  const Family family(5);
  auto problems = family.problems();
  problems[2].sparsity = -1;
  try {
    (void)solve_all(problems);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("sparsity"), std::string::npos);
  }
  EXPECT_TRUE(solve_all({}).empty());
  EXPECT_THROW((void)solve_all(problems, ConditionalGradient{}, Start::random, 0), Error);
}

}  // namespace
}  // namespace srgw
