// SPDX-License-Identifier: MIT
#include "blocks/leading_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/row_blocks.hpp"
#include "base/stop.hpp"
#include "structure/eigen.hpp"
#include "structure/orthonormal.hpp"

namespace srgw::detail {

namespace {

constexpr Index largest_dense_walk = 400;

/// The places of the leading values, the leading first.
std::vector<Index> leading_order(const Vector& values, Index wanted, Leading which) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index k) {
    return which == Leading::largest ? values[k] : std::abs(values[k]);
  });
  order.resize(std::min(values.size(), wanted));
  return order;
}

/// X'Y over fixed blocks of rows.
Matrix inner(const Matrix& x, const Matrix& y, int threads) {
  const Matrix zero = Matrix::Zero(x.cols(), y.cols());
  return sum_over_blocks(x.rows(), threads, zero, [&](Index begin, Index end) -> Matrix {
    return x.middleRows(begin, end - begin).transpose() * y.middleRows(begin, end - begin);
  });
}

/// X R, by rows.
Matrix rotate(const Matrix& x, const Matrix& rotation, int threads) {
  Matrix result(x.rows(), rotation.cols());
  for_each_block(x.rows(), threads, [&](Index, Index begin, Index end, int) {
    result.middleRows(begin, end - begin).noalias() = x.middleRows(begin, end - begin) * rotation;
  });
  return result;
}

/// An orthonormal basis of the columns, without directions that are rounding alone.
Matrix basis_of(Matrix columns, int threads) {
  constexpr double rounding = 1e-12;
  for (int pass = 0; pass < 2; ++pass) {
    const EigenPairs gram = eigen_pairs(inner(columns, columns, threads), threads);
    const double least = rounding * gram.values.maxCoeff();
    const Index kept = (gram.values.array() > least).count();
    const Matrix whiten = gram.vectors.rightCols(kept) *
                          gram.values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
    columns = rotate(columns, whiten, threads);
  }
  return columns;
}

Matrix times(const Walk& walk, const Matrix& x, int threads) {
  Matrix y(x.rows(), x.cols());
  apply_walk(walk, x.data(), x.cols(), y.data(), threads);
  return y;
}

}  // namespace

LeadingPairs leading_pairs(const Walk& walk, const LeadingRules& rules) {
  const Index n = walk.size();
  const Index wanted = std::min(rules.wanted, n);
  if (n <= largest_dense_walk) {
    const EigenPairs pairs = eigen_pairs(Eigen::MatrixXd(dense_walk(walk)), rules.threads);
    const std::vector<Index> order = leading_order(pairs.values, wanted, rules.which);
    return {pairs.values(order), pairs.vectors(Eigen::all, order)};
  }
  constexpr Index spare = 6, powers = 4;
  const Index width = std::min(n / (powers + 1), wanted + spare);
  Matrix x = basis_of(random_signs(n, width, rules.seed, rules.threads), rules.threads);
  LeadingPairs found;
  for (int round = 0; round < rules.rounds; ++round) {
    throw_if_stopped();
    Matrix krylov(n, x.cols() * powers);
    Matrix power = x;
    for (Index p = 0; p < powers; ++p) {
      krylov.middleCols(p * x.cols(), x.cols()) = power;
      if (p + 1 == powers) break;
      // Columns are brought to one basis, else all would turn to the leading vector.
      power = basis_of(times(walk, power, rules.threads), rules.threads);
      if (power.cols() < x.cols()) {
        krylov.conservativeResize(n, (p + 1) * x.cols());
        break;
      }
    }
    const Matrix basis = basis_of(std::move(krylov), rules.threads);
    const Matrix image = times(walk, basis, rules.threads);
    const Matrix projected = inner(basis, image, rules.threads);
    const EigenPairs ritz = eigen_pairs(0.5 * (projected + projected.transpose()), rules.threads);
    const std::vector<Index> order = leading_order(ritz.values, width, rules.which);
    const Matrix rotation = ritz.vectors(Eigen::all, order);
    x = rotate(basis, rotation, rules.threads);
    const Index kept = std::min<Index>(wanted, std::ssize(order));
    found.values = ritz.values(order).head(kept);
    found.vectors = x.leftCols(kept);
    const Matrix residual = rotate(image, rotation.leftCols(kept), rules.threads) -
                            found.vectors * found.values.asDiagonal();
    if (residual.colwise().norm().maxCoeff() < rules.tolerance) break;
  }
  return found;
}

}  // namespace srgw::detail
