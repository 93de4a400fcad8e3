// SPDX-License-Identifier: MIT
#pragma once

#include "base/random.hpp"

namespace srgw::detail {

/// A draw from the density x^-exponent on [smallest, largest]; exponent >= 1.
[[nodiscard]] double draw_power_law(double smallest, double largest, double exponent,
                                    Random& random);

/// The lower end at which that density, with an exponent above 2, has a given mean.
[[nodiscard]] double smallest_for_mean(double mean, double largest, double exponent);

}  // namespace srgw::detail
