// SPDX-License-Identifier: MIT
#pragma once

#include "base/parallel.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

// The rows of k-means, for each way of storing them. Distances come from products:
//     |x - c|^2 = |x|^2 - 2 x.c + |c|^2.

/// Rows of a matrix, moved to their mean, where the differences above cancel least.
class DenseRows {
 public:
  static constexpr Index piece_rows = block_rows;  // of a product at a time

  explicit DenseRows(MatrixView rows)
      : mean_(rows.colwise().mean()), centred_(rows.rowwise() - mean_) {}

  [[nodiscard]] Index size() const { return centred_.rows(); }
  [[nodiscard]] Index columns() const { return centred_.cols(); }
  [[nodiscard]] double squared_norm(Index row) const { return centred_.row(row).squaredNorm(); }

  /// Rows [begin, begin + count) times a matrix of columns() rows.
  [[nodiscard]] Matrix times(const Matrix& factor, Index begin, Index count) const {
    return centred_.middleRows(begin, count) * factor;
  }
  void add_to(Matrix::RowXpr sum, Index row) const { sum += centred_.row(row); }
  /// From the coordinates of these rows to those of the caller.
  void move_back(Matrix& centres) const { centres.rowwise() += mean_; }

 private:
  Eigen::RowVectorXd mean_;
  Matrix centred_;
};

/// Rows of a sparse matrix, as they are.
template <class Offset>
class SparseRows {
 public:
  static constexpr Index piece_rows = 32;  // whose products stay in the cache

  explicit SparseRows(const CsrRows<Offset>& rows) : rows_(rows) {}

  [[nodiscard]] Index size() const { return rows_.size(); }
  [[nodiscard]] Index columns() const { return rows_.size(); }

  [[nodiscard]] double squared_norm(Index row) const {
    double sum = 0;
    visit(row, [&](Index, double value) { sum += value * value; });
    return sum;
  }
  [[nodiscard]] Matrix times(const Matrix& factor, Index begin, Index count) const {
    Matrix product = Matrix::Zero(count, factor.cols());
    for (Index i = 0; i < count; ++i) {
      visit(begin + i,
            [&](Index column, double value) { product.row(i) += value * factor.row(column); });
    }
    return product;
  }
  void add_to(Matrix::RowXpr sum, Index row) const {
    visit(row, [&](Index column, double value) { sum[column] += value; });
  }
  void move_back(Matrix&) const {}

 private:
  template <class Visit>
  void visit(Index row, Visit visit_entry) const {
    for (std::size_t entry = rows_.begin(row); entry < rows_.end(row); ++entry) {
      visit_entry(Index{rows_.columns[entry]}, rows_.value(entry));
    }
  }

  CsrRows<Offset> rows_;
};

}  // namespace srgw::detail
