// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "srgw/plan.hpp"

namespace srgw::detail {

/// Writes plans from dense rows in the storage that fits: labels when each row has one column,
/// short rows otherwise. Buffers of the storage that is not used now are kept for the next plan.
class PlanWriter {
 public:
  void write(std::span<const double> weights, std::span<const double> rows, Index columns,
             Plan& plan);
  void write(std::span<const double> weights, std::span<const NodeId> labels, Index columns,
             Plan& plan);
  /// Rows of a soft plan, `row_stride` apart: an array when most of it is in use.
  void write_soft(std::span<const double> weights, std::span<const double> rows, Index row_stride,
                  Index columns, Plan& plan);

 private:
  Plan::Trusted take(std::span<const double> weights, Index columns, Plan& plan);
  void finish(Plan::Trusted parts, std::span<const NodeId> labels, Plan& plan);

  Labels labels_;
  ShortRows short_rows_;
  Matrix dense_;
  std::vector<double> unpadded_;
  Assignment labels_of_rows_;
};

}  // namespace srgw::detail
