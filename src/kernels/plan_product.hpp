// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/source_rows.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Products of whole plans, row by row: no two rows write to the same place, so any thread may take
/// any rows. All arrays but T have rows of `stride` numbers, a multiple of row_pass_lanes().

/// Z_j = scale_j T_j R, with R of `columns` rows.
struct TargetProduct {
  const double* plan = nullptr;  ///< T
  Index plan_stride = 0;         ///< from row to row of T
  Index columns = 0, stride = 0;
  const double* scale = nullptr;     ///< null: ones
  double factor = 1;                 ///< of all scales
  const double* target = nullptr;    ///< R; null: the diagonal
  const double* diagonal = nullptr;  ///< of R (`columns` numbers), where it has no more
  double* z = nullptr;
};
void multiply_target(const TargetProduct& product, Index begin, Index end);

/// Y_i = sum_j a_ij Z_j, or Y_i += that.
struct SourceProduct {
  SourceRows source;
  Index stride = 0;
  const double* z = nullptr;
  bool accumulate = false;
  double* y = nullptr;
};
void multiply_source(const SourceProduct& product, Index begin, Index end);

}  // namespace srgw::detail
