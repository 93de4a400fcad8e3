// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "srgw/types.hpp"

namespace srgw::detail {

/// Trees of up to 64 leaves as sets of bits, one for each leaf from left to right. A row begins
/// with all of them; every inner node whose threshold it exceeds takes away the leaves on its left.
/// The first leaf that is left is where the row ends (QuickScorer, Lucchese et al. 2015): no step
/// waits for the one before.
struct ForestTest {
  double threshold;
  std::int64_t column;
  std::uint64_t keep;  ///< the leaves that are not on the left of the node
};
struct ForestTree {
  std::size_t tests_end;   ///< tests of the tree end here and begin where the last tree's end
  std::size_t first_leaf;  ///< of its values
};

struct ForestPass {
  std::span<const ForestTest> tests;
  std::span<const ForestTree> trees;
  const double* leaves;
  const double* columns;  ///< number c of row r is columns[c * stride + r]
  Index stride;           ///< a multiple of forest_lanes
  double* sums;           ///< of each row up to the stride
};

inline constexpr Index forest_lanes = 8;

/// Adds to each row's sum the value of its leaf in each tree, one tree after the other.
void add_trees(const ForestPass& pass);

}  // namespace srgw::detail
