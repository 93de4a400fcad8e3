// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/message.hpp"
#include "base/span_of.hpp"
#include "solve/conditional_gradient.hpp"
#include "solve/label_step.hpp"
#include "solve/method.hpp"
#include "solve/problem_loss.hpp"
#include "solve/product_solution.hpp"
#include "solve/solver_impl.hpp"
#include "solve/starts/starts.hpp"
#include "solve/unit_scale.hpp"
#include "structure/plan_rows.hpp"

namespace srgw {

namespace {

// From here on an n x m array leaves the cache, and labels with lists are the better plan.
constexpr Index many_entries = Index{1} << 18;
// Three arrays of this many entries (1.5 GB: Y of plan and direction, the plan) may be made.
constexpr Index most_entries = Index{1} << 26;

bool is_short(const Plan& plan) {
  return std::holds_alternative<Labels>(plan.storage()) ||
         std::holds_alternative<ShortRows>(plan.storage());
}

Plan product_plan(const Problem& problem) { return initial_plan(problem, Start::product_literal); }

// Each row spread equally over the columns that it may use.
Plan allowed_product(const detail::Objective& objective) {
  const Index m = objective.columns();
  const Eigen::Map<const Vector> h(objective.weights.data(), objective.rows());
  return objective.allowed.project(
      Plan::from_product(h, Vector::Constant(m, 1.0 / static_cast<double>(m))));
}

bool is_hard(const Plan& plan) {
  if (plan.is_assignment()) return true;
  const auto* rows = std::get_if<ShortRows>(&plan.storage());
  return rows != nullptr && rows->columns.size() <= static_cast<std::size_t>(plan.rows());
}

// Whether there are zeros between nodes that have mass.
bool has_closed_entries(const Problem& problem, const Plan& plan) {
  const Matrix T = plan.dense();
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index k = 0; k < T.cols(); ++k) {
      if (T(i, k) == 0 && problem.weights[i] > 0 && (*problem.target_weights)[k] > 0) return true;
    }
  }
  return false;
}

const Majorisation& majorisation_of(const Method& method) {
  return std::visit([](const auto& options) -> const Majorisation& { return options.majorisation; },
                    method);
}

/// Recomputed from the plan, or as it was carried along where that takes long and the run was
/// stopped.
template <class Step, class Recompute>
Value value_after(detail::Outcome& outcome, const detail::Watch& watch, const Step& step,
                  const Recompute& recompute) {
  try {
    return recompute();
  } catch (const detail::Stopped& stopped) {
    if (!watch.returns_best()) throw;
    outcome.status = stopped.why();
    return step.value();
  }
}

}  // namespace

void Solver::Impl::check_method(const Problem& problem) const {
  const auto* descent = std::get_if<MirrorDescent>(&method);
  if (descent != nullptr && detail::GeneralStep::is_needed(problem)) {
    detail::fail_argument(
        "mirror descent with {}, expected conditional gradient, which solves such problems",
        problem.partial() ? "a share below 1" : "several relations");
  }
  if (descent != nullptr && descent->alternating && !problem.balanced()) {
    detail::fail_argument(
        "alternating scaling needs target weights; semi-relaxed problems scale rows only");
  }
  if (descent != nullptr && descent->alternating && problem.entropy > 0) {
    detail::fail_argument(
        "alternating scaling with entropy {}, expected 0; its epsilon is a step length",
        problem.entropy);
  }
  if (problem.entropy > 0 && descent == nullptr) {
    detail::fail_argument(
        "entropy is {}, but conditional gradient solves problems without entropy; use mirror "
        "descent",
        problem.entropy);
  }
}

void Solver::Impl::solve_within_limits(const Problem& problem, const Plan* start) {
  constant.reset();  // of another problem, if its race has thrown
  if (const int exponent = detail::scale_exponent(problem); exponent != 0) {
    solution = detail::solve_at_unit_scale(
        problem, exponent, method, run,
        [&](const Problem& scaled, const Method& scaled_method, const Run& scaled_run) {
          Solver solver(scaled_method, scaled_run);
          return start != nullptr ? solver.solve(scaled, *start) : solver.solve(scaled);
        });
    return;
  }
  const auto why = detail::run_within_limits(
      run, [&](detail::Watch& watch) { solve(problem, start, watch, 0); });
  if (why) solution = detail::product_solution(problem, *why, resolved_threads());
}

void Solver::Impl::solve(const Problem& problem, const Plan* start, detail::Watch& watch,
                         int number) {
  const Course course{watch, number, resolved_threads()};
  begin_with(problem.rows(), problem.columns(),
             [&] { objective.prepare(problem, course.threads, constant); });
  solution.value_error = objective.alpha * objective.kappa_error;
  solution.trace.clear();
  solution.left_symmetric_start = false;
  solution.softened_start = false;
  stuck_by_symmetry = false;
  if (problem.sparsity > 0) {
    majorise(problem, start, course);
  } else {
    solve_once(problem, start, course);
    solution.rounds = 1;
  }
  place_weightless(problem);
  solution.start_values.assign(1, solution.value);
}

void Solver::Impl::place_weightless(const Problem& problem) {
  if (problem.allowed.everything() || !solution.plan.is_assignment()) return;
  if (solution.plan.weights().minCoeff() > 0) return;
  solution.plan = problem.allowed.project(solution.plan);
}

void Solver::Impl::solve_once(const Problem& problem, const Plan* start, const Course& course) {
  if (const auto* options = std::get_if<MirrorDescent>(&method)) {
    check_arrays_fit(objective.rows(), objective.columns());
    solve_with_mirror(problem, start, *options, course);
  } else {
    solve_exactly(problem, start, *detail::conditional_gradient_of(method), course);
  }
}

void Solver::Impl::majorise(const Problem& problem, const Plan* start, const Course& course) {
  const Majorisation& options = majorisation_of(method);
  Solution best;
  Plan last;
  double former = std::numeric_limits<double>::infinity();
  int iterations = 0;
  int rounds = 0;
  Status status = Status::iteration_limit;
  const Plan* from = start;
  while (rounds < options.max_rounds) {
    try {
      solve_once(problem, from, course);
    } catch (const detail::Stopped& stopped) {
      if (rounds == 0 || !course.watch.returns_best()) throw;
      status = stopped.why();
      break;
    }
    ++rounds;
    iterations += solution.iterations;
    set_penalty(problem);
    if (rounds == 1 || solution.value < best.value) best = solution;
    if (rounds == 1 && stuck_by_symmetry) break;
    const bool stopped =
        solution.status == Status::interrupted || solution.status == Status::time_limit;
    const bool still =
        std::abs(former - solution.value) <= options.round_tolerance * std::abs(solution.value);
    if (stopped || still) {
      status = stopped ? solution.status : Status::converged;
      break;
    }
    former = solution.value;
    set_slope(problem);
    if (options.warm) {
      last = solution.plan;
      from = &last;
      warm = true;
    }
  }
  warm = false;
  best.trace = std::move(solution.trace);
  best.iterations = iterations;
  best.rounds = rounds;
  best.status = status;
  solution = std::move(best);
  set_slope(problem);
  try {
    solution.gap = gap_at(solution.plan, course);
  } catch (const detail::Stopped& stopped) {
    if (!course.watch.returns_best()) throw;
    solution.status = stopped.why();  // and the gap is that of the last round
  }
}

void Solver::Impl::set_slope(const Problem& problem) {
  const Vector slope = detail::penalty_gradient(problem.sparsity, solution.target_weights);
  objective.column_slope.assign(slope.begin(), slope.end());
}

void Solver::Impl::set_penalty(const Problem& problem) {
  solution.value_penalty = detail::penalty(problem.sparsity, solution.target_weights);
  solution.value =
      solution.value_quad + solution.value_linear + solution.value_penalty + solution.value_entropy;
}

void Solver::Impl::solve_with_mirror(const Problem& problem, const Plan* start,
                                     const MirrorDescent& options, const Course& course) {
  std::optional<Plan> own;
  if (start == nullptr) {
    own = product_plan(problem);
  } else if (!warm && (problem.balanced() ? has_closed_entries(problem, *start)
                                          : is_hard(*start) && problem.columns() > 1)) {
    // Mirror descent cannot open a column that a row does not use.
    own = problem.allowed.project(detail::soften(*start));
    solution.softened_start = true;
  }
  mirror.prepare(objective, options, problem.entropy, course.threads);
  const detail::Outcome outcome =
      mirror.run(own ? *own : *start, course.watch, course.start, solution.trace);
  writer.write_soft(objective.weights, mirror.rows(), mirror.stride(), objective.columns(),
                    solution.plan);
  solution.target_weights = solution.plan.target_weights();
  finish(outcome, mirror.value());
  stuck_by_symmetry = start == nullptr && !problem.balanced() && mirror.indifferent() &&
                      mirror.start_value() - mirror.value().total() <= 1e-12 * objective.scale;
}

void Solver::Impl::solve_exactly(const Problem& problem, const Plan* start,
                                 const ConditionalGradient& options, const Course& course) {
  if (detail::GeneralStep::is_needed(problem)) {
    check_arrays_fit(objective.rows(), objective.columns());
    solve_generally(problem, start, options, course);
  } else if (problem.balanced()) {
    check_arrays_fit(objective.rows(), objective.columns());
    const Plan product = start != nullptr ? Plan() : product_plan(problem);
    solve_balanced(start != nullptr ? *start : product, options, course);
  } else if (use_labels(start)) {
    detail::with_label_width(objective.columns(), [&]<class Label>() {
      solve_with_labels<Label>(*start, options, course);
    });
  } else {
    check_arrays_fit(objective.rows(), objective.columns());
    solve_with_rows(start, options, course);
  }
}

bool Solver::Impl::use_labels(const Plan* start) const {
  const bool many = objective.columns() > many_entries / objective.rows();
  return start != nullptr && many && is_short(*start) &&
         detail::LabelStep<NodeId>::serves(objective);
}

double Solver::Impl::gap_at(const Plan& plan, const Course& course) {
  if (use_labels(&plan)) {
    detail::LabelStep<NodeId> step(objective, {.threads = course.threads});
    step.start(plan);
    return step.gap();
  }
  row_step.start(objective, plan, {.threads = course.threads});
  return row_step.gap();
}

bool Solver::Impl::arrays_fit(Index rows, Index columns) { return columns <= most_entries / rows; }

void Solver::Impl::check_arrays_fit(Index rows, Index columns) {
  if (arrays_fit(rows, columns)) return;
  detail::fail_resource(
      "{} x {} products would take more than {} numbers; start from labels (random-labels or "
      "spectral) and a diagonal target, which need no such array",
      rows, columns, most_entries);
}

template <class Label>
void Solver::Impl::solve_with_labels(const Plan& start, const ConditionalGradient& options,
                                     const Course& course) {
  detail::LabelStep<Label> step(
      objective, {.share_ties = options.ties == Ties::share,
                  .threads = course.threads,
                  .may_ask_for_arrays = arrays_fit(objective.rows(), objective.columns())});
  step.start(start);
  const detail::Outcome outcome = detail::conditional_gradient(
      step, objective, options, course.watch, course.start, solution.trace);
  if (outcome.unfinished) {
    const Plan so_far = step.plan();
    solve_with_rows(&so_far, options, course, outcome.iterations);
    return;
  }
  if (!outcome.cut) step.refresh();
  solution.plan = step.plan();
  solution.target_weights = solution.plan.target_weights();
  finish(outcome, step.value());
}

void Solver::Impl::solve_with_rows(const Plan* start, const ConditionalGradient& options,
                                   const Course& course, int done) {
  const detail::RowStep::Options step_options{.share_ties = options.ties == Ties::share,
                                              .threads = course.threads};
  begin_with(objective.rows(), objective.columns(), [&] {
    if (start != nullptr) {
      row_step.start(objective, *start, step_options);
    } else if (objective.allowed.everything()) {
      row_step.start_at_product(objective, step_options);
    } else {
      row_step.start(objective, allowed_product(objective), step_options);
    }
  });
  const double start_value = row_step.value().total();
  detail::Outcome outcome = detail::conditional_gradient(row_step, objective, options, course.watch,
                                                         course.start, solution.trace, done);
  const Value value =
      value_after(outcome, course.watch, row_step, [&] { return row_step.final_value(); });
  solution.target_weights =
      Eigen::Map<const Vector>(row_step.target_weights().data(), objective.columns());
  if (const auto labels = row_step.labels(); !labels.empty()) {
    writer.write(objective.weights, labels, objective.columns(), solution.plan);
  } else {
    writer.write(objective.weights, row_step.plan_rows(), objective.columns(), solution.plan);
  }
  finish(outcome, value);
  stuck_by_symmetry = start == nullptr && row_step.has_ties() &&
                      start_value - solution.value <= 1e-12 * objective.scale;
}

void Solver::Impl::solve_balanced(const Plan& start, const ConditionalGradient& options,
                                  const Course& course) {
  begin_with(objective.rows(), objective.columns(),
             [&] { balanced_step.start(objective, start, course.threads); });
  detail::Outcome outcome = detail::conditional_gradient(
      balanced_step, objective, options, course.watch, course.start, solution.trace);
  const Value value = value_after(outcome, course.watch, balanced_step, [&] {
    balanced_step.refresh();
    return balanced_step.value();
  });
  writer.write(objective.weights, balanced_step.plan_rows(), objective.columns(), solution.plan);
  solution.target_weights = solution.plan.target_weights();
  finish(outcome, value);
}

void Solver::Impl::solve_generally(const Problem& problem, const Plan* start,
                                   const ConditionalGradient& options, const Course& course) {
  begin_with(objective.rows(), objective.columns(), [&] {
    detail::GeneralStep::Task task = detail::GeneralStep::task_of(problem);
    task.share_ties = options.ties == Ties::share;
    task.threads = course.threads;
    const Plan product = start != nullptr ? Plan() : product_plan(problem);
    general_step.start(std::move(task), (start != nullptr ? *start : product).dense());
  });
  const double start_value = general_step.value().total();
  detail::Outcome outcome = detail::conditional_gradient(
      general_step, objective, options, course.watch, course.start, solution.trace);
  const Value value = value_after(outcome, course.watch, general_step, [&] {
    general_step.refresh();
    return general_step.value();
  });
  const Vector& sums = problem.partial() ? general_step.row_sums() : Vector(problem.weights);
  const Matrix& rows = general_step.plan();
  writer.write(detail::span_of(sums), detail::span_of(rows), objective.columns(), solution.plan);
  solution.target_weights = solution.plan.target_weights();
  finish(outcome, value);
  stuck_by_symmetry = start == nullptr && general_step.has_ties() &&
                      start_value - solution.value <= 1e-12 * objective.scale;
}

void Solver::Impl::finish(const detail::Outcome& outcome, const Value& value) {
  solution.value_quad = std::max(0.0, value.quad);
  solution.value_linear = value.linear;
  solution.value_penalty = 0;  // that of the value is only its tangent
  solution.value_entropy = value.entropy;
  solution.value = solution.value_quad + solution.value_linear + solution.value_entropy;
  solution.gap = outcome.gap;
  solution.iterations = outcome.iterations;
  solution.status = outcome.status;
}

Solver::Solver(Method method, Run run) : impl_(std::make_unique<Impl>()) {
  if (const auto* mirror = std::get_if<MirrorDescent>(&method); mirror && mirror->epsilon == 0) {
    detail::fail_argument(
        "epsilon is 0, expected a number above 0: the exact problem is for conditional gradient");
  }
  std::visit([](const auto& options) { check_fields(options); }, method);
  impl_->method = std::move(method);
  impl_->run = std::move(run);
}
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;
Solver::~Solver() = default;

const Solution& Solver::solve(const Problem& problem, const Plan& start) {
  check(problem);
  check(problem, start);
  impl_->check_method(problem);
  impl_->solve_within_limits(problem, &start);
  return impl_->solution;
}

const Solution& Solver::solve(const Problem& problem) {
  check(problem);
  impl_->check_method(problem);
  impl_->solve_within_limits(problem, nullptr);
  return impl_->solution;
}

Solution solve(const Problem& problem, const Method& method, const Plan& start, const Run& run) {
  Solver solver(method, run);
  return solver.solve(problem, start);
}

}  // namespace srgw
