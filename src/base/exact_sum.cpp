// SPDX-License-Identifier: MIT
#include "base/exact_sum.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace srgw {

namespace {

constexpr int digit_bits = 32, mantissa_bits = 52, least_exponent = -1074;
constexpr std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;

}  // namespace

void ExactSum::add(double number) {
  if (!std::isfinite(number)) {
    ++numbers_[std::isnan(number) ? none : number > 0 ? above : below];
    return;
  }
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const auto exponent = static_cast<unsigned>(bits >> mantissa_bits) & 0x7ffU;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  const std::uint64_t mantissa =
      exponent == 0 ? fraction : fraction | std::uint64_t{1} << mantissa_bits;
  const unsigned place = exponent == 0 ? 0 : exponent - 1;  // of its last bit
  const unsigned shift = place % digit_bits;
  const std::size_t digit = place / digit_bits;
  // Mantissa times 2^shift in three digits.
  const std::uint64_t low = mantissa & digit_mask, high = mantissa >> digit_bits;
  const std::uint64_t first = low << shift, second = high << shift;
  const std::uint64_t middle = (first >> digit_bits) + (second & digit_mask);
  const std::array<std::uint64_t, 3> parts{first & digit_mask, middle & digit_mask,
                                           (second >> digit_bits) + (middle >> digit_bits)};
  const bool negative = std::signbit(number);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = static_cast<std::int64_t>(parts[i]);
    numbers_[digit + i] += negative ? -part : part;
  }
}

void ExactSum::add(const ExactSum& other) {
  for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] += other.numbers_[i];
}

double ExactSum::value() const {
  constexpr double inf = std::numeric_limits<double>::infinity();
  if (numbers_[none] > 0 || (numbers_[above] > 0 && numbers_[below] > 0)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (numbers_[above] > 0) return inf;
  if (numbers_[below] > 0) return -inf;
  // Digits in [0, 2^32), as one sum has just once; the sign is that of what is carried out.
  const auto carried = [&](std::int64_t sign, std::array<std::int64_t, digits>& result) {
    std::int64_t carry = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const std::int64_t sum = sign * numbers_[i] + carry;
      result[i] = sum & static_cast<std::int64_t>(digit_mask);
      carry = sum >> digit_bits;
    }
    return carry;
  };
  std::array<std::int64_t, digits> place{};
  const bool negative = carried(1, place) < 0;
  if (negative) carried(-1, place);
  double sum = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    sum += std::ldexp(static_cast<double>(place[i]),
                      static_cast<int>(i) * digit_bits + least_exponent);
  }
  return negative ? -sum : sum;
}

}  // namespace srgw
