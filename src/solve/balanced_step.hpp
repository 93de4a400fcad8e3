// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "solve/cross_products.hpp"
#include "solve/line_sums.hpp"
#include "solve/linear_rows.hpp"
#include "solve/objective.hpp"
#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "transport/basis.hpp"

namespace srgw::detail {

/// The step of conditional gradient between given weights (GW, FGW). It differs from RowStep in two
/// things: the direction X is an optimal transport for the gradient instead of the best column of
/// each row, and q = hbar, so that the column part of the objective is a constant. X has at most
/// n + m - 1 entries; its transport goes on from the basis of the last step.
class BalancedStep {
 public:
  /// Starts at a plan of the problem; the objective must outlive the step.
  void start(const Objective& objective, const Plan& plan, int threads);

  [[nodiscard]] Line direction();
  void advance(double gamma);
  [[nodiscard]] double gap();
  /// An upper bound of the gap from the last basis, whether or not it was optimal.
  [[nodiscard]] double bound_gap();
  void refresh();
  [[nodiscard]] Value value() const;
  /// How far rounding may change the gap at T.
  [[nodiscard]] double rounding() const;

  /// T as rows of m masses.
  [[nodiscard]] const std::vector<double>& plan_rows() const { return plan_; }

 private:
  void blend_pending_step();
  void linear_step();
  [[nodiscard]] double cross(const std::vector<double>& y) const;

  const Objective* objective_ = nullptr;
  int threads_ = 1;
  Index rows_ = 0, columns_ = 0, stride_ = 0;
  CrossProducts products_;
  LinearRows linear_;
  TransportBasis basis_;
  std::vector<double> plan_;      // T, n x m
  std::vector<double> y_, y_x_;   // Y of T (before the pending blend) and of X, n x stride
  std::vector<double> gradient_;  // n x stride
  double pending_ = 0;            // step not yet blended into y_
  double target_part_ = 0;        // q'S q
  LineSums sums_;
};

}  // namespace srgw::detail
