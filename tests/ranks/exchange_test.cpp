// SPDX-License-Identifier: MIT
#include "ranks/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "support/thread_ranks.hpp"

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

TEST(Quanta, KeepWholeNumbersExactAndSumOthersAlikeInEveryOrder) {
  const Quanta quanta(25e6);
  EXPECT_EQ(quanta.to(quanta.from(24'999'999) + quanta.from(1)), 25e6);
  EXPECT_EQ(quanta.to(-quanta.from(3)), -3);
  EXPECT_NEAR(quanta.to(quanta.from(0.1) + quanta.from(0.2)), 0.3, 1e-10);
  EXPECT_EQ(Quanta(0).from(0.0), 0);
  EXPECT_EQ(Quanta(1e-200).to(Quanta(1e-200).from(0.25e-200)), 0.25e-200);
}

TEST(FixedPoint, RoundsTowardsZero) {
  Random random(2, 1);
  for (const double bound : {0.0, 1e-320, 3e-7, 1.0, 4e12, 1e308}) {
    const FixedPoint fixed(bound);
    const int shift = 100 - std::ilogb(bound > 0 ? bound : 1.0);
    for (int i = 0; i < 1000; ++i) {
      const double x = (bound > 0 ? bound : 1.0) * (2 * random.uniform() - 1) *
                       std::ldexp(1.0, 25 - static_cast<int>(random.below(145)));
      if (!std::isfinite(x)) continue;
      EXPECT_TRUE(fixed.from(x) ==
                  static_cast<Fixed>(std::ldexp(static_cast<long double>(x), shift)))
          << x << " of " << bound;
    }
  }
}

TEST(FixedPoint, HandlesZerosSignsAndDust) {
  const FixedPoint fixed(1.0);
  EXPECT_EQ(fixed.from(0.0), 0);
  EXPECT_EQ(fixed.from(-0.0), 0);
  EXPECT_EQ(fixed.from(-0.75), -fixed.from(0.75));
  EXPECT_EQ(fixed.to(fixed.from(5e-324)), 0);
  EXPECT_EQ(FixedPoint(0.0).to(FixedPoint(0.0).from(0.25)), 0.25);
}

/// What nodes of a graph have at a time.
std::int32_t value_of(NodeId node, int time) { return static_cast<std::int32_t>(node) * 7 + time; }

class ExchangeOnRanks : public testing::TestWithParam<int> {
 protected:
  static constexpr Index nodes = 5000;
  /// Where ranks begin; the last but one has no rows where there are more than two.
  [[nodiscard]] static std::vector<Index> starts(int count) {
    std::vector<Index> result{0};
    for (int r = 1; r < count; ++r) {
      result.push_back(r == count - 1 && count > 2 ? result.back() : 1024 * r);
    }
    result.push_back(nodes);
    return result;
  }
  /// Neighbours, in no order, of the rows of a rank.
  [[nodiscard]] static std::vector<NodeId> columns(const Ranks& ranks) {
    Random random(3, static_cast<std::uint64_t>(ranks.rank()));
    const auto begin = starts(ranks.count());
    const auto r = static_cast<std::size_t>(ranks.rank());
    std::vector<NodeId> result(begin[r] == begin[r + 1] ? 0 : 3000);
    for (NodeId& node : result) node = static_cast<NodeId>(random.below(nodes));
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(Counts, ExchangeOnRanks, testing::Values(1, 2, 3, 4));

TEST_P(ExchangeOnRanks, TurnsNodesIntoPlacesAndBack) {
  test::on_ranks(GetParam(), [&](Ranks& ranks) {
    const std::vector<NodeId> before = columns(ranks);
    std::vector<NodeId> places = before;
    const Exchange exchange(ranks, starts(ranks.count()), places);
    for (std::size_t e = 0; e < places.size(); ++e) {
      EXPECT_EQ(exchange.node(places[e]), before[e]);
    }
    for (const NodeId node : {NodeId{0}, NodeId{1023}, NodeId{1024}, NodeId{4999}}) {
      const auto holder = static_cast<std::size_t>(exchange.holder(node));
      EXPECT_LE(starts(ranks.count())[holder], Index{node});
      EXPECT_GT(starts(ranks.count())[holder + 1], Index{node});
    }
  });
}

TEST_P(ExchangeOnRanks, RefreshesCopiesOfWhatChanged) {
  test::on_ranks(GetParam(), [&](Ranks& ranks) {
    std::vector<NodeId> places = columns(ranks);
    const Exchange exchange(ranks, starts(ranks.count()), places);
    const auto begin = starts(ranks.count());
    const auto r = static_cast<std::size_t>(ranks.rank());
    const Index own = begin[r + 1] - begin[r];
    std::vector<std::int32_t> values(static_cast<std::size_t>(exchange.places(own)), -1);
    for (Index i = 0; i < own; ++i)
      values[static_cast<std::size_t>(i)] = value_of(exchange.node(i), 0);
    exchange.refresh_all(std::span(values));
    // Every third node, then every hundredth, then one: whole parcels, then positions.
    std::vector<int> times(values.size(), 0);
    for (const NodeId step : {NodeId{3}, NodeId{100}, NodeId{10'000}}) {
      std::vector<NodeId> changed, refreshed;
      for (std::size_t place = 0; place < values.size(); ++place) {
        if (exchange.node(static_cast<Index>(place)) % step != 1) continue;
        ++times[place];
        if (static_cast<Index>(place) >= own) continue;
        values[place] = value_of(exchange.node(static_cast<Index>(place)), times[place]);
        changed.push_back(static_cast<NodeId>(place));
      }
      const std::uint64_t before = exchange.rows_sent();
      exchange.refresh(std::span(values), changed, &refreshed);
      for (std::size_t place = 0; place < values.size(); ++place) {
        EXPECT_EQ(values[place], value_of(exchange.node(static_cast<Index>(place)), times[place]));
      }
      if (step > 3) {  // few: no other rows are sent
        EXPECT_LE(exchange.rows_sent() - before,
                  changed.size() * static_cast<std::size_t>(ranks.count() - 1));
      }
      std::vector<NodeId> parts;
      exchange.refresh_parts(
          changed,
          [&](NodeId row, Ranks::Bytes& bytes) { bytes.resize(bytes.size() + 1 + row % 2); },
          [&](NodeId place, std::span<const std::byte>& bytes) {
            parts.push_back(place);
            const auto holder =
                static_cast<std::size_t>(exchange.holder(exchange.node(static_cast<Index>(place))));
            const Index row = Index{exchange.node(static_cast<Index>(place))} - begin[holder];
            bytes = bytes.subspan(1 + static_cast<std::size_t>(row % 2));
          });
      for (const NodeId place : parts) EXPECT_EQ(exchange.node(place) % step, 1U);
      EXPECT_TRUE(refreshed.size() >= parts.size() || 16 * refreshed.size() > exchange.copies());
    }
  });
}

TEST_P(ExchangeOnRanks, SumsSharesAndFindsTheLargest) {
  test::on_ranks(GetParam(), [&](Ranks& ranks) {
    std::vector<NodeId> places = columns(ranks);
    const Exchange exchange(ranks, starts(ranks.count()), places);
    EXPECT_EQ(exchange.sum(std::int64_t{1}), ranks.count());
    EXPECT_EQ(exchange.largest(-2.5 - ranks.rank()), -2.5);
    EXPECT_EQ(exchange.largest(ranks.rank() - 0.5), ranks.count() - 1.5);
    Fixed number = Fixed{1} << 100;
    exchange.sum(std::span(&number, 1));
    EXPECT_TRUE(number == Fixed{ranks.count()} << 100);
    int value = ranks.rank();
    exchange.share(ranks.count() - 1, std::as_writable_bytes(std::span(&value, 1)));
    EXPECT_EQ(value, ranks.count() - 1);
  });
}

TEST(Exchange, AloneHasNothingToDo) {
  EXPECT_TRUE(alone.alone());
  EXPECT_EQ(alone.places(7), 7);
  EXPECT_EQ(alone.all_rows(7), 7);
  EXPECT_EQ(alone.node(3), 3U);
  EXPECT_EQ(alone.sum(std::int64_t{4}), 4);
  EXPECT_EQ(alone.largest(-1.5), -1.5);
  std::vector<int> values{1, 2};
  alone.refresh_all(std::span(values));
  EXPECT_EQ(values, (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace srgw::detail
