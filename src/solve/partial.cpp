// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/masses.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/span_of.hpp"
#include "base/stop.hpp"
#include "solve/conditional_gradient.hpp"
#include "solve/general_step.hpp"
#include "solve/plan_writer.hpp"
#include "solve/problem_loss.hpp"
#include "solve/solver_impl.hpp"
#include "solve/unit_scale.hpp"
#include "solve/watch.hpp"

namespace srgw {

constexpr auto fields(const EntropicPartial&) {
  using O = EntropicPartial;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"entropy", &O::entropy, 1e-300, 1e300, "Weight of the entropy in each step"},
      Field{"max_iterations", &O::max_iterations, 1, 1e9, "Maximum number of iterations"},
      Field{"tolerance", &O::tolerance, 0, inf, "Change of the plan at which to stop"},
      Field{"test_interval", &O::test_interval, 1, 1e9, "Iterations between tests of it"},
      Field{"scaling_iterations", &O::scaling_iterations, 1, 1e9, "Maximum number in a step"},
      Field{"scaling_tolerance", &O::scaling_tolerance, 0, inf, "Change at which a step ends"},
  };
}

namespace {

using detail::fail_argument;

constexpr double rounding_of_masses = 1e-12;

constexpr const char* one_each = ", one for each node";

/// Calls work(problem) with the semi-relaxed problem on the same structures and costs, which is
/// checked and scaled like any other.
template <class Work>
decltype(auto) with_plain_problem(const PartialProblem& problem, const Work& work) {
  const double sum =
      detail::positive_sum_of_masses("weights", problem.weights, problem.source.size(), one_each);
  const Vector h = problem.weights / sum;
  return work(Problem{.source = problem.source,
                      .weights = h,
                      .target = problem.target,
                      .features = problem.features,
                      .loss = problem.loss});
}

detail::GeneralStep::Task task_of(const PartialProblem& problem, const Problem& scaled,
                                  int threads) {
  return {.relations = {{scaled.source, scaled.target, 1}},
          .loss = problem.loss,
          .weights = detail::span_of(problem.weights),
          .target_weights = detail::span_of(problem.target_weights),
          .mass = problem.mass,
          .partial = true,
          .linear = scaled.features ? &*scaled.features : nullptr,
          .threads = threads};
}

void check_masses(const PartialProblem& problem, MatrixView T) {
  const Index n = problem.weights.size(), m = problem.target_weights.size();
  if (T.rows() != n || T.cols() != m) {
    fail_argument("the plan is {} x {}, expected {} x {}", T.rows(), T.cols(), n, m);
  }
  if (!T.allFinite() || T.minCoeff() < 0) {
    fail_argument("the plan has an entry that is negative or no number, expected masses");
  }
}

void check_start(const PartialProblem& problem, MatrixView T) {
  constexpr double tolerance = 1e-8;
  check_masses(problem, T);
  const Vector p = T.rowwise().sum(), q = T.colwise().sum();
  const auto check_sums = [&](const char* what, const Vector& sums, const VectorSpan& most) {
    for (Index i = 0; i < sums.size(); ++i) {
      if (sums[i] <= most[i] + tolerance * most.sum()) continue;
      fail_argument("{} {} of the plan sums to {}, expected at most its weight {}", what, i,
                    sums[i], most[i]);
    }
  };
  check_sums("row", p, problem.weights);
  check_sums("column", q, problem.target_weights);
  if (!(std::abs(T.sum() - problem.mass) <= tolerance * problem.mass)) {
    fail_argument("the plan sums to {}, expected the mass {}", T.sum(), problem.mass);
  }
}

Matrix product_start(const PartialProblem& problem) {
  const double both = problem.weights.sum() * problem.target_weights.sum();
  return problem.weights * (problem.mass / both) * problem.target_weights.transpose();
}

/// Calls work(e) for lines of so many entries, some thousand entries at a time.
template <class Work>
void for_each_line(Index lines, Index entries, int threads, const Work& work) {
  constexpr Index at_once = 16384;
  const Index block = std::max<Index>(1, at_once / std::max<Index>(1, entries));
  detail::parallel_for((lines + block - 1) / block, threads, [&](Index b, int) {
    const Index end = std::min(lines, (b + 1) * block);
    for (Index e = b * block; e < end; ++e) work(e);
  });
}

double log_sum(const Matrix& logits, const Vector& u, const Vector& v, Index row, Index column) {
  // Of a row (column -1) or a column (row -1) of logits + u + v.
  const Index count = row >= 0 ? v.size() : u.size();
  const auto at = [&](Index e) {
    return row >= 0 ? logits(row, e) + v[e] : logits(e, column) + u[e];
  };
  double largest = -std::numeric_limits<double>::infinity();
  for (Index e = 0; e < count; ++e) largest = std::max(largest, at(e));
  if (!std::isfinite(largest)) return largest;
  double sum = 0;
  for (Index e = 0; e < count; ++e) sum += std::exp(at(e) - largest);
  return largest + std::log(sum);
}

/// argmin <cost, T> + entropy sum T (log T - 1) over rows up to h, columns up to hbar and the mass:
/// T_ik = exp(s + u_i + v_k - cost_ik / entropy) with u, v <= 0, by ascent in s, u and v in turn.
Matrix soft_partial_plan(const PartialProblem& problem, const Matrix& cost,
                         const EntropicPartial& options, int threads) {
  const Matrix logits = -(cost.array() - cost.minCoeff()) / options.entropy;
  const Index n = logits.rows(), m = logits.cols();
  const Vector log_h = Vector(problem.weights).array().log();
  const Vector log_hbar = Vector(problem.target_weights).array().log();
  const double log_mass = std::log(problem.mass);
  Vector u = Vector::Zero(n), v = Vector::Zero(m);
  Vector row_sums(n);
  double s = 0, former = 0;
  for (int round = 0; round < options.scaling_iterations; ++round) {
    for_each_line(m, n, threads, [&](Index k) {
      v[k] = std::min(0.0, log_hbar[k] - s - log_sum(logits, u, v, -1, k));
    });
    for_each_line(n, m, threads, [&](Index i) { row_sums[i] = log_sum(logits, u, v, i, -1); });
    for (Index i = 0; i < n; ++i) u[i] = std::min(0.0, log_h[i] - s - row_sums[i]);
    const double largest = (row_sums + u).maxCoeff();
    s = log_mass - largest -
        std::log((row_sums + u)
                     .array()
                     .unaryExpr([&](double x) { return std::exp(x - largest); })
                     .sum());
    if (round > 0 && std::abs(s - former) <= options.scaling_tolerance) break;
    former = s;
  }
  Matrix T(n, m);
  for_each_line(n, m, threads, [&](Index i) {
    for (Index k = 0; k < m; ++k) T(i, k) = std::exp(s + u[i] + v[k] + logits(i, k));
  });
  return T * (problem.mass / T.sum());
}

/// Fills a solution from the masses of a step.
void write(detail::GeneralStep& step, Solution& solution) {
  const Value value = step.value();
  const Vector& p = step.row_sums();
  const Matrix& rows = step.plan();
  detail::PlanWriter writer;
  writer.write(detail::span_of(p), detail::span_of(rows), rows.cols(), solution.plan);
  solution.target_weights = solution.plan.target_weights();
  solution.value_quad = value.quad;
  solution.value_linear = value.linear;
  solution.value = value.total();
  solution.start_values.assign(1, solution.value);
}

void step_softly(const PartialProblem& problem, const EntropicPartial& options, int threads,
                 detail::GeneralStep& step, detail::Watch& watch, Solution& solution) {
  if (watch.report({.value = step.value().total()}, solution.trace)) return;
  while (solution.iterations < options.max_iterations) {
    const Matrix next = soft_partial_plan(problem, step.gradient(), options, threads);
    const double moved = (next - step.plan()).norm();
    step.move_to(next);
    ++solution.iterations;
    const auto stop = watch.report({.iteration = solution.iterations,
                                    .value = step.value().total(),
                                    .step = 1,
                                    .change = moved},
                                   solution.trace);
    const bool tested = (solution.iterations - 1) % options.test_interval == 0;
    if (stop || (tested && moved <= options.tolerance)) {
      solution.status = stop.value_or(Status::converged);
      return;
    }
  }
}

/// Solves at the scale of the numbers as they are.
Solution solve_as_is(const PartialProblem& problem, const Problem& scaled,
                     const ConditionalGradient& options, const Matrix& start, const Run& run) {
  const int threads = detail::resolve_threads(run.threads);
  detail::Objective objective;
  detail::GeneralStep step;
  Solution solution;
  detail::Outcome outcome;
  bool started = false;  // there is a plan to return
  const auto work = [&](detail::Watch& watch) {
    begin_with(start.rows(), start.cols(), [&] {
      objective.prepare(scaled, threads);
      objective.kappa = 0;
      detail::GeneralStep::Task task = task_of(problem, scaled, threads);
      task.share_ties = false;
      step.start(std::move(task), start);
    });
    started = true;
    outcome = detail::conditional_gradient(step, objective, options, watch, 0, solution.trace);
    if (!outcome.cut) step.refresh();
  };
  const std::optional<Status> why = detail::run_within_limits(run, work);
  if (why && !started) throw detail::Stopped(*why);
  const detail::StopShield shield;
  write(step, solution);
  solution.gap = outcome.gap;
  solution.iterations = outcome.iterations;
  solution.status = why.value_or(outcome.status);
  return solution;
}

/// Calls work(step) with a step at some masses.
template <class Work>
auto with_step_at(const PartialProblem& problem, MatrixView masses, const Work& work) {
  check(problem);
  check_masses(problem, masses);
  return with_plain_problem(problem, [&](const Problem& plain) {
    detail::GeneralStep step;
    step.start(task_of(problem, plain, 1), masses);
    return work(step);
  });
}

}  // namespace

void check(const PartialProblem& problem) {
  with_plain_problem(problem, [](const Problem& plain) { check(plain); });
  const double sum = problem.weights.sum();
  const double other = detail::positive_sum_of_masses("target weights", problem.target_weights,
                                                      problem.target.size(), one_each);
  const double most = std::min(sum, other);
  if (!(problem.mass > 0 && problem.mass <= most * (1 + rounding_of_masses))) {
    fail_argument(
        "mass is {}, expected a number above 0 and at most {}, the smaller sum of weights",
        problem.mass, most);
  }
  if (!problem.source.has_rows() || !problem.target.has_rows()) {
    fail_argument("a structure that is not formed, expected entries that can be read");
  }
}

Solution solve_partial(const PartialProblem& problem, const ConditionalGradient& options,
                       const std::optional<Matrix>& start, const Run& run) {
  check(problem);
  check_fields(options);
  if (start) check_start(problem, *start);
  const Matrix from = start ? *start : product_start(problem);
  return with_plain_problem(problem, [&](const Problem& plain) {
    const int exponent = detail::scale_exponent(plain);
    if (exponent == 0) return solve_as_is(problem, plain, options, from, run);
    return detail::solve_at_unit_scale(
        plain, exponent, options, run,
        [&](const Problem& scaled, const Method& method, const Run& scaled_run) {
          return solve_as_is(problem, scaled, std::get<ConditionalGradient>(method), from,
                             scaled_run);
        });
  });
}

Solution solve_partial(const PartialProblem& problem, const EntropicPartial& options,
                       const std::optional<Matrix>& start, const Run& run) {
  check(problem);
  check_fields(options);
  const int threads = detail::resolve_threads(run.threads);
  if (start) check_start(problem, *start);
  return with_plain_problem(problem, [&](const Problem& plain) {
    detail::GeneralStep step;
    Solution solution;
    bool started = false;  // there is a plan to return
    const auto why = detail::run_within_limits(run, [&](detail::Watch& watch) {
      begin_with(plain.rows(), plain.columns(), [&] {
        step.start(task_of(problem, plain, threads), start ? *start : product_start(problem));
      });
      started = true;
      step_softly(problem, options, threads, step, watch, solution);
      solution.gap = step.gap();
    });
    if (why && !started) throw detail::Stopped(*why);
    const detail::StopShield shield;
    if (why) {
      solution.status = *why;
      solution.gap = step.bound_gap();
    }
    write(step, solution);
    return solution;
  });
}

Value value(const PartialProblem& problem, MatrixView masses) {
  return with_step_at(problem, masses, [](detail::GeneralStep& step) { return step.value(); });
}

Matrix gradient(const PartialProblem& problem, MatrixView masses) {
  return with_step_at(problem, masses, [](detail::GeneralStep& step) { return step.gradient(); });
}

}  // namespace srgw
