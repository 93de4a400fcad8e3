// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Purposes of the random numbers of a learner; with a number each gives a stream of its own.
enum class Draw : std::uint64_t { order = 1, batch = 2, plans = 3, revival = 4, start = 5 };

[[nodiscard]] inline Random stream(std::uint64_t seed, Draw draw, std::uint64_t number) {
  return {seed, static_cast<std::uint64_t>(draw) << 56 | number};
}

/// All numbers below `count`, in the order of an epoch.
[[nodiscard]] std::vector<std::size_t> epoch_order(std::size_t count, std::uint64_t seed,
                                                   std::uint64_t epoch);
/// `size` different numbers below `count`, drawn anew for each step.
[[nodiscard]] std::vector<std::size_t> drawn_batch(std::size_t count, std::size_t size,
                                                   std::uint64_t seed, std::uint64_t step);

}  // namespace srgw::detail
