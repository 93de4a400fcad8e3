// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/source_rows.hpp"
#include "srgw/types.hpp"

// Products of plans T with a source C = (a_ij) and a target R. Arrays have rows of `stride`
// numbers, a multiple of row_pass_lanes(), unless they say otherwise.

namespace srgw::detail {

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

/// Rows of a product with few columns in use: Y_i = factor sum_k columns_ki target_k, over k in
/// `used`.
struct ColumnCombination {
  Index rows = 0, stride = 0;
  std::span<const NodeId> used;
  const double* columns = nullptr;  ///< one contiguous column of `rows` numbers for each k
  const double* target = nullptr;   ///< one row for each k
  double factor = 1;
  bool accumulate = false;  ///< add to Y
  double* y = nullptr;
};
void combine_columns(const ColumnCombination& sum, Index begin, Index end);

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
  const double* target = nullptr;  ///< R
  Index stride = 0;
  double* y = nullptr;
};
/// Whether rows of this length fit in registers; push_moves() takes no others.
[[nodiscard]] bool can_push_moves(Index stride);
void push_moves(const PushMoves& moves);

/// Y_i += a_i z for all (row, a) given; `coefficients` null: ones.
void add_to_rows(std::span<const NodeId> rows, const double* coefficients, const double* z,
                 Index stride, double* y);
/// sum_k x_k rows_k over the `count` rows with x_k != 0; rows and result have `size` doubles.
void sum_of_rows(const double* x, const double* rows, Index count, Index size, double* result);
/// y += a x, of `size` doubles.
void add_scaled(const double* x, double a, Index size, double* y);

/// For rows i of a sparse source: counts_ik = how many of i's neighbours have label k. Rows of
/// counts are `stride` long, a multiple of count_lanes(); no row may have more than 65,535 entries.
struct NeighbourCounts {
  SourceRows source;
  const NodeId* labels = nullptr;
  Index stride = 0;
  const std::uint16_t* units = nullptr;  ///< count_units(stride)
  std::uint16_t* counts = nullptr;
};
void count_neighbours(const NeighbourCounts& task, Index begin, Index end);
/// The length that rows of counts are padded to a multiple of.
[[nodiscard]] Index count_lanes();
/// `stride` rows, the k-th with a one at k.
[[nodiscard]] std::vector<std::uint16_t> count_units(Index stride);

}  // namespace srgw::detail
