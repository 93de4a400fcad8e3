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

TEST(Parcels, CarryAnyExceptionAndNameItsRank) {
  struct Unknown {};
  const auto expect = [](const std::function<void()>& fail, const std::string& message,
                         Error::Kind kind) {
    test::on_ranks(3, [&](Ranks& ranks) {
      try {
        together(ranks, [&] {
          if (ranks.rank() == 1) fail();
        });
        FAIL() << "nothing was thrown";
      } catch (const Error& error) {
        EXPECT_EQ(error.what(), message);
        EXPECT_EQ(error.kind(), kind);
      }
      // All ranks are still in step.
      EXPECT_EQ(total(ranks, 1), 3);
    });
  };
  expect([] { throw Unknown(); }, "rank 1 of 3: an exception of unknown type",
         Error::Kind::resource);
  expect([] { throw 7; }, "rank 1 of 3: an exception of unknown type", Error::Kind::resource);
  expect([] { throw std::runtime_error("lost"); }, "rank 1 of 3: lost", Error::Kind::resource);
  expect([] { throw std::bad_alloc(); }, "rank 1 of 3: out of memory; more ranks need less each",
         Error::Kind::resource);
  expect([] { throw Error(Error::Kind::io, "a.txt: not found"); }, "rank 1 of 3: a.txt: not found",
         Error::Kind::io);
  // Wrong input is wrong wherever it was read.
  expect([] { throw Error(Error::Kind::format, "a.txt:3: bad"); }, "a.txt:3: bad",
         Error::Kind::format);
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
