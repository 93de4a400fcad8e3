// SPDX-License-Identifier: MIT
#include "structure/orthonormal.hpp"

#include <gtest/gtest.h>

#include "support/random_problem.hpp"

namespace srgw::test {
namespace {

using detail::orthonormal;
using detail::random_signs;

TEST(Orthonormal, SpansTheColumns) {
  detail::Random random(1, 0);
  const Matrix Y = random_matrix(50, 6, random) * Vector{{1, 1e-2, 1, 1e3, 1, 1}}.asDiagonal();
  const Matrix Q = orthonormal(Y);
  ASSERT_EQ(Q.cols(), 6);
  EXPECT_TRUE((Q.transpose() * Q).isApprox(Matrix::Identity(6, 6), 1e-13));
  EXPECT_TRUE((Q * (Q.transpose() * Y)).isApprox(Y, 1e-9));
}

TEST(Orthonormal, DropsWhatIsRounding) {
  detail::Random random(1, 0);
  Matrix Y = random_matrix(50, 3, random);
  Y.col(2) = Y.col(0) + Y.col(1);
  EXPECT_EQ(orthonormal(Y).cols(), 2);
  EXPECT_EQ(orthonormal(Matrix::Zero(5, 2)).cols(), 0);
}

TEST(RandomSigns, AreTheSameOnAllThreads) {
  const Matrix signs = random_signs(3000, 70, 4, 1);
  EXPECT_TRUE((signs.array().abs() == 1).all());
  EXPECT_LE(std::abs(signs.mean()), 0.01);
  EXPECT_EQ(random_signs(3000, 70, 4, 8), signs);
}

}  // namespace
}  // namespace srgw::test
