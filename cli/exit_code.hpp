// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "srgw/types.hpp"

namespace srgw::cli {

/// Exit codes of the program.
enum ExitCode : int {
  exit_fine = 0,
  exit_internal = 1,
  exit_usage = 2,
  exit_bad_input = 3,
  exit_not_converged = 4,  ///< with --strict
  exit_resource = 5,
  exit_interrupted = 130,
};

/// Arguments that are wrong for every input.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> text, Args&&... args) {
  throw UsageError(fmt::format(text, std::forward<Args>(args)...));
}

/// Calls `work`; argument errors of the library become usage errors with the prefix `before`.
template <class Work>
auto as_usage(const std::string& before, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw UsageError(before + error.what());
  }
}

/// An option that does not fit the input.
template <class... Args>
[[noreturn]] void fail_input(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(Error::Kind::argument, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace srgw::cli
