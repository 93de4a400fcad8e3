// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace srgw::detail {

/// ln x!, thread-safe (std::lgamma writes a global variable).
[[nodiscard]] inline double log_factorial(double x) {
  int sign = 0;
  return lgamma_r(x + 1, &sign);
}

/// ln of the number of ways to distribute `items` over `boxes`: C(boxes + items - 1, items).
[[nodiscard]] inline double log_distributions(double boxes, double items) {
  return log_factorial(boxes + items - 1) - log_factorial(items) - log_factorial(boxes - 1);
}

}  // namespace srgw::detail
