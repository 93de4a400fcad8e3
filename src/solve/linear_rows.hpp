// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "solve/objective.hpp"

namespace srgw::detail {

/// The rows of the linear term M, as long as those of Y: read where they lie when they are, else
/// copied with padding.
struct LinearRows {
  void prepare(const Objective& objective, Index row_length) {
    data = nullptr;
    factor = objective.linear_factor;
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
  double factor = 0;             ///< 1 - alpha

  /// L_ik = (1 - alpha) M_ik, where there is a linear term.
  [[nodiscard]] double at(Index i, Index k) const { return factor * data[i * stride + k]; }

 private:
  std::vector<double> padded_;
};

}  // namespace srgw::detail
