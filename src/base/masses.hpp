// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string_view>

#include "base/message.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// The sum of masses. Throws unless there are `size` of them, all finite and none negative;
/// `reason` says where the size comes from.
inline double sum_of_masses(std::string_view name, VectorView masses, Index size,
                            std::string_view reason) {
  if (masses.size() != size) {
    fail_argument("{} has {} entries, expected {}{}", name, masses.size(), size, reason);
  }
  for (Index i = 0; i < size; ++i) {
    if (!(masses[i] >= 0 && std::isfinite(masses[i]))) {
      fail_argument("{}[{}] is {}, expected a finite number >= 0", name, i, masses[i]);
    }
  }
  return masses.sum();
}

/// Throws, too, unless the sum is positive and finite.
inline double positive_sum_of_masses(std::string_view name, VectorView masses, Index size,
                                     std::string_view reason) {
  const double sum = sum_of_masses(name, masses, size, reason);
  if (!(sum > 0 && std::isfinite(sum))) {
    fail_argument("{} sum to {}, expected a finite number above 0", name, sum);
  }
  return sum;
}

}  // namespace srgw::detail
