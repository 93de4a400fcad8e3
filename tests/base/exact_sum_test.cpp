// SPDX-License-Identifier: MIT
#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "base/sampling.hpp"

namespace srgw {
namespace {

double sum_of(const std::vector<double>& numbers) {
  ExactSum sum;
  for (const double x : numbers) sum.add(x);
  return sum.value();
}

TEST(ExactSum, LosesNothing) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of({1, 1e-300, -1}), 1e-300);
  EXPECT_EQ(sum_of({-1e16, -1, -1}), -1e16 - 2);
  EXPECT_EQ(sum_of({0.1, -0.1}), 0);
  const double least = std::numeric_limits<double>::denorm_min();
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({least, least, least}), 3 * least);
  EXPECT_EQ(sum_of({most, -most, least}), least);
  EXPECT_EQ(sum_of({most, most, -most}), most);
}

TEST(ExactSum, IsNearTheSumOfManyNumbersInAnyOrderAndInParts) {
  detail::Random random(3, 1);
  std::vector<double> numbers;
  long double expected = 0;
  for (int i = 0; i < 20000; ++i) {
    numbers.push_back(std::ldexp(random.normal(), static_cast<int>(random.below(60)) - 30));
    expected += numbers.back();
  }
  const double value = sum_of(numbers);
  EXPECT_NEAR(value, static_cast<double>(expected), 1e-9);
  detail::shuffle(numbers, random);
  EXPECT_EQ(sum_of(numbers), value);
  ExactSum parts[3];
  for (std::size_t i = 0; i < numbers.size(); ++i) parts[i % 7 % 3].add(numbers[i]);
  parts[0].add(parts[1]);
  for (std::size_t i = 0; i < parts[0].numbers().size(); ++i) {  // as ranks do
    parts[0].numbers()[i] += parts[2].numbers()[i];
  }
  EXPECT_EQ(parts[0].value(), value);
}

TEST(ExactSum, KeepsWhatIsNotFinite) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_of({1, inf, 2}), inf);
  EXPECT_EQ(sum_of({-inf, 5}), -inf);
  EXPECT_TRUE(std::isnan(sum_of({-inf, inf})));
  EXPECT_TRUE(std::isnan(sum_of({std::nan(""), 1})));
}

}  // namespace
}  // namespace srgw
