// SPDX-License-Identifier: MIT
#include "structure/chebyshev.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "structure/storage.hpp"
#include "structure/transforms/walk.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"
#include "support/random_problem.hpp"

namespace srgw::test {
namespace {

using detail::heat_series;
using detail::HeatSeries;
using detail::ImplicitKernelStorage;

class Series : public testing::TestWithParam<std::tuple<double /*t*/, double /*tolerance*/>> {};

INSTANTIATE_TEST_SUITE_P(Times, Series,
                         testing::Combine(testing::Values(0, 1e-300, 1e-9, 0.1, 1, 5, 30, 100, 1e4),
                                          testing::Values(1e-15, 1e-10, 1e-3, 0.5)));

TEST_P(Series, SumsToTheExponentialWithinItsError) {
  const auto [t, tolerance] = GetParam();
  const HeatSeries series = heat_series(t, tolerance);
  EXPECT_LE(series.error, tolerance);
  for (const double x : {-1.0, -0.5, 0.0, 0.3, 0.99, 0.9999, 1.0}) {
    double sum = 0;
    for (int k = 0; k <= series.degree(); ++k) {
      sum += series.coefficients[static_cast<std::size_t>(k)] * std::cos(k * std::acos(x));
    }
    EXPECT_NEAR(sum, std::exp(-t * (1 - x)), series.error + 1e-14) << x;
  }
}

TEST_P(Series, IsTheShortestOne) {
  const auto [t, tolerance] = GetParam();
  const HeatSeries series = heat_series(t, tolerance);
  for (const double coefficient : series.coefficients) EXPECT_GT(coefficient, 0);
  if (series.degree() > 0) {
    EXPECT_GT(series.error + series.coefficients.back(), tolerance);
  }
}

TEST(Series, HasAboutRootOfTManyTerms) {
  EXPECT_EQ(heat_series(0, 1e-10).degree(), 0);
  EXPECT_NEAR(heat_series(100, 1e-10).degree(), std::sqrt(2 * 100 * std::log(2e10)), 10);
  EXPECT_NEAR(heat_series(1e4, 1e-10).degree(), std::sqrt(2 * 1e4 * std::log(2e10)), 100);
}

TEST(Series, IsRefusedWhenTooLong) {
  expect_error([] { return heat_series(1e12, 1e-10); },
               "t is 1000000000000: its series has more than 100000 terms, expected a smaller t or "
               "a kernel of low rank",
               Error::Kind::resource);
}

ImplicitKernelStorage kernel_of(const Graph& graph, double t) {
  detail::Random random(3, 0);
  return {.walk = detail::heat_walk(graph, 1),
          .series = heat_series(t, 1e-12),
          .outer = random_weights(graph.nodes(), true, random),
          .factor = 1.5};
}

Matrix brute_force_kernel(const ImplicitKernelStorage& kernel, double t) {
  const Matrix N = dense_walk(kernel.walk);
  const Matrix L = Matrix::Identity(N.rows(), N.rows()) - N;
  return kernel.factor * kernel.outer.asDiagonal() * brute_force_exponential(-t * L) *
         kernel.outer.asDiagonal();
}

Matrix applied(const ImplicitKernelStorage& kernel, const Matrix& X, int threads) {
  Matrix Y(X.rows(), X.cols());
  apply(kernel, X.data(), X.cols(), Y.data(), threads);
  return Y;
}

class Applied : public testing::TestWithParam<std::tuple<bool /*directed*/, Index /*columns*/>> {
 protected:
  static Graph graph(Index nodes) {
    return random_graph({.nodes = nodes,
                         .directed = std::get<0>(GetParam()),
                         .weighted = true,
                         .self_loops = true,
                         .lonely = 3});
  }
  const Index columns_ = std::get<1>(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Widths, Applied,
                         testing::Combine(testing::Bool(),
                                          testing::Values(1, 2, 5, 8, 15, 16, 24, 64, 70)));

TEST_P(Applied, EqualsTheDenseProduct) {
  for (const double t : {0.0, 0.1, 5.0, 100.0}) {
    const ImplicitKernelStorage kernel = kernel_of(graph(40), t);
    detail::Random random(1, 0);
    const Matrix X = random_matrix(40, columns_, random);
    const Matrix difference = applied(kernel, X, 1) - brute_force_kernel(kernel, t) * X;
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST_P(Applied, DoesNotDependOnThreadsOrOtherColumns) {
  const ImplicitKernelStorage kernel = kernel_of(graph(3000), 2);
  detail::Random random(1, 0);
  const Matrix X = random_matrix(3000, columns_, random);
  const Matrix one = applied(kernel, X, 1);
  EXPECT_EQ(applied(kernel, X, 2), one);
  EXPECT_EQ(applied(kernel, X, 8), one);
  const Matrix last = X.rightCols(1);
  EXPECT_EQ(applied(kernel, last, 1), Matrix(one.rightCols(1)));
}

TEST_P(Applied, WalkEqualsItsDenseProduct) {
  const ImplicitKernelStorage kernel = kernel_of(graph(40), 1);
  detail::Random random(1, 0);
  const Matrix X = random_matrix(40, columns_, random);
  Matrix Y(40, columns_);
  apply_walk(kernel.walk, X.data(), columns_, Y.data(), 1);
  EXPECT_TRUE(Y.isApprox(dense_walk(kernel.walk) * X, 1e-14));
}

TEST(Applied, KeepsMassForALongTime) {
  // exp(-tL) D^1/2 1 = D^1/2 1: the rounding of some thousand terms shows here.
  const Graph graph = random_graph({.nodes = 500, .degree = 6});
  const ImplicitKernelStorage kernel{
      .walk = detail::heat_walk(graph, 1), .series = heat_series(1e5, 1e-14), .outer = {}};
  const Matrix X = graph.degrees().cwiseSqrt();
  EXPECT_TRUE(applied(kernel, X, 1).isApprox(X, 1e-10));
}

}  // namespace
}  // namespace srgw::test
