// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/problem.hpp"

namespace srgw::test {

/// Definitions, written down as they stand, to compare everything else with.

/// E(T) = sum_ijkl (C_ij - Cbar_kl)^2 T_ik T_jl.
inline double four_fold_sum(const Matrix& C, const Matrix& Cbar, const Matrix& T) {
  double sum = 0;
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < C.rows(); ++j) {
      for (Index k = 0; k < Cbar.rows(); ++k) {
        for (Index l = 0; l < Cbar.rows(); ++l) {
          const double difference = C(i, j) - Cbar(k, l);
          sum += difference * difference * T(i, k) * T(j, l);
        }
      }
    }
  }
  return sum;
}

/// Both parts of the objective at any matrix T, a plan or not.
inline Value brute_force_value(const Problem& problem, const Matrix& T) {
  const double alpha = problem.alpha();
  const double E = four_fold_sum(problem.source.dense(), problem.target.dense(), T);
  const double linear = problem.features ? problem.features->cost.cwiseProduct(T).sum() : 0;
  return {.quad = alpha * E, .linear = (1 - alpha) * linear};
}

/// Central differences of the objective. It is quadratic, so they are exact at any step.
inline Matrix brute_force_gradient(const Problem& problem, Matrix T) {
  constexpr double step = 0.25;
  Matrix G(T.rows(), T.cols());
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index k = 0; k < T.cols(); ++k) {
      const double entry = T(i, k);
      T(i, k) = entry + step;
      const double above = brute_force_value(problem, T).total();
      T(i, k) = entry - step;
      const double below = brute_force_value(problem, T).total();
      T(i, k) = entry;
      G(i, k) = (above - below) / (2 * step);
    }
  }
  return G;
}

/// The coefficients of the objective along T + gamma (X - T), from its values at 0, 1/2 and 1.
inline Line brute_force_line(const Problem& problem, const Matrix& T, const Matrix& X) {
  const double start = brute_force_value(problem, T).total();
  const double middle = brute_force_value(problem, (T + X) / 2).total();
  const double end = brute_force_value(problem, X).total();
  return {.a = 2 * (start - 2 * middle + end), .b = -3 * start + 4 * middle - end};
}

}  // namespace srgw::test
