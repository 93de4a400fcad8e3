// SPDX-License-Identifier: MIT
#include "srgw/run.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace srgw::test {
namespace {

TEST(Status, IsNamedLikeItsEnumerator) {
  EXPECT_EQ(name(Status::converged), "converged");
  EXPECT_EQ(name(Status::iteration_limit), "iteration_limit");
  EXPECT_EQ(name(Status::time_limit), "time_limit");
  EXPECT_EQ(name(Status::interrupted), "interrupted");
}

TEST(Status, UnknownNumbersAreRefused) {
  expect_error([] { return name(static_cast<Status>(9)); },
               "status 9, expected one of the enumerators");
}

}  // namespace
}  // namespace srgw::test
