// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::detail {

/// Columns with an infinite g hold no mass and get none.
///
/// The exact minimum of an objective over one row of a plan, all others held fixed. As a function
/// of the change d of the row (sum 0, t + d >= 0) it is  g'd + d'W d.
class RowMinimiser {
 public:
  /// W diagonal. With a positive diagonal the minimum is exact: t_k = max(0, (theta - l_k) / 2
  /// W_k). Moves t to the minimum; g is used up.
  void minimise_diagonal(std::span<const double> w, std::span<double> t, std::span<double> g);
  /// W symmetric (m x m): exact moves of mass between two columns, the steepest first, until the
  /// row's own gap is at most `tolerance`. g stays the gradient at t.
  static void minimise(const Matrix& w, std::span<double> t, std::span<double> g, double tolerance);

 private:
  std::vector<NodeId> order_;
};

/// How much of g'd the row could still gain to first order: sum_k t_k (g_k - min g).
[[nodiscard]] double row_gap(std::span<const double> t, std::span<const double> g);

/// A move of mass from the column in use with the largest g to the column with the smallest.
struct RowMove {
  std::size_t from = 0, to = 0;
  double mean = 0;  ///< t'g
};
/// g(k) gives the gradient. Without a gain from == to, or g ties.
template <class Gradient>
[[nodiscard]] RowMove steepest_move(std::span<const double> t, const Gradient& g) {
  RowMove move;
  bool found = false;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (g(k) < g(move.to)) move.to = k;
    if (!(t[k] > 0)) continue;
    move.mean += t[k] * g(k);
    if (!found || g(k) > g(move.from)) move.from = k;
    found = true;
  }
  return move;
}

/// Moves as much mass as is best when x of it change the objective by  slope x + curvature x^2,
/// slope < 0. Returns the amount.
inline double make_move(const RowMove& move, double slope, double curvature, std::span<double> t) {
  const double most = t[move.from];
  const double amount = curvature > 0 ? std::min(most, -slope / (2 * curvature)) : most;
  t[move.from] = amount == most ? 0.0 : most - amount;
  t[move.to] += amount;
  return amount;
}

}  // namespace srgw::detail
