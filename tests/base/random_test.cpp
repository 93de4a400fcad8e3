// SPDX-License-Identifier: MIT
#include "base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace srgw::detail {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST(Philox, GivesTheKnownAnswersOfRandom123) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, IsAFunctionOfSeedAndItem) {
  Random one(7, 3), same(7, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(one(), same());
}

TEST(Random, GivesDifferentStreamsForDifferentSeedsAndItems) {
  std::set<std::uint64_t> firsts;
  constexpr std::uint64_t high_bit = std::uint64_t{1} << 40;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, high_bit}) {
    for (const std::uint64_t item : {std::uint64_t{0}, std::uint64_t{1}, high_bit}) {
      firsts.insert(Random(seed, item)());
    }
  }
  EXPECT_EQ(firsts.size(), 9u);
}

TEST(Random, DrawsTheWordsOfSuccessiveBlocks) {
  Random random(0x0123456789abcdef, 5);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const Words words = philox({block, 0, 5, 0}, {0x89abcdef, 0x01234567});
    EXPECT_EQ(random(), words[0] | std::uint64_t{words[1]} << 32);
    EXPECT_EQ(random(), words[2] | std::uint64_t{words[3]} << 32);
  }
}

TEST(Random, UniformHasTheMomentsOfTheUnitInterval) {
  Random random(1, 0);
  constexpr int draws = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / draws, 1. / 2, 0.005);
  EXPECT_NEAR(squares / draws, 1. / 3, 0.005);
}

TEST(Random, NormalHasTheMomentsOfTheStandardNormal) {
  Random random(2, 0);
  constexpr int draws = 100000;
  double sum = 0, squares = 0, fourths = 0;
  for (int i = 0; i < draws; ++i) {
    const double z = random.normal();
    ASSERT_TRUE(std::isfinite(z));
    sum += z;
    squares += z * z;
    fourths += z * z * z * z;
  }
  EXPECT_NEAR(sum / draws, 0, 0.02);
  EXPECT_NEAR(squares / draws, 1, 0.03);
  EXPECT_NEAR(fourths / draws, 3, 0.2);
}

TEST(Random, BelowIsUniformOnSmallBounds) {
  Random random(3, 0);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

TEST(Random, BelowStaysBelowHugeBounds) {
  Random random(4, 0);
  constexpr std::uint64_t bound = (std::uint64_t{1} << 63) + 1;  // rejects almost half of the draws
  int upper_half = 0;
  for (int i = 0; i < 10000; ++i) {
    const auto x = random.below(bound);
    ASSERT_LT(x, bound);
    upper_half += x >= bound / 2;
  }
  EXPECT_NEAR(upper_half, 5000, 300);
  EXPECT_EQ(random.below(1), 0u);
}

}  // namespace
}  // namespace srgw::detail
