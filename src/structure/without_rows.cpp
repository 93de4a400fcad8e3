// SPDX-License-Identifier: MIT
#include "structure/without_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/row_blocks.hpp"
#include "base/zeros.hpp"
#include "structure/orthonormal.hpp"

namespace srgw::detail {

namespace {

constexpr Index panel_columns = 16;
constexpr int probe_panels = 2;  // of 16 columns each
constexpr double standard_errors = 4;
constexpr std::uint64_t seed = 0x5eedULL;

/// M X with M = diag(root) C diag(root); X is spent.
Matrix weighted_product(const ImplicitKernelStorage& form, const Vector& root, Matrix X,
                        int threads) {
  X = root.asDiagonal() * X;
  Matrix Y = multiply(form, X, threads);
  return root.asDiagonal() * Y;
}

}  // namespace

Matrix multiply(const LowRankStorage& form, MatrixView X, int threads) {
  const Matrix coordinates = form.values.asDiagonal() * (form.factors.transpose() * X).eval();
  Matrix Y = zeros(form.factors.rows(), X.cols());
  for_each_block(Y.rows(), threads, [&](Index, Index begin, Index end, int) {
    Y.middleRows(begin, end - begin).noalias() =
        form.factors.middleRows(begin, end - begin) * coordinates;
  });
  return Y;
}

double square_form(const LowRankStorage& form, VectorView h) {
  const Matrix gram = form.factors.transpose() * h.asDiagonal() * form.factors;
  return form.values.dot(gram.cwiseAbs2() * form.values);
}

double largest_entry_bound(const LowRankStorage& form) {
  return (form.factors.cwiseAbs2() * form.values.cwiseAbs()).maxCoeff();
}

Matrix multiply(const ImplicitKernelStorage& form, MatrixView X, int threads) {
  const Index columns = X.cols();
  Matrix Y = zeros(form.walk.size(), columns);
  if (X.outerStride() == columns) {
    apply(form, X.data(), columns, Y.data(), threads);
  } else {
    const Matrix packed = X;
    apply(form, packed.data(), columns, Y.data(), threads);
  }
  return Y;
}

double exact_square_form(const ImplicitKernelStorage& form, VectorView h, int threads) {
  std::vector<Index> nodes;  // with mass
  for (Index j = 0; j < h.size(); ++j) {
    if (h[j] != 0) nodes.push_back(j);
  }
  const Index count = std::ssize(nodes);
  std::vector<double> sums((count + panel_columns - 1) / panel_columns);
  parallel_for(std::ssize(sums), threads, [&](Index panel, int) {
    const Index first = panel * panel_columns;
    const Index columns = std::min(panel_columns, count - first);
    Matrix X = Matrix::Zero(h.size(), columns);
    for (Index c = 0; c < columns; ++c) X(nodes[first + c], c) = 1;
    const Vector squares = multiply(form, X, 1).cwiseAbs2().transpose() * h;
    for (Index c = 0; c < columns; ++c) {
      sums[panel] += h[nodes[first + c]] * squares[c];
    }
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

SquareForm estimate_square_form(const ImplicitKernelStorage& form, VectorView h, int threads) {
  const Index n = form.walk.size();
  if (h.minCoeff() < 0) {
    fail_argument("a weight is {}, expected none below 0 for an estimate", h.minCoeff());
  }
  const Vector root = h.cwiseSqrt();
  const Matrix Q = orthonormal(
      weighted_product(form, root, random_signs(n, panel_columns, seed, threads), threads));
  const double caught = weighted_product(form, root, Q, threads).squaredNorm();

  std::vector<double> probes;
  for (int panel = 1; panel <= probe_panels; ++panel) {
    Matrix Z = random_signs(n, panel_columns, seed + static_cast<std::uint64_t>(panel), threads);
    Z -= Q * (Q.transpose() * Z).eval();
    const Matrix MZ = weighted_product(form, root, std::move(Z), threads);
    for (Index c = 0; c < panel_columns; ++c) probes.push_back(MZ.col(c).squaredNorm());
  }
  const auto count = static_cast<double>(probes.size());
  const double mean = std::accumulate(probes.begin(), probes.end(), 0.0) / count;
  double spread = 0;
  for (const double probe : probes) spread += (probe - mean) * (probe - mean);
  const double value = caught + mean;
  const double rounding = 1e-13 * value;
  return {.value = value,
          .error = standard_errors * std::sqrt(spread / (count * (count - 1))) + rounding,
          .exact = false};
}

SquareForm square_form(const ImplicitKernelStorage& form, VectorView h, int threads) {
  if (h.size() > most_nodes_squared) return estimate_square_form(form, h, threads);
  return {.value = exact_square_form(form, h, threads)};
}

double largest_entry_bound(const ImplicitKernelStorage& form) {
  const double outer = form.outer.size() > 0 ? form.outer.cwiseAbs().maxCoeff() : 1.0;
  return std::abs(form.factor) * outer * outer;
}

double error_bound(const ImplicitKernelStorage& form) {
  return largest_entry_bound(form) * form.series.error;
}

void multiply_whole(const StructureStorage& storage, const double* x, Index columns, double* y,
                    int threads) {
  if (const auto* kernel = std::get_if<ImplicitKernelStorage>(&storage.form)) {
    apply(*kernel, x, columns, y, threads);
    return;
  }
  Eigen::Map<Matrix>(y, storage.size, columns) =
      multiply(std::get<LowRankStorage>(storage.form),
               Eigen::Map<const Matrix>(x, storage.size, columns), threads);
}

}  // namespace srgw::detail
