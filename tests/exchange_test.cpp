// SPDX-License-Identifier: MIT
#include "exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.hpp"

namespace srgw::detail {
namespace {

class FixedPointBound : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Bounds, FixedPointBound, testing::Values(1e-300, 1e-9, 1.0, 3.0, 1e300));

TEST_P(FixedPointBound, KeepsDoublesToTheLastBit) {
  const FixedPoint fixed(GetParam());
  Random random(1, 0);
  for (int i = 0; i < 1000; ++i) {
    const double x = GetParam() * (2 * random.uniform() - 1) * std::exp2(-20 * random.uniform());
    EXPECT_EQ(fixed.to(fixed.from(x)), x);
  }
}

TEST_P(FixedPointBound, SumsAlikeInEveryOrder) {
  const FixedPoint fixed(GetParam());
  Random random(2, 0);
  std::vector<double> terms(5000);
  for (double& x : terms) x = GetParam() * random.normal() * 1e-3;
  const auto sum = [&] {
    Fixed total = 0;
    for (const double x : terms) total += fixed.from(x);
    return fixed.to(total);
  };
  const double forward = sum();
  std::ranges::reverse(terms);
  EXPECT_EQ(sum(), forward);
  std::ranges::sort(terms);
  EXPECT_EQ(sum(), forward);
}

TEST(FixedPoint, HandlesZerosSignsAndDust) {
  const FixedPoint fixed(1.0);
  EXPECT_EQ(fixed.from(0.0), 0);
  EXPECT_EQ(fixed.from(-0.0), 0);
  EXPECT_EQ(fixed.from(-0.75), -fixed.from(0.75));
  EXPECT_EQ(fixed.to(fixed.from(5e-324)), 0);
  EXPECT_EQ(FixedPoint(0.0).to(FixedPoint(0.0).from(0.25)), 0.25);
}

}  // namespace
}  // namespace srgw::detail
