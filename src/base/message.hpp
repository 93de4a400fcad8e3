// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <utility>

#include "srgw/types.hpp"

namespace srgw::detail {

/// Throws an argument error with a formatted message: where, what was found, what was expected.
template <class... Args>
[[noreturn]] void fail_argument(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(Error::Kind::argument, fmt::format(text, std::forward<Args>(args)...));
}

/// Throws an error about memory and other limits.
template <class... Args>
[[noreturn]] void fail_resource(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(Error::Kind::resource, fmt::format(text, std::forward<Args>(args)...));
}

/// Throws an error about a file that cannot be read or written.
template <class... Args>
[[noreturn]] void fail_io(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(Error::Kind::io, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace srgw::detail
