// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "srgw/problem.hpp"
#include "srgw/run.hpp"
#include "srgw/solve.hpp"

namespace srgw {

/// Partial Gromov-Wasserstein between two sides with any masses: minimise
///     alpha E(T) + (1 - alpha) <M, T>,      E(T) = sum_ijkl loss(C_ij, Cbar_kl) T_ik T_jl,
/// over T >= 0 whose rows sum to at most h, whose columns sum to at most hbar, and whose entries
/// sum to the mass. To match a part of the source with free target weights, see Problem::share.
struct PartialProblem {
  Structure source;                        ///< C (n x n)
  VectorSpan weights;                      ///< h (n), non-negative, with any sum above 0
  Structure target;                        ///< Cbar (m x m)
  VectorSpan target_weights;               ///< hbar (m), non-negative, with any sum above 0
  double mass = 1;                         ///< above 0, at most the sum of h and that of hbar
  std::optional<FusedTerm> features = {};  ///< absent: alpha = 1
  Loss loss = Loss::square;
};

/// Throws an argument error that says what was found and expected.
void check(const PartialProblem& problem);

/// Solves by conditional gradient, whose linear step is an exact transport with a dummy on each
/// side, from a matrix of masses or from h hbar' scaled to the mass. The weights of the plan are
/// its row sums. When the run is stopped, the plan is the best so far.
[[nodiscard]] Solution solve_partial(const PartialProblem& problem,
                                     const ConditionalGradient& options = {},
                                     const std::optional<Matrix>& start = {}, const Run& run = {});

/// Soft partial plans: T <- argmin <G(T), T'> + entropy sum_ik T'_ik (log T'_ik - 1) over the plans
/// of the problem, G the gradient at T, until T moves by no more than the tolerance.
struct EntropicPartial {
  double entropy = 1;  ///< above 0
  int max_iterations = 1000;
  double tolerance = 1e-7;           ///< on |T' - T|
  int test_interval = 10;            ///< tested after steps 1, 1 + this, ...
  int scaling_iterations = 1000;     ///< of a step
  double scaling_tolerance = 1e-15;  ///< on what rows and columns have too much, over the mass
};
/// The gap and the value are those without entropy; changes of the plan are in the trace.
[[nodiscard]] Solution solve_partial(const PartialProblem& problem, const EntropicPartial& options,
                                     const std::optional<Matrix>& start = {}, const Run& run = {});

/// The gradient (n x m) of alpha E(T) + (1 - alpha) <M, T> at masses T.
[[nodiscard]] Matrix gradient(const PartialProblem& problem, MatrixView masses);
/// alpha E(T) and (1 - alpha) <M, T>.
[[nodiscard]] Value value(const PartialProblem& problem, MatrixView masses);

}  // namespace srgw
