// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <new>

#include "base/message.hpp"
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
    return Matrix::Zero(rows, columns);
  } catch (const std::bad_alloc&) {
    fail_resource("no memory for a dense array of {} x {} numbers", rows, columns);
  }
}

}  // namespace srgw::detail
