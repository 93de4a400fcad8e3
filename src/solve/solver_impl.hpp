// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "solve/balanced_step.hpp"
#include "solve/general_step.hpp"
#include "solve/mirror_descent.hpp"
#include "solve/objective.hpp"
#include "solve/plan_writer.hpp"
#include "solve/row_descent.hpp"
#include "solve/row_step.hpp"
#include "solve/watch.hpp"
#include "srgw/solve.hpp"

namespace srgw {

/// A small problem is not stopped before it has a plan to return.
template <class Work>
void begin_with(Index rows, Index columns, const Work& work) {
  constexpr Index few = 256;
  std::optional<detail::StopShield> shield;
  if (std::max(rows, columns) <= few) shield.emplace();
  work();
}

/// The workspace of a solver. solve.cpp solves from a plan, race.cpp from named starts.
struct Solver::Impl {
  Method method;
  Run run;
  detail::Objective objective;
  detail::RowStep row_step;
  detail::BalancedStep balanced_step;
  detail::GeneralStep general_step;
  detail::MirrorDescentRun mirror;
  detail::PlanWriter writer;
  detail::RowDescent row_search;
  std::optional<Structure> descent_target;  ///< that row_search has, unless search_rows() set it
  double descent_alpha = 1;
  std::vector<double> padded_cost, cost_sums;
  std::vector<const double*> cost_rows;
  Solution solution;
  std::optional<SquareForm> constant;  ///< of the source, where it is dear and known already
  bool warm = false;                   ///< the start is a plan of this very run
  bool stuck_by_symmetry = false;  ///< the product start did not move, and only because rows tie

  void check_method(const Problem& problem) const;
  /// solve() under the limits of the run; the product where it was stopped before any plan.
  void solve_within_limits(const Problem& problem, const Plan* start);
  [[nodiscard]] int resolved_threads() const { return detail::resolve_threads(run.threads); }
  /// From a named start, drawn from (seed, number).
  void solve_from(const Problem& problem, Start start, detail::Watch& watch, int number);
  /// Whether the method and the problem leave the automatic start to row descent.
  [[nodiscard]] bool descent_serves(const Problem& problem) const;
  /// The automatic start by row descent, and `count` - 1 further pairs of random labels.
  void descend(const Problem& problem, int count, detail::Watch& watch);
  /// From a start with equal rows, nodes that are all alike end on one target node: a local minimum
  /// by symmetry, left where another start finds a better one.
  void leave_one_node(const Problem& problem, std::uint64_t seed, detail::Watch& watch, int number);
  /// From each of a few starts, and random labels. Ends early where a plan costs nothing.
  void solve_automatically(const Problem& problem, int count, detail::Watch& watch,
                           std::vector<std::optional<Solution>>& found);
  /// From a plan, or from the product when there is none; the answer is left in `solution`.
  void solve(const Problem& problem, const Plan* start, detail::Watch& watch, int number);

 private:
  struct Course {
    detail::Watch& watch;
    int start = 0;
    int threads = 1;
  };

  void set_descent_target(const Problem& problem);
  /// The graph of a problem for row_search, with its linear term.
  [[nodiscard]] detail::RowDescent::Graph descent_graph(const Problem& problem, const Vector& h);
  double pad_cost(const Problem& problem);
  void write_descent(const Problem& problem, const Vector& h);
  [[nodiscard]] std::uint64_t seed_of(int number) const;
  /// Whether no plan can be better: a sum of squares is 0, up to rounding, and nothing is added.
  [[nodiscard]] bool costs_nothing(const Solution& found) const;
  /// The labels of a search row by row, where that serves the problem.
  [[nodiscard]] std::optional<Plan> search_rows(const Problem& problem);
  /// With the slope of the penalty as it stands in the objective.
  void solve_once(const Problem& problem, const Plan* start, const Course& course);
  /// Majorise-minimise: penalty(q') <= penalty(q) + r'(q' - q) with r its slope at q. The
  /// first round has no penalty at all.
  void majorise(const Problem& problem, const Plan* start, const Course& course);
  void set_penalty(const Problem& problem);
  /// Makes the slope r of the objective that of the penalty at the solution.
  void set_slope(const Problem& problem);
  void solve_with_mirror(const Problem& problem, const Plan* start, const MirrorDescent& options,
                         const Course& course);
  void solve_exactly(const Problem& problem, const Plan* start, const ConditionalGradient& options,
                     const Course& course);
  /// Rows without weight count as on a column, which has to be an allowed one.
  void place_weightless(const Problem& problem);
  [[nodiscard]] bool use_labels(const Plan* start) const;
  /// The gap at a plan, with the slope of the penalty as it stands in the objective.
  [[nodiscard]] double gap_at(const Plan& plan, const Course& course);
  [[nodiscard]] static bool arrays_fit(Index rows, Index columns);
  static void check_arrays_fit(Index rows, Index columns);
  template <class Label>
  void solve_with_labels(const Plan& start, const ConditionalGradient& options,
                         const Course& course);
  void solve_with_rows(const Plan* start, const ConditionalGradient& options, const Course& course,
                       int done = 0);
  void solve_balanced(const Plan& start, const ConditionalGradient& options, const Course& course);
  void solve_generally(const Problem& problem, const Plan* start,
                       const ConditionalGradient& options, const Course& course);
  void finish(const detail::Outcome& outcome, const Value& value);
};

}  // namespace srgw
