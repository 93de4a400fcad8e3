// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::detail {

/// Stands for "this row shares its mass over several columns, see the list of ties".
inline constexpr NodeId tied = std::numeric_limits<NodeId>::max();

/// Rows whose minimum several columns attain, with those columns.
struct TieLists {
  std::vector<NodeId> rows;
  std::vector<std::uint32_t> offsets{0};  ///< rows + 1
  std::vector<NodeId> columns;

  void clear() {
    rows.clear();
    offsets.resize(1);
    columns.clear();
  }
  void append(const TieLists& other);
};

/// One fused pass of conditional gradient over rows of an n x m array: blend the products with the
/// last direction, form the gradient in registers, take its minimum.
///
///     Y_i <- (1 - step) Y_i + step D_i
///     sigma_i = argmin_k  column_cost_k - factor s_i Y_ik + linear_factor M_ik
///
/// Rows are `stride` long, a multiple of row_pass_lanes(); the padding of column_cost is +infinity.
/// An infinite M_ik forbids a pair.
struct RowPass {
  Index stride = 0;
  double* cross = nullptr;                ///< Y
  const double* direction = nullptr;      ///< D, read only when step > 0; or null, and
  const std::uint16_t* counts = nullptr;  ///< step D_ik = unit_k counts_ik
  Index count_stride = 0;
  const double* unit = nullptr;
  double step = 0;
  const double* column_cost = nullptr;
  double factor = 0;
  const double* row_scale = nullptr;  ///< s, or null for ones
  const double* linear = nullptr;     ///< M, or null
  Index linear_stride = 0;            ///< from row to row of M, at least `stride`
  double linear_factor = 0;
  const double* weights = nullptr;  ///< h; rows of zero weight are passed over
  double tie_tolerance = 0;
  bool share_ties = true;
  NodeId* minimiser = nullptr;  ///< sigma
};

/// With X the plan of the minimisers: <X, s Y> and linear_factor <X, M>.
struct RowPassSums {
  double cross = 0, linear = 0;
};

[[nodiscard]] RowPassSums row_pass(const RowPass& pass, Index begin, Index end, TieLists& ties);

/// The number of doubles that rows are padded to a multiple of.
[[nodiscard]] Index row_pass_lanes();
/// The length of a row that holds `columns` numbers.
[[nodiscard]] Index padded_columns(Index columns);

}  // namespace srgw::detail
