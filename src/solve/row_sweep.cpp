// SPDX-License-Identifier: MIT
// Row coordinate descent on the state of RowStep: the polish of conditional gradient.
#include <algorithm>

#include "base/stop.hpp"
#include "solve/row_step.hpp"

namespace srgw::detail {

double RowStep::sweep(double tolerance) {
  apply_pending_step();
  (void)plan_rows();  // T itself, not a multiple of it
  const double before = value().total();
  diagonal_.resize(rows_);
  for (Index i = 0; i < rows_; ++i) diagonal_[i] = objective_->source->at(i, i);
  gradient_row_.resize(columns_);
  row_change_.resize(columns_);
  bool moved = false;
  for (Index i = 0; i < rows_ && !stop_requested(); ++i) {
    moved = minimise_row(i, tolerance) || moved;
  }
  if (moved) {
    start_sums();  // right, but for the rounding of many changes
    y_x_.forget();
    refresh();
  }
  return before - value().total();
}

void RowStep::apply_pending_step() {
  if (pending_ == 0) return;
  y_x_.blend(pending_, y_);
  pending_ = 0;
}

// Whether the row moved.
bool RowStep::minimise_row(Index i, double tolerance) {
  const double h = objective_->weights[i];
  if (h == 0) return false;
  const std::span<double> t(plan_.data() + i * columns_, columns_);
  const double alpha = objective_->alpha;
  const double scale = products_.row_scale(i);
  for (Index k = 0; k < columns_; ++k) {
    gradient_row_[k] = objective_->column_cost(w_[k], k) - 4 * alpha * scale * y_[i * stride_ + k] +
                       (linear_.data == nullptr ? 0.0 : linear_.at(i, k));
  }
  if (row_gap(t, gradient_row_) <= tolerance * h) return false;

  // W = alpha (S - 2 C_ii R)
  std::ranges::copy(t, row_change_.begin());
  const double c = diagonal_[i];
  if (objective_->diagonal) {
    curvature_row_ = alpha * (objective_->square_diagonal - 2 * c * objective_->cross_diagonal);
    minimiser_.minimise_diagonal({curvature_row_.data(), static_cast<std::size_t>(columns_)}, t,
                                 gradient_row_);
  } else {
    curvature_ =
        alpha * objective_->square - alpha * c * (objective_->cross + objective_->cross_transposed);
    RowMinimiser::minimise(curvature_, t, gradient_row_, 0.1 * tolerance * h);
  }

  for (Index k = 0; k < columns_; ++k) row_change_[k] = t[k] - row_change_[k];
  products_.add(i, row_change_, y_);
  for (Index k = 0; k < columns_; ++k) {
    const double change = row_change_[k];
    if (change == 0) continue;
    q_[k] += change;
    if (objective_->diagonal) {
      w_[k] += objective_->square_diagonal[k] * change;
    } else {
      add_scaled(objective_->square.data() + k * columns_, change, columns_, w_.data());
    }
  }
  return true;
}

}  // namespace srgw::detail
