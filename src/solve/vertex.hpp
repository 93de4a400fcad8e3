// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/row_pass.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// A direction of conditional gradient: each row puts its mass on one column, or shares it equally
/// over the columns that tie.
struct Vertex {
  std::vector<NodeId> column;  ///< of each row, or `tied`
  TieLists ties;               ///< rows ascending

  /// The columns of a row; each takes an equal share.
  [[nodiscard]] std::span<const NodeId> columns_of(Index row) const {
    const NodeId& k = column[row];
    if (k != tied) return {&k, 1};
    const auto at = std::ranges::lower_bound(ties.rows, static_cast<NodeId>(row));
    const std::size_t t = at - ties.rows.begin();
    return std::span(ties.columns).subspan(ties.offsets[t], ties.offsets[t + 1] - ties.offsets[t]);
  }
};

/// sum_i mass(i) times the mean of entry(i, k) over the columns k of row i: <X, E> for the vertex
/// X.
template <class Mass, class Entry>
[[nodiscard]] double sum_over(const Vertex& vertex, const Mass& mass, const Entry& entry) {
  double sum = 0;
  for (std::size_t i = 0; i < vertex.column.size(); ++i) {
    const NodeId k = vertex.column[i];
    if (k != tied) {
      sum += mass(i) * entry(i, k);
      continue;
    }
    const auto columns = vertex.columns_of(static_cast<Index>(i));
    double row = 0;
    for (const NodeId c : columns) row += entry(i, c);
    sum += mass(i) * row / static_cast<double>(columns.size());
  }
  return sum;
}

}  // namespace srgw::detail
