// SPDX-License-Identifier: MIT
#pragma once

#include <variant>

#include "srgw/solve.hpp"

namespace srgw::detail {

/// The options of conditional gradient, also where the method is automatic; null: mirror descent.
[[nodiscard]] inline const ConditionalGradient* conditional_gradient_of(const Method& method) {
  if (const auto* automatic = std::get_if<Automatic>(&method)) return automatic;
  return std::get_if<ConditionalGradient>(&method);
}

}  // namespace srgw::detail
