// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace srgw {

/// The sum of up to 2^31 numbers of any size, without rounding until the end: it depends neither on
/// their order nor on the threads and ranks that add them. Kept as digits of 32 bits in 64-bit
/// integers (R. Neal's small superaccumulator), which ranks may simply add.
class ExactSum {
 public:
  void add(double number);
  void add(const ExactSum& other);
  /// The sum, rounded once; infinite or not a number where a term was.
  [[nodiscard]] double value() const;

  /// The whole state; adding these numbers adds the sums.
  [[nodiscard]] std::span<std::int64_t> numbers() { return numbers_; }
  [[nodiscard]] std::span<const std::int64_t> numbers() const { return numbers_; }

 private:
  // From 2^-1074 up; the last digit takes what 2^31 of the largest numbers carry.
  static constexpr std::size_t digits = 68;
  static constexpr std::size_t above = digits, below = digits + 1, none = digits + 2;
  std::array<std::int64_t, digits + 3> numbers_{};  // then infinite terms, and those not numbers
};

}  // namespace srgw
