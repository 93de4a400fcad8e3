// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace srgw::detail {

/// The finaliser of SplitMix64: every bit of the result depends on every bit of x.
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// The hash of a sequence that goes on with b.
[[nodiscard]] constexpr std::uint64_t join_hashes(std::uint64_t a, std::uint64_t b) {
  return mix_bits(a * 0x9e3779b97f4a7c15U + b);
}

}  // namespace srgw::detail
