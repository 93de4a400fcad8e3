// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "solve/objective.hpp"

namespace srgw::detail {

/// The rows of the linear term M, as long as those of Y: read where they lie when they are, else
/// copied with padding. Where pairs are forbidden they cost infinity here, so that no row minimum
/// takes them; nothing else of the linear term may be read there.
struct LinearRows {
  void prepare(const Objective& objective, Index row_length) {
    data = nullptr;
    factor = objective.linear_factor;
    if (!objective.allowed.everything()) {
      copy_allowed(objective, row_length);
      return;
    }
    if (objective.linear == nullptr) return;
    const MatrixSpan& cost = objective.linear->cost;
    data = cost.data();
    stride = cost.outerStride();
    if (cost.cols() == row_length) return;
    padded_.assign(cost.rows() * row_length, 0.0);
    for (Index i = 0; i < cost.rows(); ++i) {
      std::copy_n(data + i * stride, cost.cols(), padded_.data() + i * row_length);
    }
    data = padded_.data();
    stride = row_length;
  }

  const double* data = nullptr;  ///< null: there is no linear term
  Index stride = 0;              ///< from row to row
  double factor = 0;             ///< 1 - alpha, unless `data` has it

  /// L_ik = (1 - alpha) M_ik, where there is a linear term.
  [[nodiscard]] double at(Index i, Index k) const { return factor * data[i * stride + k]; }
  /// t L_ik; 0 where there is no mass, as on forbidden pairs.
  [[nodiscard]] double times(double t, Index i, Index k) const {
    return t == 0 ? 0.0 : t * at(i, k);
  }

 private:
  void copy_allowed(const Objective& objective, Index row_length) {
    const Index rows = objective.rows();
    padded_.assign(rows * row_length, 0.0);
    for (Index i = 0; i < rows; ++i) {
      double* row = padded_.data() + i * row_length;
      for (Index k = 0; objective.linear != nullptr && k < objective.columns(); ++k) {
        row[k] = objective.linear_factor * objective.linear->cost(i, k);
      }
      objective.allowed.for_each_forbidden(
          i, [&](Index k) { row[k] = std::numeric_limits<double>::infinity(); });
    }
    data = padded_.data();
    stride = row_length;
    factor = 1;
  }

  std::vector<double> padded_;
};

}  // namespace srgw::detail
