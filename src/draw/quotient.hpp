// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "draw/blocks.hpp"
#include "draw/canvas.hpp"

namespace srgw::detail {

/// Clusters as discs, their areas the numbers of nodes, and the weight between them.
struct Discs {
  std::vector<Index> clusters = {};  ///< that are drawn, largest first
  std::vector<Index> sizes = {};
  std::vector<double> radii = {};
  Matrix points = {};
  struct Link {
    Index a = 0, b = 0;  ///< discs
    double weight = 0;
  };
  std::vector<Link> links = {};  ///< strongest first
};
/// The largest clusters that are not empty, arranged in an area.
[[nodiscard]] Discs arrange_discs(const Area& area, const Graph& graph, const Assignment& labels,
                                  const BlockOrder& order, Index clusters);
void draw_discs(Canvas& canvas, const Discs& discs);

}  // namespace srgw::detail
