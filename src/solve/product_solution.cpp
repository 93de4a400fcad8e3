// SPDX-License-Identifier: MIT
#include "solve/product_solution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/stop.hpp"
#include "solve/general_step.hpp"
#include "solve/objective.hpp"
#include "solve/problem_loss.hpp"
#include "solve/row_step.hpp"
#include "structure/plan_rows.hpp"

namespace srgw::detail {

namespace {

/// The rows of the gradient at h r' are 2 alpha (S r - x_i a - y_i b) + L_i with x = C h, a = R r,
/// y = C'h and b = R'r; x and y are one where the problem is symmetric.
struct ProductGradient {
  const Objective& objective;
  Vector column_cost;  // S r
  Vector x, a, y, b;

  [[nodiscard]] double at(Index i, Index k) const {
    const double cross = x[i] * a[k] + (y.size() > 0 ? y[i] * b[k] : x[i] * a[k]);
    const double g = 2 * objective.alpha * (column_cost[k] - cross);
    return objective.linear == nullptr ? g
                                       : g + objective.linear_factor * objective.linear->cost(i, k);
  }
  /// The smallest entry for a row with x_i = y_i = `sum`, a concave function of it.
  [[nodiscard]] double least(double sum) const {
    double smallest = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < a.size(); ++k) {
      smallest = std::min(smallest, 2 * objective.alpha * (column_cost[k] - 2 * sum * a[k]));
    }
    return smallest;
  }
};

/// sum_i h_i min_k g_ik, or no more than that: between its ends a concave function is above its
/// chord.
double sum_of_minima(const ProductGradient& g, const Vector& h, Index columns) {
  constexpr Index most_entries = Index{1} << 27;
  if (columns > most_entries / h.size() && g.y.size() == 0 && g.objective.linear == nullptr) {
    const double low = g.x.minCoeff(), high = g.x.maxCoeff();
    const double share = high > low ? (h.dot(g.x) - low) / (high - low) : 0.0;
    return (1 - share) * g.least(low) + share * g.least(high);
  }
  double sum = 0;
  for (Index i = 0; i < h.size(); ++i) {
    double smallest = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < columns; ++k) smallest = std::min(smallest, g.at(i, k));
    sum += h[i] * smallest;
  }
  return sum;
}

double entropy_of(const Vector& masses) {
  double sum = 0;
  for (const double mass : masses) sum += mass > 0 ? mass * std::log(mass) : 0.0;
  return sum;
}

}  // namespace

namespace {

/// Whether a product with a dense target takes longer than a stopped call may.
bool takes_long(const Problem& problem) {
  constexpr double most_work = 1e9;
  const auto columns = static_cast<double>(problem.columns());
  return columns * columns * static_cast<double>(problem.rows()) > most_work;
}

/// Where pairs are forbidden the product is no plan: each row is spread over its allowed columns.
Solution allowed_solution(const Problem& problem, const Objective& objective, Status status,
                          int threads) {
  constexpr Index most_entries = Index{1} << 26;  // of the arrays of a step
  if (problem.columns() > most_entries / problem.rows() ||
      (!objective.diagonal && takes_long(problem))) {
    throw Stopped(status);
  }
  const auto m = static_cast<double>(problem.columns());
  const Vector equal = Vector::Constant(problem.columns(), 1 / m);
  Solution solution;
  solution.plan = problem.allowed.project(Plan::from_product(problem.weights, equal));
  solution.target_weights = solution.plan.target_weights();
  RowStep step;
  step.start(objective, solution.plan, {.threads = threads});
  const Value value = step.value();
  solution.value_quad = std::max(0.0, value.quad);
  solution.value_linear = value.linear;
  solution.value_penalty = penalty(problem.sparsity, solution.target_weights);
  if (problem.entropy > 0) {
    for_each_mass(solution.plan, [&](Index, Index, double mass) {
      if (mass > 0) solution.value_entropy += problem.entropy * mass * (std::log(mass) - 1);
    });
  }
  solution.value =
      solution.value_quad + solution.value_linear + solution.value_penalty + solution.value_entropy;
  solution.value_error = objective.alpha * objective.kappa_error;
  solution.gap = step.gap();
  solution.status = status;
  solution.start_values.assign(1, solution.value);
  return solution;
}

/// The product of partial problems and of several relations.
Solution general_solution(const Problem& problem, const Objective& objective, Status status) {
  if (takes_long(problem)) throw Stopped(status);
  Solution solution;
  solution.plan = initial_plan(problem, Start::product_literal);
  solution.target_weights = solution.plan.target_weights();
  GeneralStep step;
  step.start(GeneralStep::task_of(problem), solution.plan.dense());
  const Value value = step.value();
  solution.value_quad = value.quad;
  solution.value_linear = value.linear;
  solution.value = value.total();
  solution.value_error = objective.alpha * objective.kappa_error;
  solution.gap = step.gap();
  solution.status = status;
  solution.start_values.assign(1, solution.value);
  return solution;
}

}  // namespace

Solution product_solution(const Problem& problem, Status status, int threads,
                          const std::optional<SquareForm>& constant) {
  const StopShield shield;
  if (!problem.source.has_rows() && !constant) throw Stopped(status);
  Objective objective;
  objective.prepare(problem, threads, constant);
  if (GeneralStep::is_needed(problem)) return general_solution(problem, objective, status);
  if (!problem.allowed.everything()) return allowed_solution(problem, objective, status, threads);
  const Index m = problem.columns();
  const Vector h = problem.weights;
  const Vector r = problem.balanced() ? Vector(*problem.target_weights)
                                      : Vector::Constant(m, 1.0 / static_cast<double>(m));
  const auto cross_times = [&](const Vector& x, bool transposed) -> Vector {
    if (objective.diagonal) return objective.cross_diagonal.cwiseProduct(x);
    return transposed ? Vector(objective.cross_transposed * x) : Vector(objective.cross * x);
  };
  ProductGradient g{.objective = objective,
                    .column_cost = Vector(m),
                    .x = objective.source->product(h),
                    .a = cross_times(r, false),
                    .y = {},
                    .b = {}};
  objective.square_times(r.data(), g.column_cost.data());
  if (objective.asymmetric()) {
    g.y = objective.source_transposed->product(h);
    g.b = cross_times(r, true);
  }
  const double target_part = r.dot(g.column_cost);
  const double cross = h.dot(g.x) * r.dot(g.a);

  Solution solution;
  solution.plan = Plan::from_product(problem.weights, r);
  solution.target_weights = r;
  solution.value_quad =
      std::max(0.0, objective.alpha * (objective.kappa + target_part - 2 * cross));
  if (objective.linear != nullptr) {
    solution.value_linear = objective.linear_factor * h.dot(objective.linear->cost * r);
  }
  solution.value_penalty = penalty(problem.sparsity, r);
  if (problem.entropy > 0) {
    solution.value_entropy = problem.entropy * (entropy_of(h) + entropy_of(r) - 1);
  }
  solution.value =
      solution.value_quad + solution.value_linear + solution.value_penalty + solution.value_entropy;
  solution.value_error = objective.alpha * objective.kappa_error;
  const double form = 2 * objective.alpha * (target_part - 2 * cross) + solution.value_linear;
  solution.gap = std::max(0.0, form - sum_of_minima(g, h, m));
  solution.status = status;
  solution.start_values.assign(1, solution.value);
  return solution;
}

}  // namespace srgw::detail
