// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "kernels/source_rows.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Row coordinate descent (spec 3.7) over plans that have each row on one column, for small graphs:
/// all of it stays in the first cache. With
///
///     w = 2 alpha S q,    z = 4 alpha C T R - L,    g_ik = w_k - z_ik
///
/// a row of mass h that leaves column c for k changes the objective by
///
///     h (g_ik - g_ic) + h^2 (bend_ck - C_ii loop_bend_ck),
///     bend_ck = alpha (S_cc + S_kk - 2 S_ck),    loop_bend_ck = 2 alpha (R_cc + R_kk - 2 R_ck).
///
/// The tables have a row for each column and one more for the product start: row m of S and R is
/// the mean of the others, and mass there is spread equally over all columns.
/// Rows are `stride` long, a multiple of row_pass_lanes(); padding is 0, that of w is +infinity.
struct RowMoves {
  Index columns = 0, stride = 0;
  const double* square = nullptr;     ///< 2 alpha S
  const double* cross = nullptr;      ///< 4 alpha R
  const double* bend = nullptr;       ///< up to what is constant in the row
  const double* loop_bend = nullptr;  ///< the same
  SourceRows source;                  ///< C, symmetric
  const double* weights = nullptr;    ///< h
  const double* loops = nullptr;      ///< C_ii; null: zeros
  double* w = nullptr;
  double* z = nullptr;
  NodeId* labels = nullptr;  ///< columns of rows; m: all of them
  double tolerance = 0;      ///< moves that change g by no more are not made
};

/// The order in which rows are set on columns, made on the way: next is the row with the smallest
/// priority, and then those of its neighbours fall, less and less, soon by nothing. So the first
/// rows follow their neighbours, and then all others their priority.
struct RowOrder {
  double* priority = nullptr;  ///< n, padded to a multiple of row_pass_lanes() with +infinity
  Index padded_rows = 0;
  NodeId* rows = nullptr;  ///< the order (n)
  double pull = 1;         ///< of the first row on a neighbour, for an entry of 1
};

/// Starts at the product: z = (C h)(4 alpha R 1/m)' - L. Of the two plans, which are about the same
/// graph, the second may have no z.
struct ProductStart {
  const double* sums = nullptr;           ///< C h
  const double* const* linear = nullptr;  ///< rows of M, `stride` long and padded with 0; or null
  double linear_factor = 0;
};
void start_at_product(const std::array<RowMoves, 2>& moves, const ProductStart& start);

/// Sets all rows, which must be on column m, on the best column each, given those before. Two plans
/// of one graph at the same time: what one waits for, the other has time for.
void place_rows(const std::array<RowMoves, 2>& moves, const std::array<RowOrder, 2>& orders);
/// Moves rows, one after the other in this order, to their best column, until none gains; or
/// `sweeps` times all.
void settle_rows(const RowMoves& moves, const NodeId* order, int sweeps);

/// z_i += amount C_ij (cross_to - cross_from) for the neighbours i of j, and w likewise.
void push_move(const RowMoves& moves, Index row, double amount, NodeId from, NodeId to);

/// What the labels amount to.
struct RowMoveSums {
  double form = 0;  ///< <g, T>
  double gap = 0;   ///< <g, T> - sum_i h_i min_k g_ik
};
[[nodiscard]] RowMoveSums sum_moves(const RowMoves& moves);

}  // namespace srgw::detail
