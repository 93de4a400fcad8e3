// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "srgw/structure.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// A linear cost next to the structure term: objective = alpha E(T) + (1 - alpha) <M, T>.
struct FusedTerm {
  MatrixSpan cost;     ///< M (n x m), for features the squared distances
  double alpha = 0.5;  ///< weight of the structure term, in [0, 1]
};

/// Semi-relaxed Gromov-Wasserstein: minimise over plans T >= 0 with row sums h
///     alpha E(T) + (1 - alpha) <M, T>,    E(T) = sum_ijkl (C_ij - Cbar_kl)^2 T_ik T_jl.
/// Views: built for a call, never stored. What changes the objective is here; what changes only the
/// path to a solution is in the method.
struct Problem {
  const Structure& source;                 ///< C (n x n)
  VectorSpan weights;                      ///< h (n), non-negative, sums to 1
  const Structure& target;                 ///< Cbar (m x m)
  std::optional<FusedTerm> features = {};  ///< absent: alpha = 1

  [[nodiscard]] Index rows() const { return source.size(); }
  [[nodiscard]] Index columns() const { return target.size(); }
  [[nodiscard]] double alpha() const { return features ? features->alpha : 1.0; }
  /// Whether one matrix is symmetric, which makes the problem equivalent to a symmetric one: with
  /// Cbar symmetric, C may be replaced by (C + C')/2 and E changes by a constant (and vice versa).
  [[nodiscard]] bool symmetric() const { return source.symmetric() || target.symmetric(); }
};

/// Throws an argument error that says what was found and expected: sizes, signs, sums, alpha,
/// entries that are not finite.
void check(const Problem& problem);
/// Throws when the plan is not one of this problem (sizes, row sums to 1e-8).
void check(const Problem& problem, const Plan& plan);

/// The objective at a plan, in parts that include alpha and 1 - alpha.
struct Value {
  double quad = 0;
  double linear = 0;
  [[nodiscard]] double total() const { return quad + linear; }
};
/// alpha (kappa + q'Cbar2 q - 2 <T, C T Cbar'>) and (1 - alpha) <M, T>, with Cbar2 = Cbar o Cbar,
/// kappa = h'(C o C)h and q = T'1.
[[nodiscard]] Value value(const Problem& problem, const Plan& plan);

/// The gradient (n x m) of the objective:
///     alpha ([(C o C)h + (C o C)'h]_i + [(Cbar2 + Cbar2')q]_k - 2 [C T Cbar' + C'T Cbar]_ik) +
///     (1-alpha) M.
[[nodiscard]] Matrix gradient(const Problem& problem, const Plan& plan);

/// The objective along T + gamma (X - T) is value(T) + b gamma + a gamma^2.
struct Line {
  double a = 0, b = 0;
  /// The exact minimiser on [0, 1]; 0 when nothing is gained.
  [[nodiscard]] double step() const;
};
[[nodiscard]] Line line(const Problem& problem, const Plan& from, const Plan& to);

}  // namespace srgw
