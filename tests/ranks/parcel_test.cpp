// SPDX-License-Identifier: MIT
#include "ranks/parcel.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

#include "srgw/types.hpp"
#include "support/thread_ranks.hpp"

namespace srgw::detail {
namespace {

TEST(Parcels, AreJoinedOnTheFirstRankAndDealtAgain) {
  for (const int count : {1, 2, 4}) {
    test::on_ranks(count, [&](Ranks& ranks) {
      // Rank r has r numbers, the first one none.
      const auto rank = static_cast<std::size_t>(ranks.rank());
      std::vector<int> own(rank);
      std::iota(own.begin(), own.end(), static_cast<int>(100 * rank));
      const std::vector<int> all = join_on_first(&ranks, own);
      const int total = count * (count - 1) / 2;
      EXPECT_EQ(std::ssize(all), ranks.first() ? total : 0);
      if (ranks.first() && count == 4) {
        EXPECT_EQ(all, (std::vector<int>{100, 200, 201, 300, 301, 302}));
      }
      EXPECT_EQ(deal_from_first(&ranks, all, rank), own);
    });
  }
  EXPECT_EQ(join_on_first(nullptr, std::vector<int>{1, 2}), (std::vector<int>{1, 2}));
  EXPECT_EQ(deal_from_first(nullptr, std::vector<int>{1, 2}, 2), (std::vector<int>{1, 2}));
}

TEST(Parcels, CarryErrorsOfOneRankToAll) {
  test::on_ranks(3, [](Ranks& ranks) {
    // An exception of the standard library leaves nobody waiting, either.
    const auto fail = [&] {
      if (ranks.rank() == 1) throw std::length_error("too long");
    };
    EXPECT_THROW(together(ranks, fail), Error);
  });
}

TEST(Parcels, CostAboutTheSame) {
  using Starts = std::vector<std::size_t>;
  EXPECT_EQ(cut_by_cost(std::vector<std::uint64_t>(8, 5), 4), (Starts{0, 2, 4, 6, 8}));
  EXPECT_EQ(cut_by_cost(std::vector<std::uint64_t>{100, 1, 1, 1, 97}, 2), (Starts{0, 1, 5}));
  EXPECT_EQ(cut_by_cost({}, 3), (Starts{0, 0, 0, 0}));
  const Starts few = cut_by_cost(std::vector<std::uint64_t>{7, 7}, 4);  // ranks may have none
  EXPECT_EQ(few.size(), 5U);
  EXPECT_TRUE(std::ranges::is_sorted(few));
  EXPECT_EQ(few.back(), 2U);
  std::vector<std::uint64_t> costs;
  for (std::uint64_t i = 0; i < 1000; ++i) costs.push_back(1 + i * i % 37);
  const Starts starts = cut_by_cost(costs, 7);
  const auto total = std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
  for (std::size_t r = 0; r < 7; ++r) {
    std::uint64_t cost = 0;
    for (std::size_t i = starts[r]; i < starts[r + 1]; ++i) cost += costs[i];
    EXPECT_NEAR(static_cast<double>(cost), static_cast<double>(total) / 7, 40);
  }
}

}  // namespace
}  // namespace srgw::detail
