// SPDX-License-Identifier: MIT
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "srgw/transform.hpp"
#include "structure/eigen.hpp"
#include "structure/orthonormal.hpp"
#include "structure/transforms/degrees.hpp"
#include "structure/transforms/implicit.hpp"
#include "structure/without_rows.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr std::uint64_t seed = 0x10d0ULL;
constexpr double tolerance = 1e-14;
constexpr Index spare_columns = 8;  // beyond the rank: they take the slow directions
// exp(-8L) leaves more than 1e-7 of every direction, so that none drowns in the rounding of others
// before the next basis is made; 16 of them make exp(-128L).
constexpr double filter_time = 8;
constexpr int sweeps = 16;
constexpr int power_steps = 8;

struct Pairs {
  Matrix vectors;  // orthonormal columns
  Vector values;   // from large to small
};

Matrix orthonormal_basis(const Matrix& Y) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(Y)};
  return qr.householderQ() * Eigen::MatrixXd::Identity(Y.rows(), Y.cols());
}

/// The leading pairs of K on the span of orthonormal columns.
Pairs ritz_pairs(const ImplicitKernelStorage& K, const Matrix& Q, Index wanted, int threads) {
  const Matrix projected = Q.transpose() * multiply(K, Q, threads);
  const EigenPairs pairs = eigen_pairs(0.5 * (projected + projected.transpose()), threads);
  const Index kept = std::min(wanted, Q.cols());
  return {Q * pairs.vectors.rightCols(kept).rowwise().reverse(),
          pairs.values.tail(kept).reverse().cwiseMax(0.0)};
}

/// |K - U diag(values) U'| by a few power steps from random vectors, doubled since these come from
/// below.
double norm_of_rest(const ImplicitKernelStorage& K, const Pairs& pairs, int threads) {
  const Index n = K.walk.size();
  Matrix x = random_signs(n, spare_columns, seed + 1, threads);
  double norm = 0;
  for (int step = 0; step < power_steps; ++step) {
    x.colwise().normalize();
    Matrix rest = multiply(K, x, threads);
    rest -=
        pairs.vectors * (pairs.values.asDiagonal() * (pairs.vectors.transpose() * x).eval()).eval();
    norm = rest.colwise().norm().maxCoeff();
    if (norm == 0) break;
    x = std::move(rest);
  }
  return 2 * norm;
}

}  // namespace

Source low_rank_heat_kernel(const Graph& graph, double t, Index rank, int threads) {
  check_time(t, "heat kernel");
  if (rank < 1 || rank > graph.nodes()) {
    fail_argument("heat kernel: rank {} for {} nodes, expected a number from 1 to that", rank,
                  graph.nodes());
  }
  ImplicitKernelStorage K = heat_kernel_series(graph, t, tolerance, threads);
  ImplicitKernelStorage filter = heat_kernel_series(graph, filter_time, tolerance, threads);
  // Decay that all directions share is left to the end: it could underflow.
  const double decay = std::exchange(K.factor, 1.0);
  filter.factor = 1;

  const Index columns = std::min(graph.nodes(), rank + spare_columns);
  Matrix Q = orthonormal_basis(random_signs(graph.nodes(), columns, seed, threads));
  for (int sweep = 0; sweep < sweeps; ++sweep) Q = orthonormal_basis(multiply(filter, Q, threads));
  Pairs pairs = ritz_pairs(K, Q, rank, threads);
  const double error = decay * norm_of_rest(K, pairs, threads);
  return {Structure::low_rank(std::move(pairs.vectors), decay * pairs.values, error),
          uniform_weights(graph.nodes())};
}

}  // namespace srgw
