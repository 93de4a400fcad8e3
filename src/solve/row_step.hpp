// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernels/row_pass.hpp"
#include "solve/cross_products.hpp"
#include "solve/direction_products.hpp"
#include "solve/line_sums.hpp"
#include "solve/linear_rows.hpp"
#include "solve/objective.hpp"
#include "solve/row_minimum.hpp"
#include "solve/vertex.hpp"
#include "srgw/plan.hpp"
#include "srgw/problem.hpp"

namespace srgw::detail {

/// The step of conditional gradient for any target and linear term: products Y (n x m) are kept and
/// blended, never recomputed. An iteration costs one fused pass over Y plus the edges of the rows
/// that chose another column.
class RowStep {
 public:
  struct Options {
    bool share_ties = true;
    int threads = 1;
  };

  /// Starts at a plan; the objective must outlive the step.
  void start(const Objective& objective, const Plan& plan, const Options& options);
  /// Starts at h 1'/m.
  void start_at_product(const Objective& objective, const Options& options);

  /// Linear step: X_i = h_i e_k with k the minimum of row i of the gradient; then the line T -> X.
  [[nodiscard]] Line direction();
  /// T <- (1 - gamma) T + gamma X
  void advance(double gamma);

  /// Value at T, from sums that are carried along.
  [[nodiscard]] Value value() const;
  /// How far rounding may change the gap at T.
  [[nodiscard]] double rounding() const;
  /// Recomputes Y and all sums from T, so that rounding does not pile up.
  void refresh();
  /// Rows that the last direction sends elsewhere than the one before.
  [[nodiscard]] Index changed_rows() const { return static_cast<Index>(changed_.size()); }
  /// Whether the last direction has rows in which several columns tie.
  [[nodiscard]] bool has_ties() const { return !direction_.ties.rows.empty(); }

  /// The Frank-Wolfe gap <g, T - X> at T, when no line is wanted.
  [[nodiscard]] double gap();

  /// Minimises the objective over one row after the other, exactly, and keeps T and all sums up to
  /// date. Rows whose own gap is below `tolerance` times their weight stay. Returns the decrease.
  double sweep(double tolerance);

  /// The gap by a pass over Y, which is at hand wherever a step was stopped.
  [[nodiscard]] double bound_gap() { return gap(); }
  /// Recomputes the value from T: from the entries of C where T is a vertex, else by refresh().
  [[nodiscard]] Value final_value();

  [[nodiscard]] std::span<const double> target_weights() const { return q_; }
  /// T, when each row is on one column: the columns; empty otherwise.
  [[nodiscard]] std::span<const NodeId> labels() const;
  /// T as rows of m masses; valid until the next call.
  [[nodiscard]] std::span<const double> plan_rows();

 private:
  void prepare(const Objective& objective, const Options& options);
  void start_at_shares();
  void start_sums();
  void place_weightless(Vertex& vertex) const;
  [[nodiscard]] double linear_form(const Vertex& vertex) const;
  void apply_pending_step();
  void remake_products(std::span<const double> rows);
  void materialise_plan();
  void linear_step();
  void collect_changes();
  [[nodiscard]] double slope() const;
  bool minimise_row(Index i, double tolerance);

  const Objective* objective_ = nullptr;
  Options options_;
  Index rows_ = 0, columns_ = 0, stride_ = 0;
  CrossProducts products_;

  enum class Form { product, vertex, array };
  Form form_ = Form::array;
  std::vector<double> shares_;  // T = h shares'
  Vertex vertex_;               // T = vertex
  std::vector<double> plan_;    // T = plan_scale_ plan_, n x m
  double plan_scale_ = 1;
  std::vector<double> y_;           // Y of T, n x stride, before the pending blend
  double pending_ = 0;              // step not yet blended into y_
  LinearRows linear_;               // M
  std::vector<NodeId> weightless_;  // rows without weight, where pairs are forbidden
  std::vector<double> q_, w_;       // q and S q
  std::vector<double> cost_;        // 2 alpha S q, padded with infinity
  double tie_tolerance_ = 0;        // columns closer than this to a row's minimum tie with it
  LineSums sums_;                   // of T and the last X

  Vertex direction_, former_;  // X, and the X before
  std::vector<NodeId> changed_;
  DirectionProducts y_x_;  // Y of X
  std::vector<double> q_x_, w_x_, column_sums_;

  // For sweeps: the diagonal of C; gradient, change and curvature of a row.
  std::vector<double> diagonal_;
  RowMinimiser minimiser_;
  std::vector<double> gradient_row_, row_change_;
  Vector curvature_row_;
  Matrix curvature_;

  std::vector<TieLists> block_ties_;
  std::vector<RowPassSums> block_sums_;
};

}  // namespace srgw::detail
