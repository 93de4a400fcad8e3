// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"
#include "solve/balanced_step.hpp"
#include "solve/conditional_gradient.hpp"
#include "solve/label_step.hpp"
#include "solve/mirror_descent.hpp"
#include "solve/objective.hpp"
#include "solve/plan_writer.hpp"
#include "solve/problem_loss.hpp"
#include "solve/product_solution.hpp"
#include "solve/row_descent.hpp"
#include "solve/row_step.hpp"
#include "solve/starts/alignment.hpp"
#include "solve/unit_scale.hpp"
#include "solve/watch.hpp"
#include "structure/plan_rows.hpp"

namespace srgw {

namespace {

// From here on an n x m array leaves the cache, and labels with lists are the better plan.
constexpr Index many_entries = Index{1} << 18;
// Three arrays of this many entries (1.5 GB: Y of plan and direction, the plan) may be made.
constexpr Index most_entries = Index{1} << 26;

// Below, further starts cost little.
constexpr Index most_searched_entries = Index{1} << 14;

/// Node i on target node i, where both sides have as many nodes and, where given, the same weights.
std::optional<Plan> plan_in_order(const Problem& problem) {
  if (problem.rows() != problem.columns()) return {};
  const Vector h = problem.weights;
  if (problem.balanced() && h != Vector(*problem.target_weights)) return {};
  Assignment labels(problem.rows());
  std::iota(labels.begin(), labels.end(), NodeId{0});
  return Plan::from_labels(h, labels, problem.columns());
}

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

bool is_array(Start start) {
  constexpr std::array starts{Start::kmeans_aligned, Start::spectral_aligned, Start::fluid_aligned,
                              Start::kmeans_soft,    Start::spectral_soft,    Start::fluid_soft};
  return std::ranges::find(starts, start) != starts.end();
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

/// The lowest value, the first of equals. Not all starts were tried, or not to their end, where one
/// was stopped, and the best of them says so.
Solution best_of(std::vector<std::optional<Solution>> found, std::optional<Status> why,
                 bool with_traces) {
  if (found.size() == 1 && !why) return std::move(*found.front());
  std::vector<double> values;
  std::vector<std::vector<Progress>> traces;
  for (const auto& solution : found) {
    values.push_back(solution->value);
    if (with_traces) traces.push_back(solution->trace);
    if (solution->status == Status::time_limit || solution->status == Status::interrupted) {
      why = solution->status;
    }
  }
  const std::size_t best = std::ranges::min_element(values) - values.begin();
  Solution result = std::move(*found[best]);
  result.best_start = static_cast<int>(best);
  result.start_traces = std::move(traces);
  result.start_values = std::move(values);
  if (why) result.status = *why;
  return result;
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
  detail::RowDescent row_search;
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

  /// solve() under the limits of the run; the product where it was stopped before any plan.
  void solve_within_limits(const Problem& problem, const Plan* start) {
    if (const int exponent = detail::scale_exponent(problem); exponent != 0) {
      solution = detail::solve_at_unit_scale(
          problem, exponent, method, run,
          [&](const Problem& scaled, const Method& scaled_method, const Run& scaled_run) {
            Solver solver(scaled_method, scaled_run);
            return start != nullptr ? solver.solve(scaled, *start) : solver.solve(scaled);
          });
      return;
    }
    const auto why =
        run_within_limits([&](detail::Watch& watch) { solve(problem, start, watch, 0); });
    if (why) solution = detail::product_solution(problem, *why, resolved_threads());
  }
  /// Calls work(watch); why it was stopped before its end, if it was. A run without limits needs no
  /// scope, which would be allocated.
  template <class Work>
  std::optional<Status> run_within_limits(const Work& work) const {
    if (!detail::has_limit(run)) {
      detail::Watch watch(run);
      work(watch);
      return {};
    }
    return detail::run_until_stopped(run, [&](StopScope& scope) {
      detail::Watch watch(run, &scope);
      work(watch);
    });
  }
  [[nodiscard]] int resolved_threads() const { return detail::resolve_threads(run.threads); }

  /// From a named start, drawn from (seed, number).
  void solve_from(const Problem& problem, Start start, detail::Watch& watch, int number) {
    const std::uint64_t seed = seed_of(number);
    // These plans are arrays: refused before they are made.
    if (start == Start::random || start == Start::product || is_array(start) ||
        problem.balanced()) {
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

  /// From each of a few starts, and random labels. Ends early where a plan costs nothing.
  void solve_automatically(const Problem& problem, int count, detail::Watch& watch,
                           std::vector<std::optional<Solution>>& found) {
    const auto keep = [&] {
      found.emplace_back(std::exchange(solution, Solution{}));
      return detail::stop_requested() || costs_nothing(*found.back());
    };
    const auto start_at = [&](const Plan& plan) {
      solve(problem, &plan, watch, static_cast<int>(found.size()));
      return keep();
    };
    if (const auto plan = plan_in_order(problem); plan && start_at(*plan)) return;
    const bool small = problem.rows() <= most_searched_entries / problem.columns();
    if (small) {
      if (const auto plan = searched_rows(problem); plan && start_at(*plan)) return;
    }
    solve_from(problem, Start::product, watch, static_cast<int>(found.size()));
    const bool collapsed = (solution.target_weights.array() > 0).count() == 1;
    if (keep()) return;
    if (collapsed && problem.columns() > 1 && arrays_fit(problem.rows(), problem.columns()) &&
        start_at(shaken_product(problem, seed_of(0)))) {
      return;
    }
    const bool has_rows = problem.source.has_rows() && problem.target.has_rows();
    if (small && has_rows && problem.columns() > 1) {
      solve_from(problem, Start::kmeans_aligned, watch, static_cast<int>(found.size()));
      if (keep()) return;
    }
    for (int s = 1; s < count; ++s) {
      solve_from(problem, Start::random_labels, watch, static_cast<int>(found.size()));
      if (keep()) return;
    }
  }

  /// From a plan, or from the product when there is none; the answer is left in `solution`.
  void solve(const Problem& problem, const Plan* start, detail::Watch& watch, int number) {
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
    solution.start_values.assign(1, solution.value);
  }

 private:
  [[nodiscard]] std::uint64_t seed_of(int number) const {
    return detail::Random(run.seed, static_cast<std::uint64_t>(number))();
  }

  /// Whether no plan can be better: a sum of squares is 0, up to rounding, and nothing is added.
  [[nodiscard]] bool costs_nothing(const Solution& found) const {
    return objective.linear == nullptr && found.value_penalty == 0 && found.value_entropy == 0 &&
           found.value <= 1e-14 * objective.kappa;
  }

  /// The labels of a search row by row, where that serves the problem.
  [[nodiscard]] std::optional<Plan> searched_rows(const Problem& problem) {
    if (problem.balanced() || problem.loss != Loss::square || problem.features ||
        problem.sparsity > 0 || problem.entropy > 0 || !problem.target.has_rows() ||
        !detail::RowDescent::serves(problem.source)) {
      return {};
    }
    const Vector h = problem.weights;
    row_search.set_target(problem.target.dense(), 1);
    row_search.solve({.structure = problem.source, .weights = h}, 1e-5);
    if (row_search.labels().empty()) return Plan::from_dense(h, row_search.plan());
    return Plan::from_labels(h, row_search.labels(), problem.columns());
  }

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
    try {
      solution.gap = gap_at(solution.plan, course);
    } catch (const detail::Stopped& stopped) {
      if (!course.watch.returns_best()) throw;
      solution.status = stopped.why();  // and the gap is that of the last round
    }
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
      own = detail::soften(*start);  // mirror descent cannot open a column that a row does not use
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
    detail::with_label_width(objective.columns(),
                             [&]<class Label>() { run_labels<Label>(start, options, course); });
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
    if (!outcome.cut) step.refresh();
    solution.plan = step.plan();
    solution.target_weights = solution.plan.target_weights();
    finish(outcome, step.value());
  }

  void solve_with_rows(const Plan* start, const ConditionalGradient& options, const Course& course,
                       int done = 0) {
    const detail::RowStep::Options step_options{.share_ties = options.ties == Ties::share,
                                                .threads = course.threads};
    begin_with(objective.rows(), objective.columns(), [&] {
      if (start != nullptr) {
        row_step.start(objective, *start, step_options);
      } else {
        row_step.start_at_product(objective, step_options);
      }
    });
    const double start_value = row_step.value().total();
    detail::Outcome outcome = detail::conditional_gradient(
        row_step, objective, options, course.watch, course.start, solution.trace, done);
    const Value value =
        value_after(outcome, course, row_step, [&] { return row_step.final_value(); });
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
    begin_with(objective.rows(), objective.columns(),
               [&] { balanced_step.start(objective, start, course.threads); });
    detail::Outcome outcome = detail::conditional_gradient(
        balanced_step, objective, options, course.watch, course.start, solution.trace);
    const Value value = value_after(outcome, course, balanced_step, [&] {
      balanced_step.refresh();
      return balanced_step.value();
    });
    writer.write(objective.weights, balanced_step.plan_rows(), objective.columns(), solution.plan);
    solution.target_weights = solution.plan.target_weights();
    finish(outcome, value);
  }

  /// A small problem is not stopped before it has a plan to return.
  template <class Work>
  static void begin_with(Index rows, Index columns, const Work& work) {
    constexpr Index few = 256;
    std::optional<detail::StopShield> shield;
    if (std::max(rows, columns) <= few) shield.emplace();
    work();
  }

  /// Recomputed from the plan, or as it was carried along where that takes long and the run was
  /// stopped.
  template <class Step, class Recompute>
  static Value value_after(detail::Outcome& outcome, const Course& course, const Step& step,
                           const Recompute& recompute) {
    try {
      return recompute();
    } catch (const detail::Stopped& stopped) {
      if (!course.watch.returns_best()) throw;
      outcome.status = stopped.why();
      return step.value();
    }
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

Solution solve(const Problem& problem, const Method& method, Start start, int count,
               const Run& run) {
  if (count < 1) detail::fail_argument("starts is {}, expected at least 1", count);
  check(problem);
  return Solver(method, run).race(problem, start, count);
}

Solution Solver::race(const Problem& problem, Start start, int count) {
  impl_->check_method(problem);
  if (const int exponent = detail::scale_exponent(problem); exponent != 0) {
    return detail::solve_at_unit_scale(
        problem, exponent, impl_->method, impl_->run,
        [&](const Problem& scaled, const Method& method, const Run& run) {
          return Solver(method, run).race(scaled, start, count);
        });
  }
  if (start == Start::product || start == Start::product_literal) count = 1;  // all are the same
  const int threads = impl_->resolved_threads();
  std::optional<SquareForm> constant;
  std::vector<std::optional<Solution>> found;
  const auto why = impl_->run_within_limits([&](detail::Watch& watch) {
    if (!problem.source.has_rows()) {
      constant = detail::source_constant(problem.loss, problem.source, problem.weights, threads);
    }
    if (start == Start::automatic) {
      impl_->constant = constant;
      impl_->solve_automatically(problem, count, watch, found);
    } else if (count == 1) {  // in the workspace that is kept
      impl_->constant = constant;
      impl_->solve_from(problem, start, watch, 0);
      found.emplace_back(std::exchange(impl_->solution, Solution{}));
    } else {
      // One start uses all threads on its rows; several use one each (rows inside run on one
      // thread).
      found.resize(count);
      detail::parallel_for(count, threads, [&](Index s, int) {
        Impl impl;
        impl.method = impl_->method;
        impl.run = impl_->run;
        impl.run.threads = threads;
        impl.constant = constant;
        impl.solve_from(problem, start, watch, static_cast<int>(s));
        found[s] = std::move(impl.solution);
      });
    }
  });
  impl_->constant.reset();
  std::erase(found, std::nullopt);
  if (found.empty()) return detail::product_solution(problem, *why, threads, constant);
  return best_of(std::move(found), why, impl_->run.trace);
}

}  // namespace srgw
