// SPDX-License-Identifier: MIT
#include "baselines/simplex_quadratic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace srgw::detail {

double value(const SimplexQuadratic& quadratic, const Vector& w) {
  return w.dot(quadratic.form * w) - 2 * quadratic.linear.dot(w);
}

Vector gradient(const SimplexQuadratic& quadratic, const Vector& w) {
  return 2 * (quadratic.form * w - quadratic.linear);
}

namespace {

// All mass on the smallest entries, in equal shares.
Vector best_vertex(const Vector& g) {
  Vector x = (g.array() == g.minCoeff()).cast<double>();
  return x / x.sum();
}

// The minimum of the parabola a gamma^2 + b gamma on [0, 1].
double best_step(double a, double b) {
  if (a > 0) return std::clamp(-b / (2 * a), 0.0, 1.0);
  return a + b < 0 ? 1.0 : 0.0;
}

}  // namespace

double minimise(const SimplexQuadratic& quadratic, const SimplexStopping& stopping, double value,
                Vector& w) {
  for (int step = 0; step < stopping.max_steps; ++step) {
    const Vector g = gradient(quadratic, w);
    const Vector direction = best_vertex(g) - w;
    const double a = direction.dot(quadratic.form * direction), b = g.dot(direction);
    const double gamma = best_step(a, b);
    const double change = gamma * (b + a * gamma);
    if (!(change < 0)) break;
    w += gamma * direction;
    const double former = std::max(std::abs(value), std::numeric_limits<double>::min());
    value += change;
    if (-change <= stopping.tolerance * former) break;
  }
  return value;
}

}  // namespace srgw::detail
