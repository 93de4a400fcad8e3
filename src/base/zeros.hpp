// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// A dense array of zeros; throws a resource error when its size overflows or memory is short.
[[nodiscard]] inline Matrix zeros(Index rows, Index columns) {
  constexpr Index most = std::numeric_limits<std::ptrdiff_t>::max() / Index{sizeof(double)};
  if (columns > 0 && rows > most / columns) {
    fail_resource("a dense array of {} x {} numbers, expected at most {} of them", rows, columns,
                  most);
  }
  try {
    Matrix result(rows, columns);
    // Memory comes when it is first written, which takes seconds for gigabytes.
    constexpr Index entries_between_polls = Index{1} << 22;
    for (Index i = 0; i < result.size(); i += entries_between_polls) {
      throw_if_stopped();
      std::fill_n(result.data() + i, std::min(entries_between_polls, result.size() - i), 0.0);
    }
    return result;
  } catch (const std::bad_alloc&) {
    fail_resource("no memory for a dense array of {} x {} numbers", rows, columns);
  }
}

}  // namespace srgw::detail
