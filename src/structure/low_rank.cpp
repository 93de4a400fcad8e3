// SPDX-License-Identifier: MIT
#include "structure/low_rank.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/zeros.hpp"

namespace srgw::detail {

Matrix multiply(const LowRankStorage& form, MatrixView X, int threads) {
  const Matrix coordinates = form.values.asDiagonal() * (form.factors.transpose() * X).eval();
  Matrix Y = zeros(form.factors.rows(), X.cols());
  parallel_for(block_count(Y.rows()), threads, [&](Index block, int) {
    const Index begin = block * block_rows;
    const Index rows = std::min(block_rows, Y.rows() - begin);
    Y.middleRows(begin, rows).noalias() = form.factors.middleRows(begin, rows) * coordinates;
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

}  // namespace srgw::detail
