// SPDX-License-Identifier: MIT
#include "solve/mirror_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "kernels/row_pass.hpp"
#include "transport/simplex.hpp"

namespace srgw::detail {

namespace {

constexpr double longest_step = 1e300;  // 1 / epsilon stays finite
constexpr double shortest_damping = 1e-6;
constexpr double rounding = 1e-14;  // relative, of values

}  // namespace

void MirrorDescentRun::prepare(const Objective& objective, const MirrorDescent& options,
                               double entropy, int threads) {
  objective_ = &objective;
  options_ = options;
  entropy_ = entropy;
  threads_ = threads;
  rows_ = objective.rows();
  columns_ = objective.columns();
  stride_ = padded_columns(columns_);
  products_.prepare(objective, stride_, threads);
  linear_.prepare(objective, stride_);
  const std::size_t entries = rows_ * stride_;
  for (auto* rows : {&plan_, &next_plan_, &best_rows_, &y_}) rows->assign(entries, 0.0);
  for (auto* rows : {&logits_, &next_logits_}) rows->assign(entries, -infinity);
  q_.assign(columns_, 0.0);
  w_.assign(columns_, 0.0);
  cost_.assign(stride_, infinity);
  block_sums_.resize(block_count(rows_));
  block_weights_.resize(block_count(rows_) * columns_);
  has_best_ = false;
  if (objective.balanced()) {
    scaling_.prepare(objective.weights, objective.target_weights, stride_, threads);
  }
}

void MirrorDescentRun::start_at(const Plan& plan) {
  const Matrix dense = plan.dense();
  for (Index i = 0; i < rows_; ++i) {
    const double h = objective_->weights[i];
    if (h == 0) continue;
    const double sum = dense.row(i).sum();
    for (Index k = 0; k < columns_; ++k) {
      // Masses near the smallest numbers are lost in a plan.
      const double share = sum > 0 ? dense(i, k) / sum : equal_share(i, k);
      plan_[i * stride_ + k] = h * share;
      logits_[i * stride_ + k] = std::log(share);  // of 0: -infinity
    }
  }
}

double MirrorDescentRun::equal_share(Index i, Index k) const {
  const AllowedPairs& allowed = objective_->allowed;
  if (allowed.everything()) return 1 / static_cast<double>(columns_);
  return allowed.allows(i, k) ? 1 / static_cast<double>(allowed.count(i)) : 0.0;
}

auto MirrorDescentRun::evaluate(double keep, double step) -> State {
  products_.of_rows(plan_, stride_, y_);
  const auto in_blocks = [&](const auto& work) {
    parallel_for(block_count(rows_), threads_, [&](Index block, int) {
      work(block, block * block_rows, std::min(rows_, (block + 1) * block_rows));
    });
  };
  sum_columns(plan_);
  // Between given weights what is constant in a column has no say.
  for (std::size_t k = 0; k < w_.size(); ++k) {
    cost_[k] = objective_->balanced() ? 0.0 : objective_->column_cost(w_[k], k);
  }

  const MirrorPass pass{.stride = stride_,
                        .cross = y_.data(),
                        .column_cost = cost_.data(),
                        .factor = 4 * objective_->alpha,
                        .row_scale = products_.row_scale(),
                        .linear = linear_.data,
                        .linear_stride = linear_.stride,
                        .linear_factor = linear_.factor,
                        .weights = objective_->weights.data(),
                        .keep = keep,
                        .step = step,
                        .with_entropy = entropy_ > 0 || options_.alternating,
                        .logits = logits_.data(),
                        .next_logits = next_logits_.data(),
                        .plan = plan_.data(),
                        .next_plan = next_plan_.data()};
  in_blocks([&](Index block, Index begin, Index end) {
    block_sums_[block] = mirror_pass(pass, begin, end);
  });
  MirrorSums sums;
  for (const MirrorSums& block : block_sums_) {
    sums.cross += block.cross;
    sums.linear += block.linear;
    sums.gap += block.gap;
    sums.entropy += block.entropy;
    sums.change += block.change;
    sums.range = std::max(sums.range, block.range);
  }
  change_ = std::sqrt(sums.change);
  range_ = sums.range;
  const double target_part = std::inner_product(q_.begin(), q_.end(), w_.begin(), 0.0);
  return {.value = {.quad = objective_->alpha * (objective_->kappa + target_part - 2 * sums.cross),
                    .linear = sums.linear,
                    .penalty = objective_->column_form(q_.data()),
                    .entropy = entropy_ * sums.entropy},
          .gap = sums.gap};
}

// q and S q
void MirrorDescentRun::sum_columns(const std::vector<double>& rows) {
  parallel_for(block_count(rows_), threads_, [&](Index block, int) {
    double* sum = block_weights_.data() + block * columns_;
    std::fill_n(sum, columns_, 0.0);
    for (Index i = block * block_rows; i < std::min(rows_, (block + 1) * block_rows); ++i) {
      for (Index k = 0; k < columns_; ++k) sum[k] += rows[i * stride_ + k];
    }
  });
  std::ranges::fill(q_, 0.0);
  for (std::size_t e = 0; e < block_weights_.size(); ++e) q_[e % q_.size()] += block_weights_[e];
  objective_->square_times(q_.data(), w_.data());
}

// The next plan, whose rows are right.
void MirrorDescentRun::fit_columns(double step) {
  if (options_.alternating) {
    step_and_scale_columns(step);
  } else {
    project();
  }
}

// It onto both weights.
void MirrorDescentRun::project() {
  (void)scaling_.scale(next_logits_, {.iterations = options_.scaling_iterations,
                                      .tolerance = options_.scaling_tolerance});
  scaling_.write_plan(next_plan_);
  double change = 0;
  for (Index i = 0; i < rows_; ++i) {
    const double h = objective_->weights[i];
    if (h == 0) continue;
    const double shift = scaling_.row_potential(i) - std::log(h);
    for (Index k = 0; k < columns_; ++k) {
      const std::size_t e = i * stride_ + k;
      const bool open = objective_->target_weights[k] > 0;
      next_logits_[e] = open ? next_logits_[e] + shift + scaling_.column_potential(k) : -infinity;
      const double moved = next_plan_[e] - plan_[e];
      change += moved * moved;
    }
  }
  change_ = std::sqrt(change);
}

double MirrorDescentRun::gradient_at(Index i, Index k) const {
  const double* scale = products_.row_scale();
  const double cross =
      -4 * objective_->alpha * (scale != nullptr ? scale[i] : 1.0) * y_[i * stride_ + k];
  if (linear_.data == nullptr) return cross;
  return cross + linear_.at(i, k);
}

// The other half of an alternating step: T_ik <- T_ik exp(-step g_ik), columns scaled to hbar.
void MirrorDescentRun::step_and_scale_columns(double step) {
  products_.of_rows(next_plan_, stride_, y_);
  std::vector<double> largest(columns_, -infinity), sum(columns_, 0.0);
  const auto for_each_entry = [&](const auto& work) {
    for (Index i = 0; i < rows_; ++i) {
      if (objective_->weights[i] == 0) continue;
      const double log_h = std::log(objective_->weights[i]);
      for (Index k = 0; k < columns_; ++k) work(i * stride_ + k, k, i, log_h);
    }
  };
  for_each_entry([&](std::size_t e, std::size_t k, Index i, double log_h) {
    next_logits_[e] += log_h - step * gradient_at(i, static_cast<Index>(k));
    largest[k] = std::max(largest[k], next_logits_[e]);
  });
  for_each_entry([&](std::size_t e, std::size_t k, Index, double) {
    if (largest[k] > -infinity) sum[k] += std::exp(next_logits_[e] - largest[k]);
  });
  double change = 0;
  for_each_entry([&](std::size_t e, std::size_t k, Index, double log_h) {
    const double mass = objective_->target_weights[k];
    next_logits_[e] =
        mass > 0 && sum[k] > 0 ? next_logits_[e] - largest[k] + std::log(mass / sum[k]) : -infinity;
    next_plan_[e] = std::exp(next_logits_[e]);
    next_logits_[e] -= log_h;
    change += (next_plan_[e] - plan_[e]) * (next_plan_[e] - plan_[e]);
  });
  change_ = std::sqrt(change);
}

// The best plan, made feasible; its value and exact gap. A large run that is stopped keeps the
// value of the plan before it was made feasible where that moved next to nothing, and the gap of
// its rows, which is an upper bound.
void MirrorDescentRun::finish_balanced(const Watch& watch, Outcome& outcome) {
  constexpr Index few_entries = Index{1} << 16;
  constexpr double next_to_nothing = 1e-8;
  const double moved =
      round_to_masses(objective_->weights, objective_->target_weights, stride_, best_rows_);
  if (rows_ * stride_ < few_entries) {
    const StopShield shield;
    evaluate_best();
    return;
  }
  try {
    evaluate_best();
  } catch (const Stopped& stopped) {
    if (!watch.returns_best()) throw;
    outcome.status = stopped.why();
    if (moved <= next_to_nothing) return;
    const StopShield shield;
    evaluate_best();
  }
}

void MirrorDescentRun::evaluate_best() {
  products_.of_rows(best_rows_, stride_, y_);
  sum_columns(best_rows_);
  std::vector<double>& gradient = next_plan_;
  double cross = 0, linear = 0, entropy = 0, cost = 0;
  for (Index i = 0; i < rows_; ++i) {
    const double* scale = products_.row_scale();
    for (Index k = 0; k < columns_; ++k) {
      const std::size_t e = i * stride_ + k;
      const double t = best_rows_[e];
      gradient[e] = gradient_at(i, k);
      cost += t * gradient[e];
      cross += t * (scale != nullptr ? scale[i] : 1.0) * y_[e];
      if (linear_.data != nullptr) {
        linear += linear_.times(t, i, k);
      }
      if (t > 0) entropy += t * (std::log(t) - 1);
    }
  }
  const double target_part = std::inner_product(q_.begin(), q_.end(), w_.begin(), 0.0);
  best_.value = {.quad = objective_->alpha * (objective_->kappa + target_part - 2 * cross),
                 .linear = linear,
                 .entropy = entropy_ == 0 ? 0.0 : entropy_ * entropy};
  basis_ = {};
  basis_.set_masses(objective_->weights, objective_->target_weights);
  (void)basis_.solve(gradient.data(), stride_);
  double least = 0;
  for (const auto& flow : basis_.flows()) {
    least += flow.mass * gradient[flow.row * stride_ + flow.column];
  }
  best_.gap = std::max(0.0, cost - least);
}

// A geometric path from anneal_from down (or up) to the final weight.
double MirrorDescentRun::epsilon_at(int iteration) const {
  if (!annealing(iteration)) return epsilon_;
  const double share = static_cast<double>(iteration) / options_.anneal_iterations;
  return first_epsilon_ * std::pow(epsilon_ / first_epsilon_, share);
}

bool MirrorDescentRun::annealing(int iteration) const {
  return options_.anneal_from > 0 && iteration < options_.anneal_iterations;
}

void MirrorDescentRun::keep_if_best(const State& state, const std::vector<double>& rows) {
  // At the end of a run values differ by rounding only, and the later plan is the better one.
  // Plans of the alternating scheme are not feasible, and their values not comparable.
  if (options_.alternating) has_best_ = false;
  const double value = state.value.total();
  const double noise = rounding * std::abs(lowest_);
  if (has_best_ && !(value <= lowest_ + noise)) return;
  lowest_ = has_best_ ? std::min(lowest_, value) : value;
  has_best_ = true;
  best_ = state;
  std::ranges::copy(rows, best_rows_.begin());
}

Outcome MirrorDescentRun::run(const Plan& start, Watch& watch, int number,
                              std::vector<Progress>& trace) {
  Outcome outcome;
  try {
    descend(start, watch, number, trace, outcome);
  } catch (const Stopped& stopped) {
    if (!watch.returns_best() || !has_best_) throw;
    outcome.status = stopped.why();
  }
  if (objective_->balanced()) finish_balanced(watch, outcome);
  outcome.gap = best_.gap;
  return outcome;
}

void MirrorDescentRun::descend(const Plan& start, Watch& watch, int number,
                               std::vector<Progress>& trace, Outcome& outcome) {
  start_at(start);
  epsilon_ = entropy_ > 0 ? entropy_ : options_.epsilon;
  first_epsilon_ = options_.anneal_from;
  if (options_.relative) {
    (void)evaluate(1, 0);
    const double unit = range_ > 0 ? range_ : 1.0;
    if (entropy_ == 0) epsilon_ *= unit;
    first_epsilon_ *= unit;
  }
  double damping = 1;  // of the entropic step
  double former = infinity;
  double moved = infinity;
  for (;; ++outcome.iterations) {
    const double epsilon = epsilon_at(outcome.iterations);
    const double step = std::min(longest_step, damping / epsilon);
    const State state = entropy_ > 0 ? evaluate(1 - damping, step) : evaluate(1, step);
    const double value = state.value.total();
    if (outcome.iterations == 0) {
      start_value_ = value;
      indifferent_ = range_ <= 1e-12 * objective_->scale;
    }
    keep_if_best(state, plan_);
    outcome.gap = best_.gap;
    const auto stop = watch.report({.start = number,
                                    .iteration = outcome.iterations,
                                    .value = value,
                                    .gap = state.gap,
                                    .step = damping,
                                    .change = outcome.iterations > 0 ? moved : 0.0},
                                   trace);
    const bool still = moved <= options_.tolerance * damping ||
                       (options_.value_tolerance > 0 &&
                        std::abs(former - value) <= options_.value_tolerance * std::abs(former));
    const bool tested =
        outcome.iterations > 0 && (outcome.iterations - 1) % options_.test_interval == 0;
    if (stop || (tested && !annealing(outcome.iterations) && still)) {
      outcome.status = stop.value_or(Status::converged);
      return;
    }
    if (outcome.iterations == options_.max_iterations) return;
    if (objective_->balanced()) fit_columns(step);
    // The step of the entropic problem overshoots where the objective is not convex enough. Mass
    // that a projection misplaced may raise the value, too, and is no reason for shorter steps.
    const double misplaced = objective_->balanced() ? options_.scaling_tolerance * range_ : 0;
    if (entropy_ > 0 && value > former + rounding * std::abs(former) + misplaced &&
        damping > shortest_damping) {
      damping /= 2;
    }
    former = value;
    moved = change_;
    std::swap(plan_, next_plan_);
    std::swap(logits_, next_logits_);
  }
}

}  // namespace srgw::detail
