// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

namespace srgw::detail {

/// A number of a sum in 128-bit fixed point. Integer sums do not depend on the order of their
/// terms, so that results do not depend on threads or ranks.
__extension__ typedef __int128 Fixed;  // NOLINT(modernize-use-using): the keyword needs this form

/// How doubles up to a bound become fixed-point numbers: 2^24 terms of that size cannot overflow,
/// and the rounding is 2^-100 of the bound, far below the rounding of the terms themselves.
class FixedPoint {
 public:
  explicit FixedPoint(double bound = 1)
      : shift_(100 - std::ilogb(bound > 0 ? bound : 1.0)),
        // One power of two may be too large for a double, its halves are not.
        half_(std::ldexp(1.0, (shift_ - low_bits) / 2)),
        other_half_(std::ldexp(1.0, shift_ - low_bits - (shift_ - low_bits) / 2)) {}

  /// x 2^shift, rounded towards zero.
  [[nodiscard]] Fixed from(double x) const {
    constexpr Fixed unit = Fixed{1} << low_bits;
    const double scaled = x * half_ * other_half_;
    if (!(std::abs(scaled) < 0x1p62)) return static_cast<Fixed>(scaled) * unit;  // a whole number
    const auto whole = static_cast<std::int64_t>(scaled);
    const double rest = scaled - static_cast<double>(whole);  // exact
    return whole * unit + static_cast<std::int64_t>(rest * static_cast<double>(unit));
  }

  [[nodiscard]] double to(Fixed sum) const { return std::ldexp(static_cast<double>(sum), -shift_); }

 private:
  static constexpr int low_bits = 60;  // of the part below `whole`
  int shift_;
  double half_, other_half_;
};

/// Fixed point in 64 bits, for numbers of which all together are at most `bound`: whole numbers and
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
