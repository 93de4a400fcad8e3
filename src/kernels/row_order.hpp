// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "kernels/source_rows.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Two orders in which the rows of a small graph may be set on columns: next is the row with the
/// smallest priority, and then those of its neighbours fall, less and less, soon by nothing. So the
/// first rows follow their neighbours, and then all others their priority, which says how well
/// connected they are: best first in one order, least first in the other.
struct RowOrders {
  SourceRows source;  ///< C, symmetric
  /// All entries of C (n x padded_rows, padded with 0), which is faster for a few rows; or null.
  /// The diagonal is used up.
  double* entries = nullptr;
  Index padded_rows = 0;           ///< padded_order(n)
  const double* masses = nullptr;  ///< of rows, in walks
  /// Numbers that tell rows apart (n); overwritten. Ranks are these numbers after some steps
  /// rank <- rank + C (masses o rank), and the range of them is [0, 1].
  double* rank = nullptr;                ///< padded
  double* work = nullptr;                ///< padded
  std::array<double*, 2> priority = {};  ///< padded
  std::array<NodeId*, 2> rows = {};      ///< the orders (n)
  double pull = 1;                       ///< of the first row on a neighbour, for an entry of 1
};

/// How many numbers there are for n rows, and whether these are few.
struct PaddedOrder {
  Index rows = 0;
  bool few = false;
};
[[nodiscard]] PaddedOrder padded_order(Index rows);

}  // namespace srgw::detail
