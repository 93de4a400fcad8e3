// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solve/balanced_step.hpp"
#include "solve/conditional_gradient.hpp"
#include "solve/label_step.hpp"
#include "solve/mirror_descent.hpp"
#include "solve/objective.hpp"
#include "solve/plan_writer.hpp"
#include "solve/problem_loss.hpp"
#include "solve/row_step.hpp"
#include "solve/watch.hpp"

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

// The average of h 1'/m and a random plan.
Plan shaken_product(const Problem& problem, std::uint64_t seed) {
  Matrix plan = initial_plan(problem, Start::random, seed).dense();
  const double share = 1.0 / static_cast<double>(problem.columns());
  for (Index i = 0; i < plan.rows(); ++i) {
    plan.row(i) = 0.5 * (plan.row(i).array() + problem.weights[i] * share);
  }
  return Plan::from_dense(problem.weights, std::move(plan));
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

// (T + h q')/2: mirror descent cannot open a column that a row does not use.
Plan softened(const Plan& plan) {
  Matrix T = plan.dense();
  const Vector q = plan.target_weights();
  for (Index i = 0; i < T.rows(); ++i) {
    T.row(i) = 0.5 * (T.row(i) + plan.weights()[i] * q.transpose());
  }
  return Plan::from_dense(plan.weights(), std::move(T));
}

const Majorisation& majorisation_of(const Method& method) {
  return std::visit([](const auto& options) -> const Majorisation& { return options.majorisation; },
                    method);
}

}  // namespace

struct Solver::Impl {
  Method method;
  Run run;
  detail::Objective objective;
  detail::RowStep row_step;
  detail::BalancedStep balanced_step;
  detail::MirrorDescentRun mirror;
  detail::PlanWriter writer;
  Solution solution;

  void check_method(const Problem& problem) const {
    const auto* descent = std::get_if<MirrorDescent>(&method);
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

  /// From a named start, drawn from (seed, number).
  void solve_from(const Problem& problem, Start start, detail::Watch& watch, int number) {
    const std::uint64_t seed = detail::Random(run.seed, static_cast<std::uint64_t>(number))();
    // These plans are arrays: refused before they are made.
    const bool aligned = start == Start::kmeans_aligned || start == Start::spectral_aligned ||
                         start == Start::fluid_aligned;
    if (start == Start::random || start == Start::product || aligned || problem.balanced()) {
      check_arrays_fit(problem.rows(), problem.columns());
    }
    if (start != Start::product && start != Start::product_literal) {
      const Plan plan = initial_plan(problem, start, seed, run.threads);
      solve(problem, &plan, watch, number);
      return;
    }
    solve(problem, nullptr, watch, number);
    if (start == Start::product && stuck_by_symmetry) {
      const Plan plan = shaken_product(problem, seed);
      solve(problem, &plan, watch, number);
      solution.left_symmetric_start = true;
    }
  }

  /// From a plan, or from the product when there is none; the answer is left in `solution`.
  void solve(const Problem& problem, const Plan* start, detail::Watch& watch, int number) {
    const Course course{watch, number, detail::resolve_threads(run.threads)};
    objective.prepare(problem, course.threads, constant);
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
    solution.start_values.assign(1, solution.value);
  }

 private:
  struct Course {
    detail::Watch& watch;
    int start = 0;
    int threads = 1;
  };

  /// With the slope of the penalty as it stands in the objective.
  void solve_once(const Problem& problem, const Plan* start, const Course& course) {
    if (const auto* options = std::get_if<MirrorDescent>(&method)) {
      check_arrays_fit(objective.rows(), objective.columns());
      solve_with_mirror(problem, start, *options, course);
    } else {
      solve_exactly(problem, start, std::get<ConditionalGradient>(method), course);
    }
  }

  /// Majorise-minimise: penalty(q') <= penalty(q) + r'(q' - q) with r its slope at q. The
  /// first round has no penalty at all.
  void majorise(const Problem& problem, const Plan* start, const Course& course) {
    const Majorisation& options = majorisation_of(method);
    Solution best;
    Plan last;
    double former = std::numeric_limits<double>::infinity();
    int iterations = 0;
    int rounds = 0;
    Status status = Status::iteration_limit;
    const Plan* from = start;
    while (rounds < options.max_rounds) {
      solve_once(problem, from, course);
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
      const Vector slope = detail::penalty_gradient(problem.sparsity, solution.target_weights);
      objective.column_slope.assign(slope.begin(), slope.end());
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
    const Vector slope = detail::penalty_gradient(problem.sparsity, solution.target_weights);
    objective.column_slope.assign(slope.begin(), slope.end());
    solution.gap = gap_at(solution.plan, course);
  }

  void set_penalty(const Problem& problem) {
    solution.value_penalty = detail::penalty(problem.sparsity, solution.target_weights);
    solution.value = solution.value_quad + solution.value_linear + solution.value_penalty +
                     solution.value_entropy;
  }

  void solve_with_mirror(const Problem& problem, const Plan* start, const MirrorDescent& options,
                         const Course& course) {
    std::optional<Plan> own;
    if (start == nullptr) {
      own = product_plan(problem);
    } else if (!warm && (problem.balanced() ? has_closed_entries(problem, *start)
                                            : is_hard(*start) && problem.columns() > 1)) {
      own = softened(*start);
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

  void solve_exactly(const Problem& problem, const Plan* start, const ConditionalGradient& options,
                     const Course& course) {
    if (problem.balanced()) {
      check_arrays_fit(objective.rows(), objective.columns());
      const Plan product = start != nullptr ? Plan() : product_plan(problem);
      solve_balanced(start != nullptr ? *start : product, options, course);
    } else if (use_labels(start)) {
      solve_with_labels(*start, options, course);
    } else {
      check_arrays_fit(objective.rows(), objective.columns());
      solve_with_rows(start, options, course);
    }
  }

  [[nodiscard]] bool use_labels(const Plan* start) const {
    const bool many = objective.columns() > many_entries / objective.rows();
    return start != nullptr && many && is_short(*start) &&
           detail::LabelStep<NodeId>::serves(objective);
  }

  /// The gap at a plan, with the slope of the penalty as it stands in the objective.
  [[nodiscard]] double gap_at(const Plan& plan, const Course& course) {
    if (use_labels(&plan)) {
      detail::LabelStep<NodeId> step(objective, {.threads = course.threads});
      step.start(plan);
      return step.gap();
    }
    row_step.start(objective, plan, {.threads = course.threads});
    return row_step.gap();
  }

  [[nodiscard]] static bool arrays_fit(Index rows, Index columns) {
    return columns <= most_entries / rows;
  }
  static void check_arrays_fit(Index rows, Index columns) {
    if (arrays_fit(rows, columns)) return;
    detail::fail_resource(
        "{} x {} products would take more than {} numbers; start from labels (random-labels or "
        "spectral) and a diagonal target, which need no such array",
        rows, columns, most_entries);
  }

  void solve_with_labels(const Plan& start, const ConditionalGradient& options,
                         const Course& course) {
    if (objective.columns() <= std::numeric_limits<std::uint8_t>::max()) {
      run_labels<std::uint8_t>(start, options, course);
    } else if (objective.columns() <= std::numeric_limits<std::uint16_t>::max()) {
      run_labels<std::uint16_t>(start, options, course);
    } else {
      run_labels<std::uint32_t>(start, options, course);
    }
  }

  template <class Label>
  void run_labels(const Plan& start, const ConditionalGradient& options, const Course& course) {
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
    step.refresh();
    solution.plan = step.plan();
    solution.target_weights = solution.plan.target_weights();
    finish(outcome, step.value());
  }

  void solve_with_rows(const Plan* start, const ConditionalGradient& options, const Course& course,
                       int done = 0) {
    const detail::RowStep::Options step_options{.share_ties = options.ties == Ties::share,
                                                .threads = course.threads};
    if (start != nullptr) {
      row_step.start(objective, *start, step_options);
    } else {
      row_step.start_at_product(objective, step_options);
    }
    const double start_value = row_step.value().total();
    const detail::Outcome outcome = detail::conditional_gradient(
        row_step, objective, options, course.watch, course.start, solution.trace, done);
    const Value value = row_step.final_value();
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

  void solve_balanced(const Plan& start, const ConditionalGradient& options, const Course& course) {
    balanced_step.start(objective, start, course.threads);
    const detail::Outcome outcome = detail::conditional_gradient(
        balanced_step, objective, options, course.watch, course.start, solution.trace);
    balanced_step.refresh();
    writer.write(objective.weights, balanced_step.plan_rows(), objective.columns(), solution.plan);
    solution.target_weights = solution.plan.target_weights();
    finish(outcome, balanced_step.value());
  }

  void finish(const detail::Outcome& outcome, const Value& value) {
    solution.value_quad = std::max(0.0, value.quad);
    solution.value_linear = value.linear;
    solution.value_penalty = 0;  // that of the value is only its tangent
    solution.value_entropy = value.entropy;
    solution.value = solution.value_quad + solution.value_linear + solution.value_entropy;
    solution.gap = outcome.gap;
    solution.iterations = outcome.iterations;
    solution.status = outcome.status;
  }

 public:
  std::optional<SquareForm> constant;  ///< of the source, where it is dear and known already
  bool warm = false;                   ///< the start is a plan of this very run
  bool stuck_by_symmetry = false;  ///< the product start did not move, and only because rows tie
};

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
  detail::Watch watch(impl_->run);
  impl_->solve(problem, &start, watch, 0);
  return impl_->solution;
}

const Solution& Solver::solve(const Problem& problem) {
  check(problem);
  impl_->check_method(problem);
  detail::Watch watch(impl_->run);
  impl_->solve(problem, nullptr, watch, 0);
  return impl_->solution;
}

Solution solve(const Problem& problem, const Method& method, const Plan& start, const Run& run) {
  Solver solver(method, run);
  return solver.solve(problem, start);
}

Solution solve(const Problem& problem, const Method& method, Start start, int count,
               const Run& run) {
  if (count < 1) detail::fail_argument("starts is {}, expected at least 1", count);
  check(problem);
  return Solver(method, run).race(problem, start, count);
}

Solution Solver::race(const Problem& problem, Start start, int count) {
  impl_->check_method(problem);
  const bool drawn = start != Start::product && start != Start::product_literal;
  if (!drawn) count = 1;  // all would be the same
  const int threads = detail::resolve_threads(impl_->run.threads);
  detail::Watch watch(impl_->run);
  std::optional<SquareForm> constant;
  if (!problem.source.has_rows()) {
    constant = detail::source_constant(problem.loss, problem.source, problem.weights, threads);
  }
  if (count == 1) {  // in the workspace that is kept
    impl_->constant = constant;
    impl_->solve_from(problem, start, watch, 0);
    impl_->constant.reset();
    return std::exchange(impl_->solution, Solution{});
  }
  std::vector<Solution> solutions(count);
  // One start uses all threads on its rows; several use one each (rows inside run on one thread).
  detail::parallel_for(count, threads, [&](Index s, int) {
    Impl impl;
    impl.method = impl_->method;
    impl.run = impl_->run;
    impl.run.threads = threads;
    impl.constant = constant;
    impl.solve_from(problem, start, watch, static_cast<int>(s));
    solutions[s] = std::move(impl.solution);
  });
  std::vector<double> values;
  values.reserve(solutions.size());
  for (const Solution& solution : solutions) values.push_back(solution.value);
  const std::size_t best = std::ranges::min_element(values) - values.begin();
  std::vector<std::vector<Progress>> traces;
  if (impl_->run.trace) {
    for (const Solution& solution : solutions) traces.push_back(solution.trace);
  }
  Solution result = std::move(solutions[best]);
  result.best_start = static_cast<int>(best);
  result.start_traces = std::move(traces);
  result.start_values = std::move(values);
  return result;
}

}  // namespace srgw
