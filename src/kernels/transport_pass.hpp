// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/types.hpp"

namespace srgw::detail {

/// The entry of a block of rows with the least reduced cost c_ik - u_i - v_k.
struct Price {
  Index row = 0, column = 0;
  double reduced = 0;
};

/// Rows of a cost are `stride` long, a multiple of row_pass_lanes(); in the padding it is +infinity
/// and v is 0. Looks at rows [begin, end), of which there is at least one.
struct PricePass {
  const double* cost = nullptr;
  Index stride = 0;
  const double* row_potential = nullptr;     ///< u
  const double* column_potential = nullptr;  ///< v
};
[[nodiscard]] Price price_rows(const PricePass& pass, Index begin, Index end);

/// Passes of Sinkhorn's scaling over the rows of an n x m array, `stride` long, a multiple of
/// row_pass_lanes().

/// K_ik = exp(row_i + column_k + logit_ik). Logits in the padding are -infinity. Numbers below
/// e^-600 count as 0.
struct KernelRows {
  Index stride = 0;
  const double* logits = nullptr;
  const double* rows = nullptr;
  const double* columns = nullptr;  ///< `stride` finite numbers
  double* kernel = nullptr;
};
void exponentiate_rows(const KernelRows& pass, Index begin, Index end);

/// One scaling of rows, and what the columns sum to after it, in one look at each row:
///
///     u_i = mass_i / <K_i, v>,      sums += u_i K_i
///
/// u_i = 0 where there is no mass; +infinity where <K_i, v> is 0.
struct ScaleRows {
  Index stride = 0;
  const double* kernel = nullptr;
  const double* masses = nullptr;
  const double* columns = nullptr;  ///< v
  double* rows = nullptr;           ///< u
  double* sums = nullptr;           ///< `stride` numbers
};
void scale_rows(const ScaleRows& pass, Index begin, Index end);

}  // namespace srgw::detail
