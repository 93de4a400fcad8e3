// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/objective.hpp"
#include "srgw/solve.hpp"

namespace srgw::detail {

/// The size of value that a relative gap refers to. Not |value| alone: where its constant part
/// alpha kappa dominates (with the modularity structure kappa is n / 4d) the part that moves is
/// much smaller than the value.
inline double moving_part(double value, double constant, double least) {
  const double moving = std::min(std::abs(value), std::abs(value - constant));
  return std::max(moving, 1e-12 * least);
}
inline double moving_part(double value, const Objective& objective) {
  return moving_part(value, objective.alpha * objective.kappa,
                     std::min(objective.unit, objective.scale));
}

/// The gap is a difference of terms of this size: below a few roundings of them it says nothing,
/// and a plan that only rounding could leave (the product onto a symmetric target) is at its end.
inline double rounding_of_gap(const Objective& objective, double square_form, double cross_form,
                              double linear_form) {
  constexpr double roundings = 8 * std::numeric_limits<double>::epsilon();
  return roundings * (2 * objective.alpha * (std::abs(square_form) + 2 * std::abs(cross_form)) +
                      std::abs(linear_form));
}

/// Whether a step that changed the value ends the run, by the rules of the reference codes.
inline bool small_change(const ConditionalGradient& options, double former, double value,
                         double unit) {
  const double change = std::abs(former - value);
  switch (options.stopping) {
    case Stopping::change:
      return change < options.tolerance * std::abs(value) || change < options.absolute_tolerance ||
             change == 0;
    case Stopping::change_of_former:
      return change <= options.tolerance * std::max(std::abs(former), 1e-15 * unit);
    case Stopping::gap: return false;
  }
  return false;
}

}  // namespace srgw::detail
