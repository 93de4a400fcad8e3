// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "srgw/problem.hpp"
#include "support/arbitrary.hpp"

namespace srgw {
namespace {

using namespace srgw::test;
using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic>;

constexpr double invariance_tolerance = 1e-10;

/// Matrices and a plan drawn from a recipe, to be changed by the claims below.
struct Instance {
  explicit Instance(const Recipe& recipe)
      : owned(random_problem(recipe)),
        C(owned.source.dense()),
        Cbar(owned.target.dense()),
        T(random_plan(owned.weights, recipe.columns, PlanStorage::dense, recipe.seed).dense()) {}

  OwnedProblem owned;
  Matrix C, Cbar, T;
};

/// E(T), with h the row sums of T.
double energy(const Matrix& C, const Matrix& Cbar, const Matrix& T) {
  const Structure source = Structure::dense(C), target = Structure::dense(Cbar);
  const Vector h = T.rowwise().sum();
  return value({.source = source, .weights = h, .target = target}, Plan::from_dense(h, T)).quad;
}

Permutation random_permutation(Index size, std::uint64_t seed) {
  Permutation permutation(size);
  permutation.setIdentity();
  detail::Random random(seed, 2);
  std::shuffle(permutation.indices().begin(), permutation.indices().end(), random);
  return permutation;
}

bool close(double a, double b) {
  return std::abs(a - b) < invariance_tolerance * (1 + std::abs(b));
}

RC_GTEST_PROP(Energy, DoesNotSeeTheOrderOfSourceNodes, (const Recipe& recipe)) {
  const auto [owned, C, Cbar, T] = Instance(recipe);
  const Permutation P = random_permutation(C.rows(), recipe.seed);
  RC_ASSERT(close(energy(P * C * P.transpose(), Cbar, P * T), energy(C, Cbar, T)));
}

RC_GTEST_PROP(Energy, DoesNotSeeTheOrderOfTargetNodes, (const Recipe& recipe)) {
  const auto [owned, C, Cbar, T] = Instance(recipe);
  const Permutation Q = random_permutation(Cbar.rows(), recipe.seed);
  RC_ASSERT(close(energy(C, Q * Cbar * Q.transpose(), T * Q.transpose()), energy(C, Cbar, T)));
}

RC_GTEST_PROP(Energy, DoesNotSeeACommonShift, (const Recipe& recipe)) {
  const auto [owned, C, Cbar, T] = Instance(recipe);
  RC_ASSERT(close(energy(C.array() + 3, Cbar.array() + 3, T), energy(C, Cbar, T)));
}

RC_GTEST_PROP(Energy, GrowsWithTheSquareOfACommonScale, (const Recipe& recipe)) {
  const auto [owned, C, Cbar, T] = Instance(recipe);
  RC_ASSERT(close(energy(-3 * C, -3 * Cbar, T), 9 * energy(C, Cbar, T)));
}

RC_GTEST_PROP(Energy, DoesNotSeeACommonTransposition, (const Recipe& recipe)) {
  const auto [owned, C, Cbar, T] = Instance(recipe);
  RC_ASSERT(close(energy(C.transpose(), Cbar.transpose(), T), energy(C, Cbar, T)));
}

RC_GTEST_PROP(Energy, DoesNotSeeASourceNodeSplitInTwo, (const Recipe& recipe)) {
  const auto [owned, C, Cbar, T] = Instance(recipe);
  const Index n = C.rows();
  Matrix copies = Matrix::Identity(n + 1, n);  // the last node becomes two of its kind
  copies(n, n - 1) = 1;
  Matrix shares = copies;
  shares(n - 1, n - 1) = 0.3;
  shares(n, n - 1) = 0.7;
  RC_ASSERT(close(energy(copies * C * copies.transpose(), Cbar, shares * T), energy(C, Cbar, T)));
}

RC_GTEST_PROP(Energy, DoesNotSeeTargetNodesWithoutMass, (const Recipe& recipe)) {
  const auto [owned, C, Cbar, T] = Instance(recipe);
  const Index m = Cbar.rows();
  Matrix larger = Matrix::Constant(m + 2, m + 2, 5);
  larger.topLeftCorner(m, m) = Cbar;
  Matrix padded = Matrix::Zero(T.rows(), m + 2);
  padded.leftCols(m) = T;
  RC_ASSERT(close(energy(C, larger, padded), energy(C, Cbar, T)));
}

RC_GTEST_PROP(Energy, IsNeverNegative, (const Recipe& recipe)) {
  const auto [owned, C, Cbar, T] = Instance(recipe);
  RC_ASSERT(energy(C, Cbar, T) >= 0);
  RC_ASSERT(energy(C, C, owned.weights.asDiagonal()) >= 0);  // exactly 0 but for rounding
  RC_ASSERT(energy(C, C, owned.weights.asDiagonal()) < 1e-13 * (1 + C.squaredNorm()));
}

// With Cbar symmetric, C may be replaced by (C + C')/2.
RC_GTEST_PROP(SymmetricReduction, ChangesTheValueByKappaAndRowsByConstants, (Recipe recipe)) {
  recipe.symmetric_target = true;
  const OwnedProblem owned = random_problem(recipe);
  const Problem problem = owned.problem();
  RC_ASSERT(problem.symmetric());
  OwnedProblem reduced = owned;
  reduced.source = owned.source.symmetrized();
  const Plan plan = random_plan(owned.weights, recipe.columns, PlanStorage::dense, recipe.seed);

  const double change_of_kappa = problem.alpha() * (reduced.source.square_form(owned.weights) -
                                                    owned.source.square_form(owned.weights));
  RC_ASSERT(close(value(reduced.problem(), plan).total() - value(problem, plan).total(),
                  change_of_kappa));
  const Matrix difference = gradient(reduced.problem(), plan) - gradient(problem, plan);
  RC_ASSERT((difference.colwise() - difference.col(0)).cwiseAbs().maxCoeff() <
            invariance_tolerance);
}

// With C symmetric, the cross term sees only (Cbar + Cbar')/2.
RC_GTEST_PROP(SymmetricReduction, ReadsOnlyTheSymmetricPartOfTheTargetInTheCrossTerm,
              (Recipe recipe)) {
  recipe.symmetric_source = true;
  const auto [owned, C, Cbar, T] = Instance(recipe);
  const Matrix symmetric = (Cbar + Cbar.transpose()) / 2;
  const auto moving_part = [&, &C = C, &T = T](const Matrix& B) {
    const Vector q = T.colwise().sum();
    return energy(C, B, T) - q.dot(B.cwiseAbs2() * q);
  };
  RC_ASSERT(close(moving_part(Cbar), moving_part(symmetric)));
}

// Onto c I, a hard plan pays for pairs in the same cluster.
RC_GTEST_PROP(ScaledIdentity, PaysForPairsInTheSameCluster, (Recipe recipe)) {
  recipe.alpha = {};
  const OwnedProblem owned = random_problem(recipe);
  constexpr double c = 0.4;
  const Structure target = Structure::scaled_identity(recipe.columns, c);
  detail::Random random(recipe.seed, 3);
  const Assignment labels = random_labels(recipe.rows, recipe.columns, random);
  const Vector& h = owned.weights;
  double expected = owned.source.square_form(h);
  for (Index i = 0; i < recipe.rows; ++i) {
    for (Index j = 0; j < recipe.rows; ++j) {
      if (labels[static_cast<std::size_t>(i)] != labels[static_cast<std::size_t>(j)]) continue;
      expected -= h[i] * h[j] * (2 * c * owned.source.at(i, j) - c * c);
    }
  }
  const Problem problem{.source = owned.source, .weights = h, .target = target};
  RC_ASSERT(close(value(problem, Plan::from_labels(h, labels, recipe.columns)).total(), expected));
}

}  // namespace
}  // namespace srgw
