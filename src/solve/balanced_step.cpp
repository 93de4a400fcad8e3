// SPDX-License-Identifier: MIT
#include "solve/balanced_step.hpp"

#include <algorithm>
#include <numeric>

#include "base/row_blocks.hpp"
#include "base/stop.hpp"
#include "kernels/row_pass.hpp"
#include "solve/stopping.hpp"

namespace srgw::detail {

void BalancedStep::start(const Objective& objective, const Plan& plan, int threads) {
  objective_ = &objective;
  threads_ = threads;
  rows_ = objective.rows();
  columns_ = objective.columns();
  stride_ = padded_columns(columns_);
  products_.prepare(objective, stride_, threads);
  linear_.prepare(objective, stride_);
  // A basis of another problem would do, but where several plans are optimal the answer would
  // depend on it.
  basis_ = {};
  basis_.set_masses(objective.weights, objective.target_weights);
  for (auto* rows : {&y_, &y_x_, &gradient_}) rows->assign(rows_ * stride_, 0.0);
  pending_ = 0;
  const Matrix dense = plan.dense();
  plan_.assign(dense.data(), dense.data() + dense.size());
  std::vector<double> w(columns_);
  objective.square_times(objective.target_weights.data(), w.data());
  target_part_ = std::inner_product(w.begin(), w.end(), objective.target_weights.begin(), 0.0);
  refresh();
}

// May be stopped while the products are made, and leaves those of before then.
void BalancedStep::refresh() {
  blend_pending_step();
  products_.of_rows(plan_, columns_, y_x_);
  y_.swap(y_x_);
  sums_ = {};
  for (Index i = 0; i < rows_; ++i) {
    const double* t = plan_.data() + i * columns_;
    sums_.tt +=
        products_.row_scale(i) * std::inner_product(t, t + columns_, y_.data() + i * stride_, 0.0);
    if (linear_.data == nullptr) continue;
    sums_.lt += objective_->linear_factor *
                std::inner_product(t, t + columns_, linear_.data + i * linear_.stride, 0.0);
  }
}

Line BalancedStep::direction() {
  linear_step();
  products_.of_flows(basis_.flows(), y_x_);
  sums_.xx = cross(y_x_);
  return {.a = sums_.curvature(objective_->alpha), .b = sums_.slope(objective_->alpha)};
}

double BalancedStep::gap() {
  linear_step();
  return std::max(0.0, -sums_.slope(objective_->alpha));
}

// <X, Y>
double BalancedStep::cross(const std::vector<double>& y) const {
  double sum = 0;
  for (const auto& [i, k, mass] : basis_.flows()) {
    sum += mass * products_.row_scale(i) * y[i * stride_ + k];
  }
  return sum;
}

// <g, T> less what the potentials of the last basis leave of it: they need not be optimal.
double BalancedStep::bound_gap() {
  blend_pending_step();
  Vector u, v;
  basis_.potentials(gradient_.data(), stride_, u, v);
  double cost = 0;
  for (Index i = 0; i < rows_; ++i) {
    const double* t = plan_.data() + i * columns_;
    cost += std::inner_product(t, t + columns_, gradient_.data() + i * stride_, 0.0);
  }
  const auto sum = [](std::span<const double> masses, const Vector& potentials) {
    return std::inner_product(masses.begin(), masses.end(), potentials.begin(), 0.0);
  };
  return std::max(0.0, cost - sum(objective_->weights, u) - sum(objective_->target_weights, v));
}

// Y of T, and the gradient L_ik - 4 alpha Y_ik: what is constant in a row or a column does not
// matter.
void BalancedStep::blend_pending_step() {
  const StopShield shield;  // for all rows or for none
  const double keep = 1 - pending_;
  for_each_row(rows_, threads_, [&](Index i) {
    const double factor = -4 * objective_->alpha * products_.row_scale(i);
    double* y = y_.data() + i * stride_;
    const double* y_x = y_x_.data() + i * stride_;
    double* g = gradient_.data() + i * stride_;
    if (pending_ > 0) {
      for (Index k = 0; k < columns_; ++k) y[k] = keep * y[k] + pending_ * y_x[k];
    }
    for (Index k = 0; k < columns_; ++k) g[k] = factor * y[k];
    if (linear_.data == nullptr) return;
    for (Index k = 0; k < columns_; ++k) g[k] += linear_.at(i, k);
  });
  pending_ = 0;
}

// X
void BalancedStep::linear_step() {
  blend_pending_step();
  (void)basis_.solve(gradient_.data(), stride_);
  sums_.xt = cross(y_);
  sums_.lx = 0;
  if (linear_.data == nullptr) return;
  for (const auto& [i, k, mass] : basis_.flows()) {
    sums_.lx += mass * objective_->linear_factor * linear_.data[i * linear_.stride + k];
  }
}

void BalancedStep::advance(double gamma) {
  if (gamma == 0) return;
  pending_ = gamma;
  sums_.advance(gamma);
  for (double& t : plan_) t *= 1 - gamma;
  for (const auto& [i, k, mass] : basis_.flows()) plan_[i * columns_ + k] += gamma * mass;
}

double BalancedStep::rounding() const {
  return rounding_of_gap(*objective_, target_part_, sums_.tt, sums_.lt);
}

Value BalancedStep::value() const {
  return {.quad = objective_->alpha * (objective_->kappa + target_part_ - 2 * sums_.tt),
          .linear = sums_.lt};
}

}  // namespace srgw::detail
