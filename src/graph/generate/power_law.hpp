// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/random.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// A draw from the density x^-exponent on [smallest, largest]; exponent >= 1.
[[nodiscard]] double draw_power_law(double smallest, double largest, double exponent,
                                    Random& random);

/// The lower end at which that density, with an exponent above 2, has a given mean.
[[nodiscard]] double smallest_for_mean(double mean, double largest, double exponent);

/// Whole numbers k in [smallest, largest] with probability proportional to k^-exponent.
class DiscretePowerLaw {
 public:
  DiscretePowerLaw(Index smallest, Index largest, double exponent);
  [[nodiscard]] Index draw(Random& random) const;

 private:
  Index smallest_;
  std::vector<double> sums_;  // of the probabilities up to a number, times a constant
};

}  // namespace srgw::detail
