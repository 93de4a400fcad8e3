// SPDX-License-Identifier: MIT
#include "base/stop.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/parallel.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {
namespace {

using namespace std::chrono_literals;

TEST(Stop, NothingStopsWithoutAScope) {
  EXPECT_FALSE(stop_requested());
  EXPECT_NO_THROW(throw_if_stopped());
}

TEST(Stop, TimeLimitStopsALoopOnAllThreads) {
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<int> done = 0;
  const auto why = run_until_stopped({.time_limit = 0.05}, [&](StopScope&) {
    parallel_for(1000, 2, [&](Index, int) {
      std::this_thread::sleep_for(5ms);
      ++done;
    });
  });
  EXPECT_EQ(why, Status::time_limit);
  EXPECT_GT(done, 0);
  EXPECT_LT(done, 1000);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
}

TEST(Stop, CallerIsAskedWhileItWaitsForAWorker) {
  // The worker of the second item only ends when the caller, whose own item is done, has polled.
  std::atomic<bool> pressed = false;
  const srgw::Run run{.cancelled = [&] { return pressed.load(); }};
  const auto why = run_until_stopped(run, [&](StopScope&) {
    const auto caller = std::this_thread::get_id();
    parallel_for(2, 2, [&](Index, int) {
      if (std::this_thread::get_id() == caller) {
        std::this_thread::sleep_for(50ms);
        pressed = true;
        return;
      }
      while (!stop_requested()) std::this_thread::sleep_for(1ms);
      throw_if_stopped();
    });
    throw_if_stopped();
  });
  EXPECT_EQ(why, Status::interrupted);
}

TEST(Stop, InnerScopeStopsWithTheOuterOne) {
  StopScope outer({});
  StopScope inner({.time_limit = 1e300});
  EXPECT_FALSE(inner.stopped());
  outer.request_stop(Status::interrupted);
  EXPECT_EQ(inner.stopped(), Status::interrupted);
}

TEST(Stop, StopOfTheCallerPassesThroughCallsWithoutALimit) {
  StopScope outer({});
  outer.request_stop(Status::time_limit);
  const auto work = [](StopScope&) { throw_if_stopped(); };
  EXPECT_THROW(static_cast<void>(run_until_stopped({}, work)), Stopped);
  EXPECT_EQ(run_until_stopped({.time_limit = 100}, work), Status::time_limit);
  try {
    throw_if_stopped();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::stopped);
  }
}

TEST(Stop, ShieldSilencesPolls) {
  StopScope scope({.time_limit = 0});
  EXPECT_TRUE(stop_requested());
  {
    const StopShield shield;
    EXPECT_FALSE(stop_requested());
    int done = 0;
    parallel_for(10, 1, [&](Index, int) { ++done; });
    EXPECT_EQ(done, 10);
  }
  EXPECT_TRUE(stop_requested());
}

TEST(Stop, CounterPollsNowAndThen) {
  StopScope scope({.time_limit = 0});
  StopCounter counter(10);
  for (int i = 0; i < 9; ++i) EXPECT_NO_THROW(counter.throw_if_stopped());
  EXPECT_THROW(counter.throw_if_stopped(), Stopped);
}

}  // namespace
}  // namespace srgw::detail
