// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace srgw::test {

/// A file that is committed with the tests.
inline std::filesystem::path test_data(const char* file) {
  return std::filesystem::path(SRGW_TEST_DATA) / file;
}

/// The folder of public datasets: $SRGW_DATA_DIR (make's DATA), or ../shared/data beside the tree.
inline std::filesystem::path shared_data() {
  const char* folder = std::getenv("SRGW_DATA_DIR");
  return folder != nullptr ? folder : SRGW_DEFAULT_DATA_DIR;
}

}  // namespace srgw::test

/// Skips the test where the public datasets are absent. .ci/run knows the phrase and fails on it.
#define SRGW_NEEDS_SHARED_DATA(file)                                \
  if (!std::filesystem::exists(srgw::test::shared_data() / (file))) \
  GTEST_SKIP() << "shared data not found: " << (srgw::test::shared_data() / (file)).string()
