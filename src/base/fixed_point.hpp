// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace srgw::detail {

/// A number of a sum in 128-bit fixed point. Integer sums do not depend on the order of their
/// terms, so neither threads nor ranks can be seen in a result.
__extension__ typedef __int128 Fixed;  // NOLINT(modernize-use-using): the keyword needs this form

/// How doubles up to a bound become fixed-point numbers: 2^24 terms of that size cannot overflow,
/// and what is cut off is 2^-100 of the bound, far below the rounding of the terms themselves.
class FixedPoint {
 public:
  explicit FixedPoint(double bound = 1) : shift_(100 - std::ilogb(bound > 0 ? bound : 1.0)) {}

  [[nodiscard]] Fixed from(double x) const {
    constexpr int mantissa_bits = 52;
    constexpr int bias = 1075;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int exponent_bits = static_cast<int>(bits >> mantissa_bits) & 0x7ff;
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
    const std::uint64_t mantissa =
        exponent_bits == 0 ? fraction : fraction | (std::uint64_t{1} << mantissa_bits);
    const int exponent = (exponent_bits == 0 ? 1 : exponent_bits) - bias + shift_;
    Fixed magnitude = 0;
    if (exponent >= 0) {
      magnitude = static_cast<Fixed>(mantissa) << exponent;
    } else if (exponent > -64) {
      magnitude = static_cast<Fixed>(mantissa >> -exponent);
    }
    return std::signbit(x) ? -magnitude : magnitude;
  }

  [[nodiscard]] double to(Fixed sum) const { return std::ldexp(static_cast<double>(sum), -shift_); }

 private:
  int shift_;
};

/// The same in 64 bits, for numbers of which all together are at most `bound`: whole numbers and
/// their sums stay exact, others are rounded to 2^-61 of the bound.
class Quanta {
 public:
  explicit Quanta(double bound)
      : scale_(std::ldexp(1.0, 61 - (bound > 0 ? std::ilogb(bound) : 0))) {}

  [[nodiscard]] std::int64_t from(double x) const { return std::llrint(x * scale_); }
  [[nodiscard]] double to(std::int64_t sum) const { return static_cast<double>(sum) / scale_; }

 private:
  double scale_;  // a power of two
};

}  // namespace srgw::detail
