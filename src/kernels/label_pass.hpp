// SPDX-License-Identifier: MIT
#pragma once

#include <variant>
#include <vector>

#include "kernels/source_rows.hpp"
#include "kernels/sparse_plan.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// One pass over rows of a sparse source onto a diagonal target, with a cost that does not depend
/// on the number of columns. At the plan P, row i has
///
///     c_k = sum_j a_ij mass_j P_jk / h_j         (counting labels of neighbours)
///     v_k = w_k - 2 r_k s_i c_k                  (the gradient over 2 alpha)
///
/// and c_k is zero but for the labels of neighbours; of the other columns only the one with the
/// smallest w_k can be the minimum.
template <class Label>
struct LabelPass {
  SourceRows source;
  Index columns = 0;
  const double* weights = nullptr;            ///< h
  const double* row_factor = nullptr;         ///< s, with a constant mass folded in
  const double* mass = nullptr;               ///< null: constant, in row_factor
  const double* cross = nullptr;              ///< r (padded to a multiple of 16)
  const double* column_cost = nullptr;        ///< w (padded with infinity)
  const NodeId* cheapest = nullptr;           ///< columns in the order of w
  double tie_tolerance = 0;                   ///< on v; negative: the first of several minima
  const SparsePlan<Label>* plan = nullptr;    ///< P
  const SparsePlan<Label>* former = nullptr;  ///< T, when <P - T, C P R> is wanted too; may be null
  SparsePlan<Label>* minimisers = nullptr;    ///< X
  /// Rows are passed over when nothing near them changed: flag 0, and `drift` below `safe_until`.
  bool all_rows = true;
  std::uint8_t* flag = nullptr;  ///< out: 2 for the rows that were looked at
  float* safe_until = nullptr;
  double drift = 0;
};

/// Sums over the rows of a pass; D = X - P.
struct LabelSums {
  double slope = 0;        ///< sum_i h_i (v_x - sum_k P_ik/h_i v_k) = <g, D> / 2 alpha
  double cross_slope = 0;  ///< <D, C P R>
  double cross = 0;        ///< <P, C P R>, of the rows looked at
  double back = 0;         ///< <P - T, C P R>
};

/// Scratch of one thread, and what it collects.
struct LabelScratch {
  std::vector<double> counts;      ///< zeros, one more than columns (padded)
  std::vector<std::int64_t> flow;  ///< change of column sums from P to X, in 2^-62
  std::vector<NodeId> ties;
  std::vector<NodeId> touched;  ///< columns that the neighbours of a row hold
};

/// Weights as integers, so that column sums do not depend on the order of rows.
[[nodiscard]] inline std::int64_t weight_as_integer(double weight) {
  return static_cast<std::int64_t>(weight * 0x1p62);
}
[[nodiscard]] inline double weight_from_integer(std::int64_t weight) {
  return static_cast<double>(weight) * 0x1p-62;
}

/// The pass for labels of any width.
using AnyLabelPass = std::variant<const LabelPass<std::uint8_t>*, const LabelPass<std::uint16_t>*,
                                  const LabelPass<std::uint32_t>*>;

/// Runs the pass on rows [begin, end) of one block; rows that chose another column are appended to
/// `changed`.
[[nodiscard]] LabelSums label_pass(AnyLabelPass pass, Index begin, Index end, LabelScratch& scratch,
                                   std::vector<NodeId>& changed);

/// The counts c of one row at the plan P, into `counts` (as many as columns, zeros before).
template <class Label>
void count_row(const LabelPass<Label>& pass, Index row, double* counts) {
  pass.source.for_each(row, [&](Index j, double a) {
    const double amount = pass.mass != nullptr ? a * pass.mass[j] : a;
    pass.plan->for_each_share(j,
                              [&](NodeId k, double fraction) { counts[k] += amount * fraction; });
  });
}

}  // namespace srgw::detail
