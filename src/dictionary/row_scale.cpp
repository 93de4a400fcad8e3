// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "base/stop.hpp"

namespace srgw {

namespace {

/// The share of rows that are below, with half of those that are the same.
Matrix quantiles_in(const Matrix& sorted, MatrixView rows) {
  Matrix shares(rows.rows(), rows.cols());
  for (Index c = 0; c < rows.cols(); ++c) {
    detail::throw_if_stopped();
    const double *first = sorted.row(c).data(), *last = first + sorted.cols();
    for (Index r = 0; r < rows.rows(); ++r) {
      const auto [low, high] = std::equal_range(first, last, rows(r, c));
      shares(r, c) = static_cast<double>((low - first) + (high - first)) /
                     static_cast<double>(2 * sorted.cols());
    }
  }
  return shares;
}

void scale_blocks(MatrixView rows, std::span<const Index> blocks, RowScale& scale) {
  constexpr double nothing = 1e-12;  // of the largest entry: rounding, not a difference
  scale.means = rows.colwise().mean().transpose();
  scale.factors = Vector::Zero(rows.cols());
  Index first = 0;
  for (const Index width : blocks) {
    const auto block = rows.middleCols(first, width);
    const auto means = scale.means.segment(first, width);
    const double deviation =
        std::sqrt((block.rowwise() - means.transpose()).rowwise().squaredNorm().mean());
    if (deviation > nothing * block.cwiseAbs().maxCoeff()) {
      scale.factors.segment(first, width).setConstant(1 / deviation);
    }
    first += width;
  }
}

}  // namespace

Matrix RowScale::apply(MatrixView rows) const {
  const Index columns = means.size() > 0 ? means.size() : sorted.rows();
  if (columns > 0 && rows.cols() != columns) {
    detail::fail_argument("rows have {} columns, expected {}", rows.cols(), columns);
  }
  Matrix scaled = sorted.size() > 0 ? quantiles_in(sorted, rows) : Matrix(rows);
  if (means.size() > 0) {
    scaled = ((scaled.rowwise() - means.transpose()) * factors.asDiagonal()).eval();
  }
  return scaled;
}

RowScale row_scale(MatrixView rows, std::span<const Index> blocks, RowScaling scaling) {
  const Index columns = std::accumulate(blocks.begin(), blocks.end(), Index{0});
  if (columns != rows.cols()) {
    detail::fail_argument("blocks have {} columns, expected those of the rows: {}", columns,
                          rows.cols());
  }
  if (rows.rows() == 0) detail::fail_argument("no rows, expected some to scale by");
  RowScale scale;
  if (scaling == RowScaling::quantiles) {
    scale.sorted = rows.transpose();
    for (Index c = 0; c < columns; ++c) {
      detail::throw_if_stopped();
      double* row = scale.sorted.row(c).data();
      std::sort(row, row + scale.sorted.cols());
    }
  }
  if (scaling != RowScaling::none && blocks.size() > 1) {
    scale_blocks(scale.apply(rows), blocks, scale);
  }
  return scale;
}

}  // namespace srgw
