// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "draw/canvas.hpp"
#include "srgw/graph.hpp"

namespace srgw::detail {

/// Points of a layout moved into an area: centred, `room` left free on each side, the longer side
/// of the drawing turned to that of the area, the shorter one stretched to fill it within limits.
[[nodiscard]] Matrix fit_points(const Matrix& points, const Area& area, double room);

/// Places nodes, then moves discs of such radii apart where they overlap.
[[nodiscard]] Matrix place_points(const Matrix& points, const Area& area, double room,
                                  const std::vector<double>& radii, int rounds = 50);

/// A radius that lets so many discs fill a part of the area, within limits.
[[nodiscard]] double node_radius(const Area& area, Index nodes, double largest = 10);

/// The drawing of a graph. Lists have one item for each node.
struct NodeLink {
  const Graph& graph;
  Matrix points;  ///< in the picture
  std::vector<double> radii;
  std::vector<Colour> fill;
  std::vector<std::string> tooltips = {};  ///< empty: none
  std::vector<std::string> inside = {};    ///< short names on the discs; empty: none
  Index most_edges = 30000;                ///< above, every so manyth is drawn
};

/// Draws edges, then nodes. Returns how many edges were left out; self-loops are not drawn at all.
Index draw_node_link(Canvas& canvas, const NodeLink& drawing);

}  // namespace srgw::detail
