// SPDX-License-Identifier: MIT
// Solves from named starts, and from several of them.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/message.hpp"
#include "base/random.hpp"
#include "solve/problem_loss.hpp"
#include "solve/product_solution.hpp"
#include "solve/solver_impl.hpp"
#include "solve/starts/starts.hpp"
#include "solve/unit_scale.hpp"

namespace srgw {

namespace {

// Below, further starts cost little.
constexpr Index most_searched_entries = Index{1} << 14;

/// A plan with rows h made one of a problem.
Plan plan_of_problem(const Problem& problem, const Plan& plan) {
  const Plan allowed = problem.allowed.project(plan);
  return problem.partial() ? detail::part_of(allowed, problem.share) : allowed;
}

/// Node i on target node i, where both sides have as many nodes and, where given, the same weights.
std::optional<Plan> plan_in_order(const Problem& problem) {
  if (problem.rows() != problem.columns()) return {};
  const Vector h = problem.weights;
  if (problem.balanced() && h != Vector(*problem.target_weights)) return {};
  Assignment labels(problem.rows());
  std::iota(labels.begin(), labels.end(), NodeId{0});
  return plan_of_problem(problem, Plan::from_labels(h, labels, problem.columns()));
}

// The average of h 1'/m and a random plan.
Plan shaken_product(const Problem& problem, std::uint64_t seed) {
  Problem whole = problem;
  whole.share = 1;
  Matrix plan = initial_plan(whole, Start::random, seed).dense();
  const double share = 1.0 / static_cast<double>(problem.columns());
  for (Index i = 0; i < plan.rows(); ++i) {
    plan.row(i) = 0.5 * (plan.row(i).array() + problem.weights[i] * share);
  }
  return plan_of_problem(problem, Plan::from_dense(problem.weights, std::move(plan)));
}

/// Whether others are left to use.
bool is_on_one_column(const Plan& plan) {
  return plan.columns() > 1 && (plan.target_weights().array() > 0).count() == 1;
}

bool is_array(Start start) {
  constexpr std::array starts{Start::kmeans_aligned, Start::spectral_aligned, Start::fluid_aligned,
                              Start::kmeans_soft,    Start::spectral_soft,    Start::fluid_soft};
  return std::ranges::find(starts, start) != starts.end();
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

}  // namespace

void Solver::Impl::solve_from(const Problem& problem, Start start, detail::Watch& watch,
                              int number) {
  const std::uint64_t seed = seed_of(number);
  // These plans are arrays: refused before they are made.
  if (start == Start::random || start == Start::product || is_array(start) || problem.balanced()) {
    check_arrays_fit(problem.rows(), problem.columns());
  }
  if (start != Start::product && start != Start::product_literal) {
    Plan plan = initial_plan(problem, start, seed, run.threads);
    // Mirror descent opens no column that is closed to all rows.
    const bool stays = std::holds_alternative<MirrorDescent>(method) && is_on_one_column(plan) &&
                       !problem.balanced() && arrays_fit(problem.rows(), problem.columns());
    if (stays) plan = shaken_product(problem, seed);
    solve(problem, &plan, watch, number);
    if (stays) solution.left_symmetric_start = true;
    if (start == Start::random_product) leave_one_node(problem, seed, watch, number);
    return;
  }
  solve(problem, nullptr, watch, number);
  if (start == Start::product && stuck_by_symmetry) {
    const Plan plan = shaken_product(problem, seed);
    solve(problem, &plan, watch, number);
    solution.left_symmetric_start = true;
  }
}

void Solver::Impl::leave_one_node(const Problem& problem, std::uint64_t seed, detail::Watch& watch,
                                  int number) {
  if (problem.balanced() || problem.columns() == 1 || detail::stop_requested()) return;
  if ((solution.target_weights.array() > 0).count() > 1) return;
  Solution former = std::exchange(solution, Solution{});
  const Plan plan = shaken_product(problem, seed);
  solve(problem, &plan, watch, number);
  if (solution.value < former.value) {
    solution.left_symmetric_start = true;
  } else {
    solution = std::move(former);
  }
}

void Solver::Impl::solve_automatically(const Problem& problem, int count, detail::Watch& watch,
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
    if (const auto plan = search_rows(problem); plan && start_at(*plan)) return;
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

std::uint64_t Solver::Impl::seed_of(int number) const {
  return detail::Random(run.seed, static_cast<std::uint64_t>(number))();
}

bool Solver::Impl::costs_nothing(const Solution& found) const {
  return objective.linear == nullptr && found.value_penalty == 0 && found.value_entropy == 0 &&
         found.value <= 1e-14 * objective.kappa;
}

std::optional<Plan> Solver::Impl::search_rows(const Problem& problem) {
  if (problem.balanced() || detail::GeneralStep::is_needed(problem) ||
      problem.loss != Loss::square || problem.features || problem.sparsity > 0 ||
      problem.entropy > 0 || !problem.target.has_rows() ||
      !detail::RowDescent::serves(problem.source)) {
    return {};
  }
  const Vector h = problem.weights;
  descent_target.reset();
  row_search.set_target(problem.target.dense(), 1);
  row_search.solve(descent_graph(problem, h), 1e-5);
  if (row_search.labels().empty()) return Plan::from_dense(h, row_search.plan());
  return Plan::from_labels(h, row_search.labels(), problem.columns());
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
  const auto why = detail::run_within_limits(impl_->run, [&](detail::Watch& watch) {
    if (!problem.source.has_rows()) {
      constant = detail::source_constant(problem.loss, problem.source, problem.weights, threads);
    }
    if (start == Start::automatic && impl_->descent_serves(problem)) {
      begin_with(problem.rows(), problem.columns(), [&] { impl_->descend(problem, count, watch); });
      found.emplace_back(std::exchange(impl_->solution, Solution{}));
    } else if (start == Start::automatic) {
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
