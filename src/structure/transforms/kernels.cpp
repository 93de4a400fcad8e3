// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/zeros.hpp"
#include "srgw/transform.hpp"
#include "structure/chebyshev.hpp"
#include "structure/eigen.hpp"
#include "structure/mirror_triangle.hpp"
#include "structure/transforms/degrees.hpp"
#include "structure/transforms/implicit.hpp"
#include "structure/transforms/walk.hpp"

namespace srgw {

namespace {

using namespace detail;

// Pairs this far below the largest add less than its rounding, however many they are.
constexpr double rounding = 1e-18;
constexpr Index panel_rows = 256;
constexpr double full_precision = 1e-16;  // of a series that stands for the kernel itself

/// F F', symmetric to the last bit: the lower half, a panel of rows at a time, then mirrored.
Matrix gram(const Matrix& F, int threads) {
  const Index n = F.rows();
  Matrix C = zeros(n, n);
  parallel_for((n + panel_rows - 1) / panel_rows, threads, [&](Index panel, int) {
    const Index begin = panel * panel_rows;
    const Index rows = std::min(panel_rows, n - begin);
    C.block(begin, 0, rows, begin + rows).noalias() =
        F.middleRows(begin, rows) * F.topRows(begin + rows).transpose();
  });
  mirror_triangle(C, Triangle::lower, threads);
  return C;
}

/// The kernel of a series as an array, symmetric to the last bit.
Structure form_kernel(const ImplicitKernelStorage& kernel, int threads) {
  const Index n = kernel.walk.size();
  Matrix C = zeros(n, n);
  constexpr Index most_columns = 256;  // of the identity at a time
  for (Index begin = 0; begin < n; begin += most_columns) {
    const Index columns = std::min(most_columns, n - begin);
    Matrix units = zeros(n, columns), products = zeros(n, columns);
    for (Index k = 0; k < columns; ++k) units(begin + k, k) = 1;
    apply(kernel, units.data(), columns, products.data(), resolve_threads(threads));
    C.middleCols(begin, columns) = products;
  }
  mirror_triangle(C, Triangle::lower, threads);
  return Structure::dense(std::move(C), true);
}

}  // namespace

Kernels::Kernels(const Matrix& walk, int threads) : threads_(threads) {
  const EigenPairs pairs = eigen_pairs(walk, threads);
  if (!pairs.converged) {
    fail_argument("the eigendecomposition of {} nodes did not converge, expected finite weights",
                  walk.rows());
  }
  // L = I - N, so the largest eigenvalues of N come first.
  values_ = (1 - pairs.values.reverse().array()).max(0.0).min(2.0);
  vectors_ = pairs.vectors.rowwise().reverse();
}

Kernels Kernels::heat(const Graph& graph, int threads) {
  check_dense_size(graph.nodes(), "heat kernel", "use implicit_heat_kernel");
  Kernels kernels(dense_walk(heat_walk(graph, threads)), threads);
  kernels.weights_ = uniform_weights(graph.nodes());
  return kernels;
}

Kernels Kernels::stability(const Graph& graph, int threads) {
  check_dense_size(graph.nodes(), "stability", "use implicit_stability");
  const Walk walk = stability_walk(graph, "stability");
  const Vector degrees = graph.degrees();
  Vector weights = normalize(degrees, "degrees");
  Kernels kernels(dense_walk(walk), threads);
  kernels.name_ = "stability";
  kernels.weights_ = std::move(weights);
  kernels.outer_ = walk.scale;
  kernels.factor_ = degrees.sum() / 2;
  return kernels;
}

Index Kernels::pairs_above(double t, double cutoff) const {
  const auto small = [&](double value) { return !(std::exp(-t * (value - values_[0])) >= cutoff); };
  return std::ranges::find_if(values_, small) - values_.begin();
}

Matrix Kernels::factors(Index pairs) const {
  const auto kept = vectors_.leftCols(pairs);
  if (outer_.size() == 0) return kept;
  return (outer_ * std::sqrt(factor_)).asDiagonal() * kept;
}

Source Kernels::at(double t) const {
  check_time(t, name_);
  const Index kept = pairs_above(t, rounding);
  // C = F F' with F = factors exp(-t lambda / 2)
  const Matrix F =
      factors(kept) * (-t / 2 * values_.head(kept)).array().exp().matrix().asDiagonal();
  return {Structure::dense(gram(F, threads_), true), weights_};
}

Source Kernels::low_rank(double t, double cutoff) const {
  check_time(t, name_);
  if (!(cutoff > 0 && cutoff < 1)) {
    fail_argument("{}: the cutoff is {}, expected a number between 0 and 1", name_, cutoff);
  }
  const Index kept = pairs_above(t, cutoff);
  const double largest_outer = outer_.size() > 0 ? factor_ * outer_.cwiseAbs2().maxCoeff() : 1.0;
  const double error = kept < values_.size() ? largest_outer * std::exp(-t * values_[kept]) : 0.0;
  const Vector values = (-t * values_.head(kept)).array().exp();
  return {Structure::low_rank(factors(kept), values, error), weights_};
}

Source heat_kernel(const Graph& graph, double t, int threads) {
  check_time(t, "heat kernel");
  check_dense_size(graph.nodes(), "heat kernel", "use implicit_heat_kernel");
  if (!series_is_cheaper(graph, t)) return Kernels::heat(graph, threads).at(t);
  return {form_kernel(heat_kernel_series(graph, t, full_precision, threads), threads),
          uniform_weights(graph.nodes())};
}

Source stability(const Graph& graph, double t, int threads) {
  check_time(t, "stability");
  check_dense_size(graph.nodes(), "stability", "use implicit_stability");
  if (!series_is_cheaper(graph, t)) return Kernels::stability(graph, threads).at(t);
  const ImplicitKernelStorage series = stability_series(graph, t, full_precision);
  return {form_kernel(series, threads), normalize(graph.degrees(), "degrees")};
}

}  // namespace srgw
