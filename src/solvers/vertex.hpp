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
    const NodeId& k = column[static_cast<std::size_t>(row)];
    if (k != tied) return {&k, 1};
    const auto at = std::ranges::lower_bound(ties.rows, static_cast<NodeId>(row));
    const auto t = static_cast<std::size_t>(at - ties.rows.begin());
    return std::span(ties.columns).subspan(ties.offsets[t], ties.offsets[t + 1] - ties.offsets[t]);
  }

  [[nodiscard]] bool same_row(const Vertex& other, Index row) const {
    const auto i = static_cast<std::size_t>(row);
    if (column[i] != other.column[i]) return false;
    return column[i] != tied || std::ranges::equal(columns_of(row), other.columns_of(row));
  }
};

}  // namespace srgw::detail
