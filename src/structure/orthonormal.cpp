// SPDX-License-Identifier: MIT
#include "structure/orthonormal.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/zeros.hpp"
#include "structure/eigen.hpp"

namespace srgw::detail {

namespace {

Matrix orthonormal_once(const Matrix& Y) {
  const EigenPairs gram = eigen_pairs(Y.transpose() * Y);
  const Vector& squares = gram.values;
  const double least = 1e-12 * squares.maxCoeff();
  Index kept = 0;
  for (const double square : squares) kept += square > least ? 1 : 0;
  return Y * (gram.vectors.rightCols(kept) *
              squares.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal());
}

}  // namespace

Matrix random_signs(Index rows, Index columns, std::uint64_t seed, int threads) {
  Matrix signs = zeros(rows, columns);
  parallel_for(block_count(rows), threads, [&](Index block, int) {
    for (Index i = block * block_rows; i < std::min(rows, (block + 1) * block_rows); ++i) {
      Random random(seed, static_cast<std::uint64_t>(i));
      std::uint64_t bits = 0;
      for (Index c = 0; c < columns; ++c, bits >>= 1) {
        if (c % 64 == 0) bits = random();
        signs(i, c) = (bits & 1) != 0 ? 1.0 : -1.0;
      }
    }
  });
  return signs;
}

// Twice: the first basis is orthonormal only as far as the columns were apart.
Matrix orthonormal(const Matrix& Y) {
  const Matrix basis = orthonormal_once(Y);
  return basis.cols() > 0 ? orthonormal_once(basis) : basis;
}

}  // namespace srgw::detail
