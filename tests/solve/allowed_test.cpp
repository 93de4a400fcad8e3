// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "solve/row_step.hpp"
#include "support/arbitrary.hpp"
#include "support/brute_force.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/vertices.hpp"

namespace srgw {
namespace {

using namespace srgw::test;
using detail::Random;

/// Random pairs, which leave each row a column, and a few anchors.
struct RandomPairs {
  std::vector<NodePair> forbidden, anchors;

  RandomPairs(Index rows, Index columns, double share, std::uint64_t seed) {
    Random random(seed, 7);
    for (Index i = 0; i < rows; ++i) {
      const auto kept = static_cast<Index>(random.below(static_cast<std::uint64_t>(columns)));
      for (Index k = 0; k < columns; ++k) {
        if (k != kept && random.uniform() < share) forbidden.push_back({i, k});
      }
      if (random.uniform() < 0.2) anchors.push_back({i, kept});
    }
  }
  [[nodiscard]] AllowedPairs allowed(Index rows, Index columns) const {
    return {rows, columns, forbidden, anchors};
  }
};

AllowedPairs random_allowed(Index rows, Index columns, double share, std::uint64_t seed) {
  return RandomPairs(rows, columns, share, seed).allowed(rows, columns);
}

/// The smallest value of hard plans on allowed pairs.
double best_allowed_vertex(const Problem& problem) {
  Problem free = problem;
  free.allowed = {};
  double best = std::numeric_limits<double>::infinity();
  Assignment labels(static_cast<std::size_t>(problem.rows()), 0);
  do {
    bool fits = true;
    for (Index i = 0; i < problem.rows(); ++i) {
      fits = fits && problem.allowed.allows(i, labels[i]);
    }
    if (fits) best = std::min(best, value(free, vertex(free, labels)).total());
  } while (next_assignment(labels, problem.columns()));
  return best;
}

/// sum_ik T_ik (G_ik - min of row i over allowed columns), from the definition.
double brute_force_gap(const Problem& problem, const Matrix& T) {
  const Matrix G = brute_force_gradient(problem, T);
  double gap = 0;
  for (Index i = 0; i < T.rows(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < T.cols(); ++k) {
      if (problem.allowed.allows(i, k)) least = std::min(least, G(i, k));
    }
    for (Index k = 0; k < T.cols(); ++k) {
      if (T(i, k) > 0) gap += T(i, k) * (G(i, k) - least);
    }
  }
  return gap;
}

void expect_allowed(const AllowedPairs& allowed, const Plan& plan) {
  const Matrix T = plan.dense();
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index k = 0; k < T.cols(); ++k) {
      if (!allowed.allows(i, k)) RC_ASSERT(T(i, k) == 0.0);
    }
  }
  const Assignment labels = plan.labels();
  for (Index i = 0; plan.is_assignment() && i < T.rows(); ++i) {
    RC_ASSERT(allowed.allows(i, labels[i]));
  }
}

TEST(AllowedPairs, EverythingIsAllowedByDefaultAndWithoutPairs) {
  EXPECT_TRUE(AllowedPairs().everything());
  EXPECT_TRUE(AllowedPairs(3, 2, {}).everything());
  EXPECT_TRUE(AllowedPairs().allows(5, 5));
  EXPECT_TRUE(AllowedPairs().allows_all(5));
}

RC_GTEST_PROP(AllowedPairs, AnswersAsASetOfPairsDoes, ()) {
  const auto rows = *rc::gen::inRange<Index>(1, 8);
  const auto columns = *rc::gen::inRange<Index>(1, 8);
  const RandomPairs pairs(rows, columns, 0.6, *rc::gen::arbitrary<std::uint64_t>());
  const AllowedPairs allowed = pairs.allowed(rows, columns);
  if (allowed.everything()) return;
  for (Index i = 0; i < rows; ++i) {
    std::set<Index> open;
    for (Index k = 0; k < columns; ++k) open.insert(k);
    for (const NodePair& pair : pairs.forbidden) {
      if (pair.row == i) open.erase(pair.column);
    }
    for (const NodePair& pair : pairs.anchors) {
      if (pair.row == i) open = {pair.column};
    }
    RC_ASSERT(allowed.count(i) == std::ssize(open));
    RC_ASSERT(allowed.allows_all(i) == (std::ssize(open) == columns));
    std::set<Index> closed;
    allowed.for_each_forbidden(i, [&](Index k) { closed.insert(k); });
    Index place = 0;
    for (const Index k : open) RC_ASSERT(allowed.nth(i, place++) == k);
    for (Index k = 0; k < columns; ++k) {
      RC_ASSERT(allowed.allows(i, k) == open.contains(k));
      RC_ASSERT(closed.contains(k) != open.contains(k));
      auto next = open.lower_bound(k);
      if (next == open.end()) next = open.begin();
      RC_ASSERT(allowed.next(i, k) == *next);
    }
  }
}

RC_GTEST_PROP(AllowedPairs, ProjectsPlansOfAllStoragesOnAllowedPairs, (const Recipe& recipe)) {
  const OwnedProblem owned = random_problem(recipe);
  const AllowedPairs allowed = random_allowed(recipe.rows, recipe.columns, 0.5, recipe.seed);
  const auto storage = *rc::gen::arbitrary<PlanStorage>();
  const Plan plan = random_plan(owned.weights, recipe.columns, storage, recipe.seed);
  const Plan projected = allowed.project(plan);
  expect_allowed(allowed, projected);
  const Matrix before = plan.dense(), after = projected.dense();
  RC_ASSERT((after.rowwise().sum() - owned.weights).cwiseAbs().maxCoeff() < 1e-14);
  for (Index i = 0; i < recipe.rows; ++i) {
    double moved = 0;
    allowed.for_each_forbidden(i, [&](Index k) { moved += before(i, k); });
    if (moved == 0) RC_ASSERT(before.row(i) == after.row(i));
  }
}

TEST(AllowedPairs, RefusesWhatLeavesNoPlan) {
  const std::vector<NodePair> all{{1, 0}, {1, 1}, {0, 1}, {1, 1}};
  expect_error([&] { return AllowedPairs(2, 2, all); },
               "row 1 has no column left: all 2 are forbidden for it");
  const std::vector<NodePair> one{{1, 0}}, same{{1, 0}, {1, 0}}, other{{1, 0}, {1, 1}};
  expect_error([&] { return AllowedPairs(2, 2, one, same); },
               "row 1 is anchored on column 0, which is forbidden for it; remove one of the two");
  expect_error([&] { return AllowedPairs(2, 2, {}, other); },
               "row 1 is anchored on columns 0 and 1, expected one of them");
  expect_error([&] { return AllowedPairs(1, 2, one); },
               "forbidden pair 0 is (1, 0), expected a row from 0 to 0 and a column from 0 to 1");
  const PairNames names{.row = [](Index i) { return "node" + std::to_string(i); },
                        .column = [](Index k) { return "place" + std::to_string(k); }};
  expect_error([&] { return AllowedPairs(2, 2, all, {}, names); },
               "row node1 has no column left: all 2 are forbidden for it");
}

TEST(AllowedPairs, ProblemsRefuseWhatDoesNotFit) {
  const OwnedProblem owned = random_problem({.rows = 3, .columns = 2});
  Problem problem = owned.problem();
  const std::vector<NodePair> pairs{{0, 1}};
  problem.allowed = AllowedPairs(2, 2, pairs);
  expect_error([&] { return solve(problem); },
               "forbidden pairs and anchors are for a 2 x 2 plan, expected 3 x 2");
  problem.allowed = AllowedPairs(3, 2, pairs);
  const Plan plan = Plan::from_labels(owned.weights, Assignment{1, 0, 0}, 2);
  try {
    (void)solve(problem, ConditionalGradient{}, plan);
    ADD_FAILURE() << "a plan on forbidden pairs was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("on the pair (0, 1), which is forbidden"),
              std::string::npos);
  }
  const Vector hbar = Vector::Constant(2, 0.5);
  problem.target_weights.emplace(hbar);
  EXPECT_THROW((void)solve(problem), Error);
}

Method random_method() {
  const auto steps = *rc::gen::inRange(1, 40);
  switch (*rc::gen::inRange(0, 4)) {
    case 0: return Automatic{};
    case 1:
      return ConditionalGradient{.max_iterations = steps,
                                 .ties = *rc::gen::element(Ties::share, Ties::first)};
    case 2:
      return ConditionalGradient{
          .max_iterations = steps, .stopping = Stopping::change, .polish_sweeps = 0};
    default:
      return MirrorDescent{.epsilon = *rc::gen::element(1e-3, 0.1, 10.0), .max_iterations = steps};
  }
}

constexpr Start plain_starts[] = {
    Start::product,        Start::product_literal, Start::random,        Start::random_product,
    Start::random_labels,  Start::kmeans,          Start::spectral,      Start::fluid,
    Start::kmeans_aligned, Start::fluid_aligned,   Start::spectral_soft, Start::automatic};

RC_GTEST_PROP(Allowed, PlansOfAllMethodsAndStartsAreAllowed, (const Recipe& recipe)) {
  const OwnedProblem owned = random_problem(recipe);
  Problem problem = owned.problem();
  problem.allowed = random_allowed(recipe.rows, recipe.columns, 0.5, recipe.seed);
  const Method method = random_method();
  if (*rc::gen::inRange(0, 4) == 0) problem.sparsity = 0.1;
  if (std::holds_alternative<MirrorDescent>(method) && *rc::gen::inRange(0, 2) == 0) {
    problem.entropy = 0.05;
  }
  const Start start =
      *rc::gen::elementOf(std::vector<Start>(std::begin(plain_starts), std::end(plain_starts)));
  const Solution found = solve(problem, method, start, *rc::gen::element(1, 3));
  expect_allowed(problem.allowed, found.plan);
  const Matrix T = found.plan.dense();
  RC_ASSERT((T.rowwise().sum() - owned.weights).cwiseAbs().maxCoeff() < 1e-12);
  const Value expected = brute_force_value(problem, T);
  RC_ASSERT(std::abs(found.value_quad + found.value_linear - expected.total()) <
            1e-10 * (1 + expected.total()));
  RC_ASSERT(std::isfinite(found.gap));
}

RC_GTEST_PROP(Allowed, SolvesFromPlansOfAllStorages, (const Recipe& recipe)) {
  const OwnedProblem owned = random_problem(recipe);
  Problem problem = owned.problem();
  problem.allowed = random_allowed(recipe.rows, recipe.columns, 0.5, recipe.seed);
  const auto storage = *rc::gen::arbitrary<PlanStorage>();
  const Plan start =
      problem.allowed.project(random_plan(owned.weights, recipe.columns, storage, recipe.seed));
  const Solution found = solve(problem, random_method(), start);
  expect_allowed(problem.allowed, found.plan);
}

RC_GTEST_PROP(Allowed, TheGapIsThatOfTheAllowedPolytope, (const Recipe& recipe)) {
  const OwnedProblem owned = random_problem(recipe);
  Problem problem = owned.problem();
  problem.allowed = random_allowed(recipe.rows, recipe.columns, 0.5, recipe.seed);
  const auto storage = *rc::gen::arbitrary<PlanStorage>();
  const Plan plan =
      problem.allowed.project(random_plan(owned.weights, recipe.columns, storage, recipe.seed));
  detail::Objective objective;
  objective.prepare(problem);
  detail::RowStep step;
  step.start(objective, plan, {});
  const double expected = brute_force_gap(problem, plan.dense());
  RC_ASSERT(std::abs(step.gap() - expected) < 1e-10 * (1 + expected));
}

TEST(Allowed, SolvesEndAtTheGapOfTheDefinition) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const OwnedProblem owned =
        random_problem({.rows = 8,
                        .columns = 4,
                        .alpha = seed % 2 == 0 ? std::nullopt : std::optional(0.5),
                        .seed = seed});
    Problem problem = owned.problem();
    problem.allowed = random_allowed(8, 4, 0.4, seed);
    for (const Method& method : {Method(Automatic{}), Method(ConditionalGradient{})}) {
      const Solution found = solve(problem, method, Start::automatic);
      EXPECT_EQ(found.status, Status::converged);
      EXPECT_NEAR(found.gap, brute_force_gap(problem, found.plan.dense()), 1e-10);
      EXPECT_LE(found.gap, 1e-5 * (1 + found.value));
    }
  }
}

TEST(Allowed, FindsTheBestHardPlanOrABetterOneFromManyStarts) {
  int best = 0, cases = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const OwnedProblem owned = random_problem({.rows = 6, .columns = 3, .seed = seed});
    Problem problem = owned.problem();
    problem.allowed = random_allowed(6, 3, 0.4, seed);
    const double expected = best_allowed_vertex(problem);
    const Solution found = solve(problem, Automatic{}, Start::automatic, 10);
    ++cases;
    best += found.value <= expected + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(best, cases - 1);
}

TEST(Allowed, TheGapIsZeroWhereOnePlanIsLeft) {
  for (const Storage storage : all_storages) {
    const OwnedProblem owned =
        random_problem({.rows = 7, .columns = 3, .source = storage, .target = storage, .seed = 3});
    Problem problem = owned.problem();
    std::vector<NodePair> anchors;
    for (Index i = 0; i < 7; ++i) anchors.push_back({i, (2 * i) % 3});
    problem.allowed = AllowedPairs(7, 3, {}, anchors);
    for (const Method& method : {Method(Automatic{}), Method(ConditionalGradient{}),
                                 Method(MirrorDescent{.max_iterations = 5})}) {
      for (const Start start : {Start::product, Start::random_labels, Start::automatic}) {
        const Solution found = solve(problem, method, start);
        // The sums of mirror descent are rounded.
        const bool exact = !std::holds_alternative<MirrorDescent>(method);
        EXPECT_LE(found.gap, exact ? 0 : 1e-15) << static_cast<int>(storage);
        EXPECT_EQ(found.status, Status::converged);
        for (Index i = 0; i < 7; ++i) EXPECT_EQ(found.plan.labels()[i], anchors[i].column);
      }
    }
  }
}

TEST(Allowed, ForbiddingWhatTheBestPlanDoesNotUseChangesNothing) {
  const OwnedProblem owned = random_problem({.rows = 30, .columns = 5, .seed = 11});
  Problem problem = owned.problem();
  const Solution free = solve(problem, ConditionalGradient{}, Start::random_labels);
  const Matrix T = free.plan.dense();
  std::vector<NodePair> unused;
  for (Index i = 0; i < 30; ++i) {
    for (Index k = 0; k < 5; ++k) {
      if (T(i, k) == 0) unused.push_back({i, k});
    }
  }
  problem.allowed = AllowedPairs(30, 5, unused);
  const Solution again = solve(problem, ConditionalGradient{}, free.plan);
  EXPECT_NEAR(again.value, free.value, 1e-9);
  EXPECT_LE(again.gap, free.gap + 1e-12);
}

TEST(Allowed, BitsDoNotDependOnThreads) {
  const OwnedProblem owned = random_problem({.rows = 700,
                                             .columns = 120,
                                             .source = Storage::csr,
                                             .target = Storage::diagonal,
                                             .seed = 5});
  Problem problem = owned.problem();
  problem.allowed = random_allowed(700, 120, 0.3, 5);
  for (const Start start : {Start::product, Start::random_labels}) {
    const Solution one =
        solve(problem, ConditionalGradient{.max_iterations = 20}, start, 1, {.threads = 1});
    const Solution four =
        solve(problem, ConditionalGradient{.max_iterations = 20}, start, 1, {.threads = 4});
    EXPECT_EQ(one.value, four.value);
    EXPECT_EQ(one.gap, four.gap);
    EXPECT_EQ(one.plan.dense(), four.plan.dense());
  }
}

TEST(Allowed, ExtremeScalesKeepTheConstraint) {
  const OwnedProblem owned = random_problem({.rows = 6, .columns = 3, .seed = 2});
  const Structure source = Structure::dense(owned.source.dense() * 0x1p300);
  const Structure target = Structure::dense(owned.target.dense() * 0x1p300);
  Problem problem{.source = source, .weights = owned.weights, .target = target};
  problem.allowed = random_allowed(6, 3, 0.5, 9);
  const Solution found = solve(problem);
  const Matrix T = found.plan.dense();
  for (Index i = 0; i < 6; ++i)
    problem.allowed.for_each_forbidden(i, [&](Index k) { EXPECT_EQ(T(i, k), 0); });
}

TEST(Allowed, StoppedRunsReturnAllowedPlans) {
  const OwnedProblem owned = random_problem({.rows = 400, .columns = 20, .alpha = 0.5, .seed = 4});
  Problem problem = owned.problem();
  problem.allowed = random_allowed(400, 20, 0.5, 4);
  for (const Method& method : {Method(ConditionalGradient{}), Method(MirrorDescent{})}) {
    const Solution found = solve(problem, method, Start::kmeans, 1, {.time_limit = 0});
    EXPECT_EQ(found.status, Status::time_limit);
    const Matrix T = found.plan.dense();
    for (Index i = 0; i < 400; ++i) {
      problem.allowed.for_each_forbidden(i, [&](Index k) { EXPECT_EQ(T(i, k), 0); });
    }
    const Value expected = value(problem, found.plan);
    EXPECT_NEAR(found.value, expected.total(), 1e-9 * (1 + expected.total()));
  }
}

}  // namespace
}  // namespace srgw
