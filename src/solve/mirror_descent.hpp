// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernels/mirror_pass.hpp"
#include "solve/cross_products.hpp"
#include "solve/linear_rows.hpp"
#include "solve/objective.hpp"
#include "solve/watch.hpp"
#include "srgw/plan.hpp"
#include "srgw/solve.hpp"
#include "transport/basis.hpp"
#include "transport/scaling.hpp"

namespace srgw::detail {

/// Mirror descent in the log domain. Each iteration recomputes the products Y of the plan,
/// so that nothing drifts, and makes one fused pass over the rows.
///
/// The proximal scheme (entropy 0) takes steps of fixed length that may go up: the best plan is
/// kept. For the entropic problem the step is damped until its objective falls.
///
/// Between given weights the same steps are projected on both of them, by Sinkhorn's scaling
/// instead of one scaling of the rows: the proximal point method, and projected mirror descent for
/// the entropic problem. The alternating scheme (BAPG) scales rows after one step and columns after
/// the next; its plan is made feasible at the end.
class MirrorDescentRun {
 public:
  /// The objective must outlive the run. `entropy` is the weight of the entropic problem, 0: none.
  void prepare(const Objective& objective, const MirrorDescent& options, double entropy,
               int threads);

  Outcome run(const Plan& start, Watch& watch, int number, std::vector<Progress>& trace);

  /// Of the best plan.
  [[nodiscard]] const Value& value() const { return best_.value; }
  /// Rows of the best plan, `stride()` apart.
  [[nodiscard]] const std::vector<double>& rows() const { return best_rows_; }
  [[nodiscard]] Index stride() const { return stride_; }
  /// Value at the start, and whether no row of it prefers any column.
  [[nodiscard]] double start_value() const { return start_value_; }
  [[nodiscard]] bool indifferent() const { return indifferent_; }

 private:
  /// What is known of a plan.
  struct State {
    Value value;
    double gap = 0;
  };

  void descend(const Plan& start, Watch& watch, int number, std::vector<Progress>& trace,
               Outcome& outcome);
  void start_at(const Plan& plan);
  [[nodiscard]] double equal_share(Index i, Index k) const;
  /// Y, value and gap of plan_, and the next plan by a step with these lengths.
  State evaluate(double keep, double step);
  [[nodiscard]] double epsilon_at(int iteration) const;
  [[nodiscard]] bool annealing(int iteration) const;
  void fit_columns(double step);
  void project();
  void step_and_scale_columns(double step);
  [[nodiscard]] double gradient_at(Index i, Index k) const;
  void finish_balanced(const Watch& watch, Outcome& outcome);
  void evaluate_best();
  void sum_columns(const std::vector<double>& rows);
  void keep_if_best(const State& state, const std::vector<double>& rows);

  const Objective* objective_ = nullptr;
  MirrorDescent options_;
  double entropy_ = 0;
  double epsilon_ = 0;        // final, absolute
  double first_epsilon_ = 0;  // of the path, absolute
  int threads_ = 1;
  Index rows_ = 0, columns_ = 0, stride_ = 0;
  CrossProducts products_;
  LinearRows linear_;
  Scaling scaling_;       // of balanced problems
  TransportBasis basis_;  // for their gap

  std::vector<double> plan_, next_plan_, best_rows_;
  std::vector<double> logits_, next_logits_;
  std::vector<double> y_, q_, w_, cost_;
  std::vector<MirrorSums> block_sums_;
  std::vector<double> block_weights_;  // column sums of each block of rows
  double change_ = 0;                  // |T' - T|
  double range_ = 0;                   // largest spread of a row of the gradient
  double start_value_ = 0;
  bool indifferent_ = false;
  bool has_best_ = false;
  double lowest_ = 0;  // value seen
  State best_;
};

}  // namespace srgw::detail
