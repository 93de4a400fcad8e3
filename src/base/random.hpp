// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace srgw::detail {

/// A stream of random numbers named by (seed, item): counter-based (Philox 4x32-10), so that
/// item i draws the same numbers on every thread count. Satisfies UniformRandomBitGenerator.
class Random {
 public:
  using result_type = std::uint64_t;

  Random(std::uint64_t seed, std::uint64_t item);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()();

  /// In [0, 1), 53 random bits.
  double uniform();
  /// In [0, bound), without bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal.
  double normal();

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

/// One Philox 4x32-10 block.
[[nodiscard]] std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key);

}  // namespace srgw::detail
