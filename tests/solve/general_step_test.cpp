// SPDX-License-Identifier: MIT
#include "solve/general_step.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "srgw/solve.hpp"
#include "support/arbitrary.hpp"
#include "support/brute_force.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;
using detail::GeneralStep;
using detail::Random;

/// The weighted sum over relations, from the definition, at any masses.
double definition_of(const Problem& problem, const Matrix& T) {
  double sum =
      problem.relation_weight * four_fold_sum(problem.source.dense(), problem.target.dense(), T);
  for (const Relation& relation : problem.relations) {
    sum += relation.weight * four_fold_sum(relation.source.dense(), relation.target.dense(), T);
  }
  const double alpha = problem.alpha();
  const double linear = problem.features ? problem.features->cost.cwiseProduct(T).sum() : 0;
  return alpha * sum + (1 - alpha) * linear;
}

/// Central differences, which are exact for a quadratic function.
Matrix differences(const Problem& problem, Matrix T) {
  Matrix G(T.rows(), T.cols());
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index k = 0; k < T.cols(); ++k) {
      const double entry = T(i, k);
      T(i, k) = entry + 0.25;
      const double above = definition_of(problem, T);
      T(i, k) = entry - 0.25;
      G(i, k) = 2 * (above - definition_of(problem, T));
      T(i, k) = entry;
    }
  }
  return G;
}

struct Several {
  OwnedProblem owned;
  std::vector<Relation> relations;

  explicit Several(const Recipe& recipe, int count = 2) : owned(random_problem(recipe)) {
    for (int r = 1; r <= count; ++r) {
      Recipe other = recipe;
      other.seed += 1000 * r;
      const OwnedProblem more = random_problem(other);
      relations.push_back({more.source, more.target, 0.5 * r});
    }
  }
  [[nodiscard]] Problem problem() const {
    Problem view = owned.problem();
    view.relations = relations;
    view.relation_weight = 0.7;
    return view;
  }
};

RC_GTEST_PROP(GeneralStep, ValueGradientAndLineAreThoseOfTheDefinition, (const Recipe& recipe)) {
  const Several several(recipe);
  Problem problem = several.problem();
  if (recipe.seed % 2 == 0) problem.share = 0.6;
  const Matrix T = initial_plan(problem, Start::random, recipe.seed).dense();
  GeneralStep step;
  step.start(GeneralStep::task_of(problem), T);
  const double scale = 1 + std::abs(definition_of(problem, T));
  RC_ASSERT(std::abs(step.value().total() - definition_of(problem, T)) < 1e-10 * scale);
  const Matrix expected = differences(problem, T);
  Matrix G = step.gradient();
  if (!problem.partial()) {  // up to a constant in each row
    G.colwise() += (expected - G).rowwise().mean();
  }
  RC_ASSERT((G - expected).cwiseAbs().maxCoeff() < 1e-9 * (1 + expected.cwiseAbs().maxCoeff()));
  const Line line = step.direction();
  for (const double gamma : {0.25, 0.5, 1.0}) {
    GeneralStep moved = step;
    moved.advance(gamma);
    const double found = definition_of(problem, moved.plan());
    RC_ASSERT(std::abs(found - (definition_of(problem, T) + line.b * gamma +
                                line.a * gamma * gamma)) < 1e-9 * scale);
    RC_ASSERT(std::abs(moved.plan().sum() - problem.share) < 1e-12);
  }
}

RC_GTEST_PROP(GeneralStep, OneRelationIsTheProblemItself, (const Recipe& recipe)) {
  const OwnedProblem owned = random_problem(recipe);
  Problem problem = owned.problem();
  const Plan plan = random_plan(owned.weights, recipe.columns, PlanStorage::dense, recipe.seed);
  const Value plain = value(problem, plan);
  const Matrix plain_gradient = gradient(problem, plan);
  problem.relation_weight = 0.5;
  problem.relations = {{owned.source, owned.target, 0.5}};
  RC_ASSERT(std::abs(value(problem, plan).total() - plain.total()) < 1e-10 * (1 + plain.total()));
  RC_ASSERT((gradient(problem, plan) - plain_gradient).cwiseAbs().maxCoeff() <
            1e-10 * (1 + plain_gradient.cwiseAbs().maxCoeff()));
}

/// The least cost of a plan with rows up to h and this total: all ways to fill rows on a grid of
/// orders.
double least_partial_cost(const Matrix& G, const Vector& h, double share) {
  std::vector<Index> order(G.rows());
  for (Index i = 0; i < G.rows(); ++i) order[i] = i;
  double best = std::numeric_limits<double>::infinity();
  do {
    double left = share, cost = 0;
    for (const Index i : order) {
      const double mass = std::min(left, h[i]);
      cost += mass * G.row(i).minCoeff();
      left -= mass;
    }
    best = std::min(best, cost);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(GeneralStep, TheGapOfAPartialProblemIsThatOfAllOrdersOfFilling) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const OwnedProblem owned =
        random_problem({.rows = 6, .columns = 3, .alpha = 0.5, .seed = seed});
    Problem problem = owned.problem();
    problem.share = 0.1 + 0.8 * static_cast<double>(seed) / 30;
    const Matrix T = initial_plan(problem, Start::random, seed).dense();
    GeneralStep step;
    step.start(GeneralStep::task_of(problem), T);
    const Matrix G = differences(problem, T);
    const double expected =
        G.cwiseProduct(T).sum() - least_partial_cost(G, owned.weights, problem.share);
    EXPECT_NEAR(step.gap(), expected, 1e-10 * (1 + expected));
  }
}

RC_GTEST_PROP(Partial, PlansHaveTheShareAndKeepTheRows, (const Recipe& recipe)) {
  const Several several(recipe, 1);
  Problem problem = several.problem();
  problem.share = *rc::gen::element(0.001, 0.3, 0.5, 0.999);
  const Start start = *rc::gen::element(Start::product, Start::random, Start::random_labels,
                                        Start::kmeans, Start::automatic);
  const Solution found = solve(problem, ConditionalGradient{.max_iterations = 30}, start, 2);
  const Matrix T = found.plan.dense();
  RC_ASSERT(std::abs(T.sum() - problem.share) < 1e-12);
  RC_ASSERT(T.minCoeff() >= 0);
  RC_ASSERT((T.rowwise().sum() - several.owned.weights).maxCoeff() < 1e-14);
  RC_ASSERT(std::abs(found.value - definition_of(problem, T)) < 1e-9 * (1 + found.value));
}

TEST(Partial, LeavesOutTheNodesThatDoNotFit) {
  // Two blocks that the target has, and two nodes that are connected to everything with weight 3.
  Matrix C = Matrix::Zero(8, 8);
  C.block(0, 0, 3, 3).setOnes();
  C.block(3, 3, 3, 3).setOnes();
  C.rightCols(2).setConstant(3);
  C.bottomRows(2).setConstant(3);
  const Structure source = Structure::dense(C), target = Structure::scaled_identity(2);
  const Vector h = Vector::Constant(8, 0.125);
  Problem problem{.source = source, .weights = h, .target = target};
  problem.share = 0.75;
  const Solution found = solve(problem, ConditionalGradient{}, Start::random, 10);
  EXPECT_NEAR(found.value, 0, 1e-12);
  EXPECT_EQ(found.plan.dense().bottomRows(2).sum(), 0);
  EXPECT_LE(found.gap, 1e-12);
}

TEST(Partial, SharesAndRelationsThatFitNothingAreRefused) {
  const OwnedProblem owned = random_problem({.rows = 3, .columns = 2});
  Problem problem = owned.problem();
  for (const double share : {0.0, -1.0, 1.5, not_a_number}) {
    problem.share = share;
    EXPECT_THROW((void)solve(problem), Error);
  }
  problem.share = 1.5;
  expect_error([&] { return solve(problem); },
               "share is 1.5, expected a number above 0 and at most 1");
  problem.share = 0.5;
  expect_error([&] { return solve(problem, MirrorDescent{}); },
               "mirror descent with a share below 1, expected conditional gradient, which solves "
               "such problems");
  problem.share = 1;
  problem.relations = {{Structure::scaled_identity(4), owned.target, 1}};
  expect_error([&] { return solve(problem); },
               "relation 1 is between 4 and 2 nodes, expected 3 and 2, those of source and target");
  problem.relations = {{owned.source, owned.target, -1}};
  EXPECT_THROW((void)solve(problem), Error);
}

RC_GTEST_PROP(Relations, AreSolvedOnAllowedPairs, (const Recipe& recipe)) {
  const Several several(recipe);
  Problem problem = several.problem();
  std::vector<NodePair> forbidden;
  Random random(recipe.seed, 3);
  for (Index i = 0; i < recipe.rows; ++i) {
    for (Index k = 1; k < recipe.columns; ++k) {
      if (random.uniform() < 0.5) forbidden.push_back({i, k});
    }
  }
  problem.allowed = AllowedPairs(recipe.rows, recipe.columns, forbidden);
  const Solution found = solve(problem, ConditionalGradient{.max_iterations = 20}, Start::random);
  const Matrix T = found.plan.dense();
  for (const NodePair& pair : forbidden) RC_ASSERT(T(pair.row, pair.column) == 0);
  RC_ASSERT(std::abs(found.value - definition_of(problem, T)) < 1e-9 * (1 + found.value));
}

TEST(Relations, BitsDoNotDependOnThreads) {
  const Several several({.rows = 300, .columns = 7, .source = Storage::csr, .seed = 3});
  const Problem problem = several.problem();
  const Solution one =
      solve(problem, ConditionalGradient{.max_iterations = 10}, Start::random, 1, {.threads = 1});
  const Solution four =
      solve(problem, ConditionalGradient{.max_iterations = 10}, Start::random, 1, {.threads = 4});
  EXPECT_EQ(one.value, four.value);
  EXPECT_EQ(one.plan.dense(), four.plan.dense());
}

struct Sides {
  OwnedProblem owned;
  Vector h, hbar;
  PartialProblem problem;

  explicit Sides(std::uint64_t seed, Index rows = 7, Index columns = 5)
      : owned(random_problem({.rows = rows, .columns = columns, .seed = seed})),
        h(owned.weights * 1.7),
        hbar(Vector::Constant(columns, 0.3)),
        problem{.source = owned.source,
                .weights = h,
                .target = owned.target,
                .target_weights = hbar,
                .mass = 0.9} {}
};

TEST(SolvePartial, MassIsExactAndBothSidesKeepTheirWeights) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Sides sides(seed);
    sides.problem.mass = 0.05 + 0.035 * static_cast<double>(seed);
    const Solution found = solve_partial(sides.problem, ConditionalGradient{.max_iterations = 200});
    const Matrix T = found.plan.dense();
    EXPECT_NEAR(T.sum(), sides.problem.mass, 1e-12);
    EXPECT_LE((T.rowwise().sum() - sides.h).maxCoeff(), 1e-12);
    EXPECT_LE((Vector(T.colwise().sum()) - sides.hbar).maxCoeff(), 1e-12);
    EXPECT_GE(T.minCoeff(), 0);
    EXPECT_NEAR(found.value,
                four_fold_sum(sides.owned.source.dense(), sides.owned.target.dense(), T), 1e-10);
  }
}

TEST(SolvePartial, RefusesMassesThatDoNotExist) {
  Sides sides(1);
  sides.problem.mass = 2;
  EXPECT_THROW((void)solve_partial(sides.problem), Error);
  sides.problem.mass = 0;
  EXPECT_THROW((void)solve_partial(sides.problem), Error);
  sides.problem.mass = 0.5;
  EXPECT_THROW(
      (void)solve_partial(sides.problem, ConditionalGradient{}, Matrix(Matrix::Ones(7, 5))), Error);
}

TEST(SolvePartial, SoftPlansHaveTheSameBitsOnAnyNumberOfThreads) {
  const Sides sides(3, 300, 140);
  const EntropicPartial options{.entropy = 0.05, .max_iterations = 3, .scaling_iterations = 20};
  const Solution one = solve_partial(sides.problem, options, {}, {.threads = 1});
  EXPECT_NEAR(one.plan.dense().sum(), sides.problem.mass, 1e-12);
  for (const int threads : {2, 5}) {
    const Solution many = solve_partial(sides.problem, options, {}, {.threads = threads});
    EXPECT_EQ(many.plan.dense(), one.plan.dense());
  }
}

TEST(SolvePartial, RefusesOptionsOutsideTheirRanges) {
  const Sides sides(1);
  for (const EntropicPartial& options :
       {EntropicPartial{.entropy = 0}, EntropicPartial{.entropy = std::nan("")},
        EntropicPartial{.max_iterations = 0}, EntropicPartial{.tolerance = -1},
        EntropicPartial{.test_interval = 0}, EntropicPartial{.scaling_iterations = 0},
        EntropicPartial{.scaling_tolerance = -1}}) {
    EXPECT_THROW((void)solve_partial(sides.problem, options), Error);
  }
}

TEST(FusedTerms, BalanceBothTermsOnOneNode) {
  const OwnedProblem owned = random_problem({.rows = 9, .columns = 3, .alpha = 0.5, .seed = 8});
  const Problem problem = owned.problem();
  const FusedTerms terms = fused_terms(problem);
  // The best target of one node is the mean.
  const Matrix C = owned.source.dense();
  const Vector& h = owned.weights;
  const double mean = h.dot(C * h);
  EXPECT_NEAR(terms.structure, four_fold_sum(C, Matrix::Constant(1, 1, mean), h), 1e-12);
  double cheapest = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < 3; ++k) cheapest = std::min(cheapest, owned.cost.col(k).dot(h));
  EXPECT_NEAR(terms.features, cheapest, 1e-12);
  const double alpha = terms.balanced_alpha();
  EXPECT_NEAR(alpha * terms.structure, (1 - alpha) * terms.features, 1e-12);
}

}  // namespace
}  // namespace srgw
