// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/types.hpp"

namespace srgw::detail {

/// w'G w - 2 c'w on the simplex.
struct SimplexQuadratic {
  const Matrix& form;    ///< G, symmetric, may be indefinite
  const Vector& linear;  ///< c
};

[[nodiscard]] double value(const SimplexQuadratic& quadratic, const Vector& w);
[[nodiscard]] Vector gradient(const SimplexQuadratic& quadratic, const Vector& w);

struct SimplexStopping {
  int max_steps = 200;
  double tolerance = 1e-5;  ///< on the change of the value in a step, relative to the value
};

/// Conditional gradient with exact line search from w; ties share the vertex. `value` is that at w
/// of a function which differs from the quadratic by a constant, and tells what a small change is.
/// Gives the value at the end, never above the first.
double minimise(const SimplexQuadratic& quadratic, const SimplexStopping& stopping, double value,
                Vector& w);

}  // namespace srgw::detail
