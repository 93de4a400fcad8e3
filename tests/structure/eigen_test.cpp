// SPDX-License-Identifier: MIT
#include "structure/eigen.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "base/stop.hpp"
#include "support/random_problem.hpp"

namespace srgw::test {
namespace {

using detail::eigen_pairs;
using detail::EigenPairs;

Eigen::MatrixXd random_symmetric(Index n) {
  detail::Random random(static_cast<std::uint64_t>(n), 0);
  const Matrix A = random_matrix(n, n, random);
  return A + A.transpose();
}

void expect_pairs_of(const Eigen::MatrixXd& A) {
  const EigenPairs pairs = eigen_pairs(A, 2);
  ASSERT_TRUE(pairs.converged);
  const auto n = static_cast<double>(A.rows());
  const Eigen::MatrixXd& Q = pairs.vectors;
  EXPECT_LE((Q.transpose() * Q - Eigen::MatrixXd::Identity(A.rows(), A.rows())).norm(), 2e-15 * n);
  EXPECT_LE((A * Q - Q * pairs.values.asDiagonal()).norm(), 1e-15 * n * A.norm());
  EXPECT_TRUE(std::ranges::is_sorted(pairs.values));
  EXPECT_LE((detail::eigenvalues(A) - pairs.values).norm(), 1e-15 * n * A.norm());
}

// 256 and 257 are the two sides of the size from which matrices are not left to Eigen; 32 columns
// are a panel, 96 reflections and 8 rows are applied at a time.
TEST(EigenPairs, FulfilTheirEquations) {
  for (const Index n : {1, 2, 3, 40, 256, 257, 288, 289, 290, 300, 385, 513}) {
    expect_pairs_of(random_symmetric(n));
  }
}

TEST(EigenPairs, HandleMultipleValuesAndExtremeEntries) {
  constexpr Index n = 300;
  expect_pairs_of(Eigen::MatrixXd::Zero(n, n));
  expect_pairs_of(Eigen::MatrixXd::Identity(n, n));
  expect_pairs_of(Eigen::MatrixXd::Ones(n, n));
  expect_pairs_of(Vector::LinSpaced(n, 1, -1).asDiagonal());
  const Eigen::MatrixXd A = random_symmetric(n);
  const EigenPairs small = eigen_pairs(0x1p-900 * A), pairs = eigen_pairs(A);
  EXPECT_EQ(small.vectors, pairs.vectors);
  EXPECT_EQ(small.values, 0x1p-900 * pairs.values);
}

TEST(EigenPairs, AreThoseOfEigen) {
  const Eigen::MatrixXd A = random_symmetric(400);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> expected(A);
  const EigenPairs pairs = eigen_pairs(A);
  EXPECT_LE((pairs.values - expected.eigenvalues()).cwiseAbs().maxCoeff(), 1e-12 * A.norm());
  const Vector cosines = (pairs.vectors.transpose() * expected.eigenvectors()).diagonal();
  EXPECT_NEAR(cosines.cwiseAbs().minCoeff(), 1, 1e-9);
}

TEST(EigenPairs, ReadTheLowerTriangleAlone) {
  const Eigen::MatrixXd A = random_symmetric(300);
  Eigen::MatrixXd lower = A;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(7);
  EXPECT_EQ(eigen_pairs(lower).vectors, eigen_pairs(A).vectors);
}

TEST(EigenPairs, AreTheSameOnAllThreads) {
  const Eigen::MatrixXd A = random_symmetric(700);
  const EigenPairs one = eigen_pairs(A, 1), eight = eigen_pairs(A, 8);
  EXPECT_EQ(one.values, eight.values);
  EXPECT_EQ(one.vectors, eight.vectors);
}

TEST(EigenPairs, StopWhereverTheyAre) {
  const Eigen::MatrixXd A = random_symmetric(600);
  for (const double moment : {0.0, 0.005, 0.02, 0.05}) {
    const auto why = detail::run_until_stopped({.time_limit = moment}, [&](StopScope&) {
      while (true) (void)eigen_pairs(A);
    });
    EXPECT_EQ(why, Status::time_limit);
  }
}

}  // namespace
}  // namespace srgw::test
