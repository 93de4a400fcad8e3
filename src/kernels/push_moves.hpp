// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "kernels/source_rows.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Rows of a sparse source whose mass moves from one row of the target to another:
///
///     Y_i += a_ij factor mass_j (R_to(j) - R_from(j))   for j in `changed` and its neighbours i
struct PushMoves {
  SourceRows source;
  std::span<const NodeId> changed;
  const NodeId* from = nullptr;  ///< column of each row; null: the mass comes from nowhere
  const NodeId* to = nullptr;
  const double* mass = nullptr;
  double factor = 1;
  const double* target = nullptr;  ///< R, rows of `stride`
  Index stride = 0;                ///< a multiple of row_pass_lanes()
  double* y = nullptr;
};

/// Whether rows of this length fit in registers; push_moves() takes no others.
[[nodiscard]] bool can_push_moves(Index stride);
void push_moves(const PushMoves& moves);

}  // namespace srgw::detail
