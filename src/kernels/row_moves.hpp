// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/row_order.hpp"
#include "kernels/source_rows.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// The neighbours of rows, in groups of `group`, so that loops over them end where the
/// processor expects it: those of row i are groups first[i] to first[i + 1].
struct RowNeighbours {
  static constexpr std::size_t group = 4;
  const std::uint32_t* first = nullptr;
  const NodeId* nodes = nullptr;   ///< any where a group is not full
  const double* masses = nullptr;  ///< C_ij h_j; 0 where a group is not full
};

/// Row coordinate descent over plans that have each row on one column, for small graphs:
/// all of it stays in the first cache. With
///
///     w = 2 alpha S q,    z = 4 alpha C T R - L,    g_ik = w_k - z_ik
///
/// a row of mass h that leaves column c for k changes the objective by
///
///     h (g_ik - g_ic) + h^2 (bend_ck - C_ii loop_bend_ck),
///     bend_ck = alpha (S_cc + S_kk - 2 S_ck),    loop_bend_ck = 2 alpha (R_cc + R_kk - 2 R_ck).
///
/// The tables have a row for each column and two more: row m of S and R is the mean of the others,
/// and mass there is spread equally over all columns, as the product is; mass on row m + 1 is
/// nowhere.
/// Rows are `stride` long, a multiple of row_pass_lanes(); padding is 0, that of w is +infinity.
/// An infinite L_ik forbids a pair.
struct RowMoves {
  Index columns = 0, stride = 0;
  const double* square = nullptr;     ///< 2 alpha S
  const double* cross = nullptr;      ///< 4 alpha R
  const double* bend = nullptr;       ///< up to what is constant in the row
  const double* loop_bend = nullptr;  ///< the same
  SourceRows source;                  ///< C, symmetric
  RowNeighbours neighbours;           ///< the same, unless it is dense
  const double* weights = nullptr;    ///< h
  const double* loops = nullptr;      ///< C_ii; null: zeros
  /// Rows of M, `stride` long and padded with 0, or null; L is so many times M.
  const double* const* linear = nullptr;
  double linear_factor = 0;
  double* w = nullptr;
  double* z = nullptr;
  NodeId* labels = nullptr;  ///< columns of rows; m: all of them
  double tolerance = 0;      ///< moves that change g by no more are not made
};

/// Sets all rows of the product, one after the other in its order, on the best column each, given
/// those before; leaves z alone. Two plans of one graph at the same time: what one waits for, the
/// other has time for.
void place_rows(const std::array<RowMoves, 2>& moves, const RowOrders& orders);
/// Makes z of the labels, and moves rows, one after the other in their order, to their best column,
/// until none gains; or `sweeps` times all, or until a stop is requested.
void settle_rows(const std::array<RowMoves, 2>& moves, const std::array<NodeId*, 2>& orders,
                 int sweeps);

/// w and z of no mass at all.
void clear_rows(const RowMoves& moves);
/// z_i += amount C_ij (cross_to - cross_from) for the neighbours i of j, and w likewise.
void push_move(const RowMoves& moves, Index row, double amount, NodeId from, NodeId to);

/// sum_i h_i min_k g_ik: <g, T> less this is the gap of a plan.
[[nodiscard]] double sum_smallest(const RowMoves& moves);
/// For rows on several columns: the first place, from this one on in the order, whose row
/// has a gap of more than `target` h_i; n: none. `masses` is T, `stride` long rows padded with 0.
[[nodiscard]] Index next_to_spread(const RowMoves& moves, const double* masses, const NodeId* order,
                                   Index place, double target);
/// <g, T> of the same.
[[nodiscard]] double spread_form(const RowMoves& moves, const double* masses);

}  // namespace srgw::detail
