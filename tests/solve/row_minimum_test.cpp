// SPDX-License-Identifier: MIT
#include "solve/row_minimum.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.hpp"
#include "support/random_problem.hpp"

namespace srgw::detail {
namespace {

using test::random_matrix;

struct Row {
  Matrix curvature;
  std::vector<double> start, gradient;  // g at the start

  [[nodiscard]] double change(const std::vector<double>& t) const {
    const auto m = static_cast<Index>(t.size());
    Vector d(m);
    for (Index k = 0; k < m; ++k) {
      d[k] = t[static_cast<std::size_t>(k)] - start[static_cast<std::size_t>(k)];
    }
    return Eigen::Map<const Vector>(gradient.data(), m).dot(d) + d.dot(curvature * d);
  }
};

Row random_row(Index m, std::uint64_t seed, bool diagonal, double shift) {
  Random random(seed, 0);
  Matrix w = random_matrix(m, m, random);
  w = (w + w.transpose()).eval();
  if (diagonal) w = w.diagonal().cwiseAbs().asDiagonal();
  w += shift * Matrix::Identity(m, m);
  const Vector t = test::random_weights(m, true, random) * 0.3;
  const Vector g = random_matrix(m, 1, random);
  return {w, {t.begin(), t.end()}, {g.begin(), g.end()}};
}

// The smallest change over a grid of the simplex with three columns.
double best_on_grid(const Row& row, double mass) {
  constexpr int steps = 200;
  double best = 0;
  for (int a = 0; a <= steps; ++a) {
    for (int b = 0; a + b <= steps; ++b) {
      const double x = mass * a / steps;
      const double y = mass * b / steps;
      best = std::min(best, row.change({x, y, mass - x - y}));
    }
  }
  return best;
}

class RowMinimum : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RowMinimum, testing::Range<std::uint64_t>(0, 30));

TEST_P(RowMinimum, OfAConvexDiagonalIsThatOfTheGrid) {
  const Row row = random_row(3, GetParam(), true, 0.1);
  std::vector<double> t = row.start;
  std::vector<double> g = row.gradient;
  const Vector w = row.curvature.diagonal();
  RowMinimiser().minimise_diagonal({w.data(), 3}, t, g);
  EXPECT_NEAR(std::accumulate(t.begin(), t.end(), 0.0), 0.3, 1e-14);
  EXPECT_GE(*std::ranges::min_element(t), 0);
  EXPECT_LE(row.change(t), best_on_grid(row, 0.3) + 1e-12);
}

TEST_P(RowMinimum, OfAConvexRowIsThatOfTheGrid) {
  const Row row = random_row(3, GetParam(), false, 6);
  std::vector<double> t = row.start;
  std::vector<double> g = row.gradient;
  RowMinimiser::minimise(row.curvature, t, g, 1e-12);
  EXPECT_LE(row.change(t), best_on_grid(row, 0.3) + 1e-9);
}

TEST_P(RowMinimum, NeverGoesUpAndKeepsTheMass) {
  for (const bool diagonal : {true, false}) {
    const Row row = random_row(7, GetParam(), diagonal, diagonal ? -1.0 : 0.0);
    std::vector<double> t = row.start;
    std::vector<double> g = row.gradient;
    if (diagonal) {
      const Vector w = row.curvature.diagonal();
      RowMinimiser().minimise_diagonal({w.data(), 7}, t, g);
    } else {
      RowMinimiser::minimise(row.curvature, t, g, 1e-12);
    }
    EXPECT_LE(row.change(t), 1e-15);
    EXPECT_NEAR(std::accumulate(t.begin(), t.end(), 0.0), 0.3, 1e-14);
    EXPECT_GE(*std::ranges::min_element(t), 0);
  }
}

TEST(TinyRowMinimum, KeepsAMassThatRoundingLoses) {
  const Vector w = Vector::Constant(3, 0.5);
  std::vector<double> t{5e-324, 0, 0}, g{0.3, 0.1, 0.2};
  RowMinimiser().minimise_diagonal({w.data(), 3}, t, g);
  EXPECT_EQ(t, (std::vector<double>{0, 5e-324, 0}));
}

}  // namespace
}  // namespace srgw::detail
