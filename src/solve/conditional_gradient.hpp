// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include "solve/objective.hpp"
#include "solve/stopping.hpp"
#include "solve/watch.hpp"
#include "srgw/problem.hpp"
#include "srgw/run.hpp"
#include "srgw/solve.hpp"

namespace srgw::detail {

/// The operations that a step of conditional gradient must have. Each keeps its own form of the
/// plan T.
template <class S>
concept Step = requires(S step, const S seen, double number) {
  { step.direction() } -> std::same_as<Line>;    // gradient, linear step X and the line from T to X
  step.advance(number);                          // T <- (1 - gamma) T + gamma X
  { step.gap() } -> std::same_as<double>;        // of T, without the line
  { step.bound_gap() } -> std::same_as<double>;  // no less than that, from what is at hand
  step.refresh();                                // all that is carried along, anew from T
  { seen.value() } -> std::same_as<Value>;
  { seen.rounding() } -> std::same_as<double>;  // of the gap
};

/// Where rows are free of each other, one after the other can be minimised exactly.
template <class S>
concept SweepingStep = Step<S> && requires(S step, const S seen, double number) {
  { step.sweep(number) } -> std::same_as<double>;  // the decrease
  { seen.changed_rows() } -> std::same_as<Index>;
};

/// Decides when the slow tail begins: few rows still change sides, or many steps were
/// made.
class Tail {
 public:
  /// Sweeps go row by row, which a source without rows does not allow.
  Tail(const ConditionalGradient& options, const Objective& objective)
      : enabled_(options.polish_sweeps > 0 && options.stopping == Stopping::gap &&
                 (!objective.source || objective.source->has_rows())),
        few_(1 + objective.all_rows / 64) {}

  [[nodiscard]] bool reached(int iteration, Index changed_rows) {
    quiet_ = changed_rows <= few_ ? quiet_ + 1 : 0;
    return enabled_ && (quiet_ >= 3 || iteration >= deadline_);
  }
  /// The polish did not end the run: plain steps go on for a while.
  void again(int iteration) {
    quiet_ = 0;
    pause_ *= 2;
    few_ = 0;
    deadline_ = iteration + pause_;
  }

 private:
  bool enabled_;
  Index few_;
  int quiet_ = 0;
  int pause_ = 10;
  int deadline_ = 100;
};

/// Sweeps of row coordinate descent, until one gains little.
template <SweepingStep S>
void polish(S& step, const Objective& objective, const ConditionalGradient& options) {
  for (int sweep = 0; sweep < options.polish_sweeps; ++sweep) {
    const double enough = options.tolerance * moving_part(step.value().total(), objective);
    if (step.sweep(0.1 * enough) <= 0.01 * enough) break;
  }
}

/// The whole method: direction, step length, step, until the stopping rule is met. `outcome` holds
/// the steps that were made already, by a step that kept the plan in another form.
template <Step S>
void take_steps(S& step, const Objective& objective, const ConditionalGradient& options,
                Watch& watch, int start, std::vector<Progress>& trace, Outcome& outcome) {
  constexpr int steps_between_refreshes = 256;
  Tail tail(options, objective);
  double value = step.value().total();
  if (outcome.iterations == 0) {
    if (const auto stop = watch.report({.start = start, .value = value}, trace)) {
      outcome.status = *stop;
      outcome.gap = step.gap();
      return;
    }
  }
  for (;;) {
    const Line line = step.direction();
    const double gamma = line.step();
    const double gain = -(line.a * gamma + line.b) * gamma;
    outcome.gap = std::max(0.0, -line.b);
    if (options.stopping == Stopping::gap &&
        std::max(outcome.gap, gain) <=
            std::max(options.tolerance * moving_part(value, objective), step.rounding())) {
      outcome.status = Status::converged;
      return;
    }
    if (outcome.iterations == options.max_iterations) return;
    if constexpr (SweepingStep<S>) {
      if (tail.reached(outcome.iterations, step.changed_rows())) {
        polish(step, objective, options);
        value = step.value().total();
        tail.again(outcome.iterations);
        continue;
      }
    }

    if constexpr (requires { step.wants_arrays(); }) {
      outcome.unfinished = step.wants_arrays();
      if (outcome.unfinished) return;
    }

    step.advance(gamma);
    ++outcome.iterations;
    const double former = value;
    if (outcome.iterations % steps_between_refreshes == 0) step.refresh();
    value = step.value().total();
    const auto stop = watch.report({.start = start,
                                    .iteration = outcome.iterations,
                                    .value = value,
                                    .gap = outcome.gap,
                                    .step = gamma},
                                   trace);
    if (stop || gamma == 0 || small_change(options, former, value, objective.unit)) {
      outcome.status = stop.value_or(Status::converged);
      if (gamma > 0) outcome.gap = step.gap();
      return;
    }
  }
}

/// take_steps() until its end or until it is stopped. Steps keep a feasible plan and its value
/// while they work on the next one, so that a call with a limit can end anywhere.
template <Step S>
Outcome conditional_gradient(S& step, const Objective& objective,
                             const ConditionalGradient& options, Watch& watch, int start,
                             std::vector<Progress>& trace, int done = 0) {
  Outcome outcome{.iterations = done};
  try {
    take_steps(step, objective, options, watch, start, trace, outcome);
  } catch (const Stopped& stopped) {
    if (!watch.returns_best()) throw;
    const StopShield shield;
    outcome.status = stopped.why();
    outcome.cut = true;
    outcome.gap = step.bound_gap();
  }
  return outcome;
}

}  // namespace srgw::detail
