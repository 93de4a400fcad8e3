// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "srgw/types.hpp"

namespace srgw::test {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The call must throw an Error of this kind with exactly this message.
template <class Call>
void expect_error(Call call, const std::string& message, Error::Kind kind = Error::Kind::argument) {
  try {
    static_cast<void>(call());
    ADD_FAILURE() << "nothing thrown, expected: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), message);
    EXPECT_EQ(error.kind(), kind);
  }
}

/// The call throws an argument error whose message contains the text.
template <class Call>
void expect_refused(const std::string& text, const Call& call) {
  try {
    static_cast<void>(call());
    ADD_FAILURE() << "nothing thrown, expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::argument);
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

}  // namespace srgw::test
