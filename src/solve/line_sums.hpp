// SPDX-License-Identifier: MIT
#pragma once

namespace srgw::detail {

/// The sums that a line from a plan T to a direction X needs, with Y the products of an objective
/// (objective.hpp). They are carried from step to step, whatever made X: rows that choose their
/// best column (semi-relaxed), or a transport between given weights (balanced).
///
/// Along T + gamma (X - T) the objective is value(T) + b gamma + a gamma^2 with, next to what the
/// column sums contribute where they are free,
///
///     a = -2 alpha (xx - 2 xt + tt),      b = -4 alpha (xt - tt) + lx - lt.
struct LineSums {
  double tt = 0, xt = 0, xx = 0;  ///< <T, Y_T>, <X, Y_T>, <X, Y_X>
  double lt = 0, lx = 0;          ///< <L, T>, <L, X>

  [[nodiscard]] double curvature(double alpha) const { return -2 * alpha * (xx - 2 * xt + tt); }
  [[nodiscard]] double slope(double alpha) const { return -4 * alpha * (xt - tt) + lx - lt; }
  /// T <- (1 - gamma) T + gamma X
  void advance(double gamma) {
    const double keep = 1 - gamma;
    tt = keep * keep * tt + 2 * gamma * keep * xt + gamma * gamma * xx;
    lt = keep * lt + gamma * lx;
  }
};

}  // namespace srgw::detail
