// SPDX-License-Identifier: MIT
#include "graph/generate/power_law.hpp"

#include <algorithm>
#include <cmath>

namespace srgw::detail {

namespace {

/// mean/largest of the law, with ratio = smallest/largest:
///     (e-1)/(e-2) (r - r^(e-1)) / (1 - r^(e-1)),    which rises from 0 to 1 with r.
double relative_mean(double ratio, double exponent) {
  const double log_ratio = std::log(ratio);
  return (exponent - 1) / (exponent - 2) * ratio * std::expm1((exponent - 2) * log_ratio) /
         std::expm1((exponent - 1) * log_ratio);
}

}  // namespace

double draw_power_law(double smallest, double largest, double exponent, Random& random) {
  const double ratio = smallest / largest;
  if (exponent == 1) return smallest * std::pow(ratio, -random.uniform());
  const double share_above_smallest = 1 - std::pow(ratio, exponent - 1);
  const double share_above = 1 - random.uniform() * share_above_smallest;
  return smallest * std::pow(share_above, 1 / (1 - exponent));
}

double smallest_for_mean(double mean, double largest, double exponent) {
  // Bisection for the ratio smallest/largest.
  double low = 0, high = 1;
  for (double middle; middle = (low + high) / 2, low < middle && middle < high;) {
    (relative_mean(middle, exponent) < mean / largest ? low : high) = middle;
  }
  return high * largest;
}

DiscretePowerLaw::DiscretePowerLaw(Index smallest, Index largest, double exponent)
    : smallest_(smallest) {
  double sum = 0;
  for (Index k = smallest; k <= largest; ++k) {
    sum += std::pow(static_cast<double>(k) / static_cast<double>(smallest), -exponent);
    sums_.push_back(sum);
  }
}

Index DiscretePowerLaw::draw(Random& random) const {
  const double place = random.uniform() * sums_.back();
  const auto found = std::upper_bound(sums_.begin(), sums_.end() - 1, place);
  return smallest_ + (found - sums_.begin());
}

}  // namespace srgw::detail
