// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.hpp"

namespace srgw::detail {
namespace {

class ParallelFor : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, testing::Values(1, 2, 3, 8));

TEST_P(ParallelFor, RunsEveryItemOnce) {
  for (const Index items : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(items));
    parallel_for(items, GetParam(),
                 [&](Index item, int) { ++runs[static_cast<std::size_t>(item)]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
}

TEST_P(ParallelFor, NumbersWorkersFromZeroAndNeverSharesANumber) {
  std::vector<std::atomic<int>> inside(static_cast<std::size_t>(GetParam()));
  parallel_for(2000, GetParam(), [&](Index, int worker) {
    ASSERT_LT(worker, GetParam());
    auto& mine = inside[static_cast<std::size_t>(worker)];
    EXPECT_EQ(++mine, 1);
    --mine;
  });
}

TEST_P(ParallelFor, MakesWritesOfWorkersVisibleToTheCaller) {
  std::vector<Index> squares(5000);
  for (int round = 0; round < 200; ++round) {
    parallel_for(5, GetParam(), [&](Index block, int) {
      for (Index i = block * 1000; i < (block + 1) * 1000; ++i) {
        squares[static_cast<std::size_t>(i)] = i * i + round;
      }
    });
    ASSERT_EQ(squares[4999], 4999 * 4999 + round);
    ASSERT_EQ(squares[0], round);
  }
}

TEST_P(ParallelFor, RethrowsTheErrorOfTheFirstFailingItem) {
  for (int round = 0; round < 50; ++round) {
    std::string message;
    try {
      parallel_for(100, GetParam(), [](Index item, int) {
        if (item % 10 == 7) throw std::runtime_error(std::to_string(item));
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, "7");
  }
}

TEST_P(ParallelFor, WorksAgainAfterAnError) {
  EXPECT_THROW(parallel_for(10, GetParam(), [](Index, int) { throw std::logic_error("no"); }),
               std::logic_error);
  std::atomic<int> runs = 0;
  parallel_for(10, GetParam(), [&](Index, int) { ++runs; });
  EXPECT_EQ(runs, 10);
}

TEST_P(ParallelFor, RunsNestedCallsOnTheCallingThread) {
  std::atomic<int> runs = 0;
  parallel_for(8, GetParam(), [&](Index, int) {
    const auto outer = std::this_thread::get_id();
    parallel_for(16, GetParam(), [&](Index, int worker) {
      EXPECT_EQ(worker, 0);
      EXPECT_EQ(std::this_thread::get_id(), outer);
      ++runs;
    });
  });
  EXPECT_EQ(runs, 8 * 16);
}

TEST_P(ParallelFor, MayBeCalledFromSeveralThreadsAtOnce) {
  std::atomic<int> runs = 0;
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int round = 0; round < 100; ++round) {
          parallel_for(20, GetParam(), [&](Index, int) { ++runs; });
        }
      });
    }
  }
  EXPECT_EQ(runs, 4 * 100 * 20);
}

TEST(ResolveThreads, TakesZeroForAllCoresAndCapsTheRest) {
  EXPECT_GE(resolve_threads(0), 1);
  EXPECT_EQ(resolve_threads(3), 3);
  EXPECT_EQ(resolve_threads(1 << 30), 1024);
}

TEST(ResolveThreads, RefusesNegativeNumbers) {
  test::expect_error([] { return resolve_threads(-2); },
                     "threads is -2, expected 0 (all cores) or more");
}

}  // namespace
}  // namespace srgw::detail
