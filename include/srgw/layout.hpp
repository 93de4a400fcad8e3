// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw {

struct LayoutOptions {
  /// Of each node, or empty. Edges between blocks are drawn longer, so that blocks stand apart.
  std::span<const NodeId> blocks = {};
  int between = 3;  ///< how many times longer
  int pivots =
      200;  ///< nodes from which all distances are measured; all nodes where there are less
  int sweeps = 40;
};

/// Where the nodes of a graph are drawn: n x 2, in units of an edge. Pivot multidimensional scaling
/// (Brandes and Pich 2006), then sweeps that lower the sparse stress
///     sum over edges and (node, pivot) pairs of w_ij (|x_i - x_j| - d_ij)^2,  w_ij ~ d_ij^-2
/// (Ortmann, Klimenta and Brandes 2017), where d is the length of shortest paths. Components are
/// packed side by side. Directions and weights of edges are not looked at. The same on any number
/// of threads. Throws when blocks are given for another number of nodes.
[[nodiscard]] Matrix layout(const Graph& graph, const LayoutOptions& options = {});

/// Moves discs apart that overlap, as little as `rounds` allow; points are n x 2.
void separate(Matrix& points, std::span<const double> radii, int rounds = 50);

}  // namespace srgw
