// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

struct ImplicitKernelStorage;

/// N = diag(scale) A diag(scale) + (u v' + v u')/2, a symmetric matrix with spectrum in [-1, 1]: a
/// random walk seen in the right coordinates, and I - N its normalised Laplacian. An empty scale
/// stands for ones, empty u and v for zeros; they hold the jumps of a walk with teleports, which
/// would make a sparse matrix dense.
struct Walk {
  Csr entries;
  Vector scale;
  Vector u, v;

  [[nodiscard]] Index size() const { return entries.rows(); }
};

/// The n x n array of N.
[[nodiscard]] Matrix dense_walk(const Walk& walk);

/// exp(-t(1 - x)) = sum_k c_k T_k(x) on [-1, 1]: c_0 = exp(-t) I_0(t), c_k = 2 exp(-t) I_k(t). All
/// are positive and they sum to 1, so that cutting the series off costs the sum of what is left
/// out, in the spectral norm of the kernel of every walk.
struct HeatSeries {
  std::vector<double> coefficients;
  double error = 0;  ///< sum of the coefficients left out: at most the tolerance asked for

  [[nodiscard]] int degree() const { return static_cast<int>(coefficients.size()) - 1; }
};

/// The shortest series whose error is at most `tolerance`. About sqrt(2 t log(2 / tolerance)) terms
/// for large t. Throws a resource error when they would be more than 100,000.
[[nodiscard]] HeatSeries heat_series(double t, double tolerance);

/// Y = C X for `columns` columns; x and y are row-major n x columns arrays that do not overlap.
/// Costs degree products with the sparse walk and two arrays of n x min(columns, 64) numbers. Each
/// column gets the same bits on every number of threads and whatever columns it shares the call
/// with.
void apply(const ImplicitKernelStorage& kernel, const double* x, Index columns, double* y,
           int threads);

/// y = N x for all columns at once, once: the unit in which the cost of apply() is counted.
void apply_walk(const Walk& walk, const double* x, Index columns, double* y, int threads);

}  // namespace srgw::detail
