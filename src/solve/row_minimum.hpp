// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::detail {

/// The exact minimum of an objective over one row of a plan, all others held fixed (spec 3.7). As a
/// function of the change d of the row (sum 0, t + d >= 0) it is  g'd + d'W d.
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

}  // namespace srgw::detail
