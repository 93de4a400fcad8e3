// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "draw/blocks.hpp"
#include "draw/canvas.hpp"

namespace srgw::detail {

/// The adjacency with its nodes in the order of their blocks: single entries while they can be
/// seen, else the share of pairs in a cell that are joined. Strips along the top and the left side
/// have the colours of the blocks. Returns the largest share (1 where single entries are drawn).
double draw_density_map(Canvas& canvas, const Area& area, const Graph& graph,
                        const BlockOrder& order, const std::vector<Colour>& colours);

/// The meaning of the shades of that map, below it.
void draw_density_key(Canvas& canvas, Point at, const Graph& graph, double largest);

}  // namespace srgw::detail
