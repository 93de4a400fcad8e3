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

}  // namespace srgw::detail
