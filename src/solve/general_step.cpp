// SPDX-License-Identifier: MIT
#include "solve/general_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "base/span_of.hpp"
#include "base/zeros.hpp"
#include "solve/problem_loss.hpp"

namespace srgw::detail {

namespace {

double inner_product(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

/// The same masses as a plan, which multiplies faster where rows are short.
Plan plan_of(const Matrix& masses, const Vector& sums) {
  ShortRows rows;
  rows.offsets.assign(1, 0);
  for (Index i = 0; i < masses.rows(); ++i) {
    for (Index k = 0; k < masses.cols(); ++k) {
      if (masses(i, k) == 0) continue;
      rows.columns.push_back(static_cast<NodeId>(k));
      rows.masses.push_back(masses(i, k));
    }
    rows.offsets.push_back(rows.columns.size());
  }
  return Plan(Plan::Trusted{
      .weights = {sums.begin(), sums.end()}, .columns = masses.cols(), .storage = std::move(rows)});
}

// Products of fewer numbers take no time.
constexpr double quick_work = 2e7;

/// sum += factor A B, or A B', polled after every panel of rows.
template <bool transposed>
void add_product(double factor, const Matrix& A, const Matrix& B, int threads, Matrix& sum) {
  constexpr Index panel_rows = 64;
  const auto times = [&](Index begin, Index rows) {
    if constexpr (transposed) {
      sum.middleRows(begin, rows) += factor * (A.middleRows(begin, rows) * B.transpose());
    } else {
      sum.middleRows(begin, rows) += factor * (A.middleRows(begin, rows) * B);
    }
  };
  if (static_cast<double>(A.size()) * static_cast<double>(sum.cols()) <= quick_work) {
    times(0, A.rows());
    return;
  }
  const Index panels = (A.rows() + panel_rows - 1) / panel_rows;
  parallel_for(panels, threads, [&](Index panel, int) {
    times(panel * panel_rows, std::min(panel_rows, A.rows() - panel * panel_rows));
  });
}

}  // namespace

GeneralStep::Task GeneralStep::task_of(const Problem& problem) {
  Task task{.relations = {{problem.source, problem.target, problem.relation_weight}},
            .loss = problem.loss,
            .weights = span_of(problem.weights),
            .target_weights = {},
            .mass = problem.share,
            .partial = problem.partial(),
            .linear = problem.features ? &*problem.features : nullptr,
            .allowed = problem.allowed};
  task.relations.insert(task.relations.end(), problem.relations.begin(), problem.relations.end());
  return task;
}

void GeneralStep::start(Task task, const Matrix& plan) {
  task_ = std::move(task);
  rows_ = plan.rows();
  columns_ = plan.cols();
  crosses_.clear();
  // No entry of the gradient is larger, but for what rows have in common.
  double scale = 0;
  for (const Relation& relation : task_.relations) {
    crosses_.push_back(cross_target(task_.loss, relation.target).dense());
    const double cross = crosses_.back().cwiseAbs().maxCoeff();
    const double square =
        task_.loss == Loss::square ? cross * cross : relation.target.largest_entry();
    scale += relation.weight * (square + 2 * cross * relation.source.largest_entry());
  }
  scale *= 2 * task_.alpha();
  if (task_.linear != nullptr) {
    scale += (1 - task_.alpha()) * task_.linear->cost.cwiseAbs().maxCoeff();
  }
  tie_tolerance_ = task_.share_ties ? 1e-14 * scale : 0.0;
  if (!task_.target_weights.empty()) {
    // What is not matched goes to a dummy on the other side.
    const auto extended = [&](std::span<const double> masses, std::span<const double> others) {
      std::vector<double> result(masses.begin(), masses.end());
      const double sum = std::accumulate(others.begin(), others.end(), 0.0);
      result.push_back(std::max(0.0, sum - task_.mass));
      return result;
    };
    basis_ = {};
    basis_.set_masses(extended(task_.weights, task_.target_weights),
                      extended(task_.target_weights, task_.weights));
  }
  has_gradient_ = false;
  has_ties_ = false;
  set(plan, plan_);
}

// May be stopped, and leaves what was there then.
void GeneralStep::set(Matrix masses, Masses& kept) const {
  Masses result;
  result.masses = std::move(masses);
  result.p = result.masses.rowwise().sum();
  result.q = result.masses.colwise().sum();
  result.u = Vector::Zero(rows_);
  result.v = Vector::Zero(columns_);
  result.y = zeros(rows_, columns_);
  const Plan plan = plan_of(result.masses, result.p);
  for (std::size_t r = 0; r < crosses_.size(); ++r) {
    const auto& [C, Cbar, weight] = task_.relations[r];
    if (weight == 0) continue;
    result.u += weight / 2 * source_constant_gradient(task_.loss, C, result.p);
    result.v += weight / 2 * target_form_gradient(task_.loss, Cbar, result.q);
    if (C.symmetric() && Cbar.symmetric()) {
      add_product<false>(weight, C.product(plan, task_.threads), crosses_[r], task_.threads,
                         result.y);
      continue;
    }
    add_product<true>(weight / 2, C.product(plan, task_.threads), crosses_[r], task_.threads,
                      result.y);
    add_product<false>(weight / 2, C.transposed_product(plan, task_.threads), crosses_[r],
                       task_.threads, result.y);
  }
  kept = std::move(result);
}

// 2 alpha (u_i + v_k - 2 Y_ik) + (1 - alpha) M_ik
void GeneralStep::make_gradient() {
  if (has_gradient_) return;
  const double alpha = task_.alpha();
  gradient_ = -4 * alpha * plan_.y;
  gradient_.rowwise() += 2 * alpha * plan_.v.transpose();
  // Where rows keep their sums what they have in common has no say, and its rounding would hide
  // small differences.
  if (follows_rows()) gradient_.colwise() += 2 * alpha * plan_.u;
  if (task_.linear != nullptr) gradient_ += (1 - alpha) * task_.linear->cost;
  has_gradient_ = true;
}

void GeneralStep::find_minimum(Index i) {
  double least = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < columns_; ++k) {
    if (task_.allowed.allows(i, k)) least = std::min(least, gradient_(i, k));
  }
  minima_.clear();
  for (Index k = 0; k < columns_; ++k) {
    if (gradient_(i, k) <= least + tie_tolerance_ && task_.allowed.allows(i, k)) {
      minima_.push_back(k);
      if (!task_.share_ties) break;
    }
  }
}

void GeneralStep::spread_row(Index i, double mass) {
  if (mass == 0) return;
  find_minimum(i);
  has_ties_ = has_ties_ || minima_.size() > 1;
  for (const Index k : minima_) next_(i, k) = mass / static_cast<double>(minima_.size());
}

void GeneralStep::fill_rows() {
  for (Index i = 0; i < rows_; ++i) spread_row(i, task_.weights[i]);
}

// Rows are filled in the order of their minima until the mass is used.
void GeneralStep::fill_part_of_rows() {
  std::vector<double> least(rows_);
  std::vector<Index> order(rows_);
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = 0; i < rows_; ++i) {
    find_minimum(i);
    least[i] = gradient_(i, minima_.front());
    for (const Index k : minima_) least[i] = std::min(least[i], gradient_(i, k));
  }
  std::ranges::sort(order, [&](Index a, Index b) {
    return least[a] < least[b] || (least[a] == least[b] && a < b);
  });
  double left = task_.mass;
  for (const Index i : order) {
    const double mass = std::min(left, task_.weights[i]);
    spread_row(i, mass);
    left -= mass;
    if (left <= 0) break;
  }
}

// The corner between the dummies costs more than any way around it.
void GeneralStep::transport_part() {
  const double largest = gradient_.cwiseAbs().maxCoeff();
  Matrix cost = zeros(rows_ + 1, columns_ + 1);
  cost.topLeftCorner(rows_, columns_) = gradient_;
  cost(rows_, columns_) = 3 * largest + 1;
  (void)basis_.solve(cost.data(), columns_ + 1);
  for (const auto& [i, k, mass] : basis_.flows()) {
    if (static_cast<Index>(i) < rows_ && static_cast<Index>(k) < columns_) next_(i, k) += mass;
  }
  // The total is exact, whatever the dummies have been rounded to.
  const double sum = next_.sum();
  if (sum > 0) next_ *= task_.mass / sum;
}

void GeneralStep::linear_step() {
  make_gradient();
  has_ties_ = false;
  next_ = zeros(rows_, columns_);
  if (!task_.target_weights.empty()) {
    transport_part();
  } else if (task_.partial) {
    fill_part_of_rows();
  } else {
    fill_rows();
  }
}

double GeneralStep::gap() {
  linear_step();
  return std::max(0.0, inner_product(gradient_, plan_.masses) - inner_product(gradient_, next_));
}

// Without the limits of the columns the least sum is easily found, and no larger.
double GeneralStep::bound_gap() {
  if (task_.target_weights.empty()) return gap();
  make_gradient();
  next_ = zeros(rows_, columns_);
  fill_part_of_rows();
  return std::max(0.0, inner_product(gradient_, plan_.masses) - inner_product(gradient_, next_));
}

Line GeneralStep::direction() {
  linear_step();
  set(std::move(next_), direction_);
  const Matrix D = direction_.masses - plan_.masses;
  const Vector dp = direction_.p - plan_.p, dq = direction_.q - plan_.q;
  double a = dq.dot(direction_.v - plan_.v) - 2 * inner_product(D, direction_.y - plan_.y);
  if (follows_rows()) a += dp.dot(direction_.u - plan_.u);
  return {.a = task_.alpha() * a, .b = inner_product(gradient_, D)};
}

void GeneralStep::advance(double gamma) {
  if (gamma == 0) return;
  has_gradient_ = false;
  if (gamma == 1) {
    plan_ = direction_;
    return;
  }
  const double keep = 1 - gamma;
  const auto blend = [&](auto& from, const auto& to) { from = keep * from + gamma * to; };
  blend(plan_.masses, direction_.masses);
  blend(plan_.p, direction_.p);
  blend(plan_.q, direction_.q);
  blend(plan_.u, direction_.u);
  blend(plan_.v, direction_.v);
  blend(plan_.y, direction_.y);
}

void GeneralStep::refresh() {
  set(Matrix(plan_.masses), plan_);
  has_gradient_ = false;
}

Value GeneralStep::value() const {
  const double alpha = task_.alpha();
  const double quad =
      plan_.p.dot(plan_.u) + plan_.q.dot(plan_.v) - 2 * inner_product(plan_.masses, plan_.y);
  const double linear =
      task_.linear != nullptr ? inner_product(task_.linear->cost, plan_.masses) : 0.0;
  return {.quad = std::max(0.0, alpha * quad), .linear = (1 - alpha) * linear};
}

double GeneralStep::rounding() const {
  constexpr double roundings = 8 * std::numeric_limits<double>::epsilon();
  const double alpha = task_.alpha();
  const double quad = (follows_rows() ? std::abs(plan_.p.dot(plan_.u)) : 0.0) +
                      std::abs(plan_.q.dot(plan_.v)) +
                      2 * std::abs(inner_product(plan_.masses, plan_.y));
  const double linear =
      task_.linear != nullptr ? std::abs(inner_product(task_.linear->cost, plan_.masses)) : 0.0;
  return roundings * (2 * alpha * quad + (1 - alpha) * linear);
}

}  // namespace srgw::detail
