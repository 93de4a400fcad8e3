// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "srgw/types.hpp"

namespace srgw::detail {

/// How many threads a request means: 0 stands for all cores.
[[nodiscard]] int resolve_threads(int requested);

/// Calls `work(item, worker)` for every item in [0, items) on up to `threads` threads; workers are
/// numbered from 0. Items are handed out in order but may end in any: what they compute must not
/// depend on the worker. The first exception is rethrown after all threads have stopped. A call
/// from inside a parallel region runs on the calling thread alone. Before each item the StopScope
/// of the caller is polled, and Stopped is thrown when it asks to stop.
void parallel_for(Index items, int threads,
                  const std::function<void(Index item, int worker)>& work);

/// Rows are always cut into the same blocks, so that sums over a block are the same numbers on any
/// number of threads and ranks.
inline constexpr Index block_rows = 1024;
[[nodiscard]] constexpr Index block_count(Index rows) {
  return (rows + block_rows - 1) / block_rows;
}

}  // namespace srgw::detail
