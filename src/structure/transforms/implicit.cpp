// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "srgw/transform.hpp"
#include "structure/transforms/degrees.hpp"
#include "structure/transforms/implicit.hpp"
#include "structure/transforms/walk.hpp"

namespace srgw {

namespace {

using namespace detail;

void check_series(double t, double tolerance, const char* transform) {
  check_time(t, transform);
  if (!(tolerance >= 1e-16 && tolerance < 1)) {
    fail_argument("{}: the tolerance is {}, expected a number from 1e-16 to below 1", transform,
                  tolerance);
  }
}

/// With shifted degrees no eigenvalue of N is near 1, and the whole kernel soon falls below any
/// absolute tolerance. exp(-t(I - N)) = exp(-t(1 - r)) exp(-tr(I - N/r)), with r the largest
/// eigenvalue, is a series of terms of the size of the result.
ImplicitKernelStorage shifted_kernel(Walk walk, double t, double tolerance, int threads) {
  const double r = largest_eigenvalue_bound(walk, 1 / std::max(t, 1.0), threads);
  if (r > 0) walk.scale /= std::sqrt(r);
  return {.walk = std::move(walk),
          .series = heat_series(t * r, tolerance),
          .outer = {},
          .factor = std::exp(-t * (1 - r))};
}

}  // namespace

ImplicitKernelStorage detail::heat_kernel_series(const Graph& graph, double t, double tolerance,
                                                 int threads) {
  Walk walk = heat_walk(graph, threads);
  const bool shifted = !graph.directed() && row_sums(graph.adjacency()).minCoeff() == 0;
  if (shifted) return shifted_kernel(std::move(walk), t, tolerance, threads);
  return {.walk = std::move(walk), .series = heat_series(t, tolerance), .outer = {}};
}

Source implicit_heat_kernel(const Graph& graph, double t, double tolerance, int threads) {
  check_series(t, tolerance, "heat kernel");
  return {implicit_structure(heat_kernel_series(graph, t, tolerance, threads)),
          uniform_weights(graph.nodes())};
}

ImplicitKernelStorage detail::stability_series(const Graph& graph, double t, double tolerance) {
  Walk walk = stability_walk(graph, "stability");
  Vector outer = walk.scale;
  return {.walk = std::move(walk),
          .series = heat_series(t, tolerance),
          .outer = std::move(outer),
          .factor = graph.degrees().sum() / 2};
}

bool detail::series_is_cheaper(const Graph& graph, double t) {
  // On one core, village (n = 1,893): 0.27 ns for a sparse entry and a column, 0.5 ns n^3 for the
  // decomposition and the product after it. The jumps of directed walks are two entries a row more.
  constexpr double share = 2;
  constexpr double longest = 1e4;  // beyond, few pairs are left
  if (!(t < longest)) return false;
  const auto n = static_cast<double>(graph.nodes());
  const int degree = heat_series(t, 1e-16).degree();
  return degree * (static_cast<double>(graph.adjacency().entries()) + 2 * n) < share * n * n;
}

Source implicit_stability(const Graph& graph, double t, double tolerance) {
  check_series(t, tolerance, "stability");
  ImplicitKernelStorage series = stability_series(graph, t, tolerance);
  return {implicit_structure(std::move(series)), normalize(graph.degrees(), "degrees")};
}

}  // namespace srgw
