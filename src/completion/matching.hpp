// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/plan.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

struct Matching {
  Assignment columns;  ///< of each row, each taken once
  double cost = 0;     ///< mean over the rows
};

/// Rows and columns of a square matrix one to one, at the least cost.
[[nodiscard]] inline Matching cheapest_matching(const Matrix& costs) {
  const Vector masses = uniform_weights(costs.rows());
  const Transport moved = transport(costs, masses, masses);
  return {moved.plan.labels(), moved.cost};
}

}  // namespace srgw::detail
