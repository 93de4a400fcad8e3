// SPDX-License-Identifier: MIT
// The automatic start by row descent: where it serves, and its answer.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/method.hpp"
#include "solve/solver_impl.hpp"
#include "structure/storage.hpp"

namespace srgw {

namespace {

constexpr Index most_descent_entries = Index{1} << 18;  // of the plan: its rows stay in the cache
constexpr Index most_descent_columns = 512;             // of four tables of pairs of columns
constexpr int random_pairs = 2;  // with which values are lower than those of other methods

/// Onto a diagonal target many of the best plans are soft, and conditional gradient ends lower.
bool is_diagonal(const Structure& target) {
  const detail::StructureStorage& storage = detail::storage_of(target);
  if (std::holds_alternative<detail::DiagonalStorage>(storage.form)) return true;
  const auto* const dense = std::get_if<detail::DenseStorage>(&storage.form);
  if (dense == nullptr) return false;
  for (Index k = 0; k < storage.size; ++k) {
    for (Index l = 0; l < k; ++l) {
      if (dense->matrix(k, l) != 0 || dense->matrix(l, k) != 0) return false;
    }
  }
  return true;
}

}  // namespace

bool Solver::Impl::descent_serves(const Problem& problem) const {
  return std::holds_alternative<Automatic>(method) && !problem.balanced() &&
         !detail::GeneralStep::is_needed(problem) && problem.loss == Loss::square &&
         problem.sparsity == 0 && problem.entropy == 0 && problem.alpha() > 0 &&
         problem.columns() <= most_descent_columns &&
         problem.rows() <= most_descent_entries / problem.columns() && problem.target.has_rows() &&
         detail::RowDescent::serves(problem.source) && !is_diagonal(problem.target);
}

void Solver::Impl::set_descent_target(const Problem& problem) {
  const double alpha = problem.alpha();
  const bool same = descent_target && descent_alpha == alpha &&
                    &detail::storage_of(*descent_target) == &detail::storage_of(problem.target);
  if (same) return;
  row_search.set_target(problem.target.dense(), alpha);
  descent_target = problem.target;  // and so its storage is not freed and used again
  descent_alpha = alpha;
}

// Rows of M, padded with zeros, or of (1 - alpha) M with infinity on forbidden pairs. The largest
// |M_ik|.
double Solver::Impl::pad_cost(const Problem& problem) {
  const std::size_t stride = row_search.stride(), n = problem.rows(), m = problem.columns();
  const double factor = problem.allowed.everything() ? 1 : 1 - problem.alpha();
  padded_cost.assign(n * stride, 0.0);
  cost_rows.resize(n);
  cost_sums.assign(n, 0.0);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double* row = padded_cost.data() + i * stride;
    for (std::size_t k = 0; problem.features && k < m; ++k) {
      const double cost = problem.features->cost(static_cast<Index>(i), static_cast<Index>(k));
      row[k] = factor * cost;
      cost_sums[i] += cost;
      largest = std::max(largest, std::abs(cost));
    }
    problem.allowed.for_each_forbidden(
        static_cast<Index>(i), [&](Index k) { row[k] = std::numeric_limits<double>::infinity(); });
    cost_rows[i] = row;
  }
  return largest;
}

detail::RowDescent::Graph Solver::Impl::descent_graph(const Problem& problem, const Vector& h) {
  detail::RowDescent::Graph graph{.structure = problem.source, .weights = h};
  if (problem.features || !problem.allowed.everything()) {
    graph.linear_scale = (1 - problem.alpha()) * pad_cost(problem);
    graph.linear = cost_rows;
    graph.linear_sums = cost_sums;
    graph.allowed = problem.allowed;
  }
  return graph;
}

void Solver::Impl::descend(const Problem& problem, int count, detail::Watch& watch) {
  const ConditionalGradient& options = *detail::conditional_gradient_of(method);
  constexpr double usual_tolerance = 1e-5;
  const double tolerance = options.stopping == Stopping::gap ? options.tolerance : usual_tolerance;
  set_descent_target(problem);
  const Vector h = problem.weights;
  row_search.solve(descent_graph(problem, h), tolerance,
                   {.random_pairs = random_pairs + count - 1,
                    .seed = seed_of(0),
                    .in_order = problem.rows() == problem.columns()});
  write_descent(problem, h);
  const double start_value = row_search.start_values()[row_search.best_start()];
  solution.trace.clear();
  auto stop = watch.report({.value = start_value}, solution.trace);
  if (!stop) {
    stop = watch.report(
        {.iteration = solution.iterations, .value = solution.value, .gap = solution.gap, .step = 1},
        solution.trace);
  }
  solution.status =
      stop.value_or(row_search.converged() ? Status::converged : Status::iteration_limit);
}

void Solver::Impl::write_descent(const Problem& problem, const Vector& h) {
  const std::span<const double> weights(h.data(), h.size());
  solution = {};
  if (const auto labels = row_search.labels(); !labels.empty()) {
    writer.write(weights, labels, problem.columns(), solution.plan);
  } else {
    const Matrix rows = row_search.plan();
    writer.write(weights, std::span(rows.data(), rows.size()), problem.columns(), solution.plan);
  }
  solution.target_weights = row_search.target_weights();
  solution.value_linear = row_search.linear_value();
  solution.value_quad = std::max(0.0, row_search.value() - solution.value_linear);
  solution.value = solution.value_quad + solution.value_linear;
  solution.gap = row_search.gap();
  solution.start_values = row_search.start_values();
  solution.best_start = static_cast<int>(row_search.best_start());
  solution.start_values[row_search.best_start()] = solution.value;
  solution.iterations = static_cast<int>(solution.start_values.size());
}

}  // namespace srgw
