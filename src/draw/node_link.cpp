// SPDX-License-Identifier: MIT
#include "draw/node_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/csr_rows.hpp"
#include "srgw/draw.hpp"

namespace srgw::detail {

namespace {

// A direction may be scaled by this much more than the other to fill the area; beyond it the
// distances of a layout would no longer be comparable.
constexpr double largest_stretch = 1.6;

}  // namespace

Matrix fit_points(const Matrix& points, const Area& area, double room) {
  const double width = std::max(1.0, area.width - 2 * room);
  const double height = std::max(1.0, area.height - 2 * room);
  Matrix result = points;
  if (points.rows() == 0) return result;
  Eigen::RowVector2d low = points.colwise().minCoeff();
  Eigen::RowVector2d size = points.colwise().maxCoeff() - low;
  if ((size[0] < size[1]) != (width < height)) {  // the long side of one along that of the other
    result.col(0) = points.col(1);
    result.col(1) = -points.col(0);
    low = result.colwise().minCoeff();
    size = result.colwise().maxCoeff() - low;
  }
  const Eigen::RowVector2d scales(width / std::max(size[0], 1e-9),
                                  height / std::max(size[1], 1e-9));
  const double scale = scales.minCoeff();
  // One node, or all at one place: nothing to scale.
  const double factor = std::isfinite(scale) && scale < 1e8 ? scale : 0;
  const Eigen::RowVector2d factors = scales.cwiseMin(largest_stretch * factor);
  const Eigen::RowVector2d middle = low + size / 2;
  for (Index i = 0; i < result.rows(); ++i) {
    result(i, 0) = area.x + area.width / 2 + factors[0] * (result(i, 0) - middle[0]);
    result(i, 1) = area.y + area.height / 2 + factors[1] * (result(i, 1) - middle[1]);
  }
  return result;
}

Matrix place_points(const Matrix& points, const Area& area, double room,
                    const std::vector<double>& radii, int rounds) {
  Matrix result = fit_points(points, area, room);
  separate(result, radii, rounds);
  return fit_points(result, area, room);
}

double node_radius(const Area& area, Index nodes, double largest) {
  const double fair = std::sqrt(0.10 * area.width * area.height /
                                (3.1416 * static_cast<double>(std::max<Index>(nodes, 1))));
  return std::clamp(fair, 1.8, largest);
}

Index draw_node_link(Canvas& canvas, const NodeLink& drawing) {
  const Graph& graph = drawing.graph;
  const Index edges = std::max<Index>(graph.edges(), 1);
  const Index every = (edges + drawing.most_edges - 1) / drawing.most_edges;
  const double opacity = std::clamp(20.0 / std::sqrt(static_cast<double>(edges)), 0.1, 0.6);
  const double width = edges > 3000 ? 0.5 : edges > 300 ? 0.8 : 1.2;
  // Overlaps in one path are no darker, so that many edges are many paths.
  constexpr Index edges_in_path = 100;
  std::string lines;
  Index seen = 0, drawn = 0;
  // One pixel of a large drawing holds many edges: one decimal is enough there.
  const auto place = [&](Index i) {
    append_number(lines, std::round(10 * drawing.points(i, 0)) / 10);
    lines += ' ';
    append_number(lines, std::round(10 * drawing.points(i, 1)) / 10);
  };
  canvas.open(
      fmt::format("class=\"edges\" fill=\"none\" stroke=\"#5f6468\" stroke-width=\"{}\" "
                  "stroke-opacity=\"{}\"",
                  number(width), number(opacity)));
  for_each_entry(graph.adjacency(), [&](Index i, Index j, double) {
    if (i == j || (i > j && !graph.directed())) return;
    if (seen++ % every != 0) return;
    lines += 'M';
    place(i);
    lines += 'L';
    place(j);
    if (++drawn % edges_in_path != 0) return;
    canvas.path(lines, "");
    lines.clear();
  });
  canvas.path(lines, "");
  canvas.close();
  canvas.open(fmt::format("class=\"nodes\" stroke=\"#fff\" stroke-width=\"{}\"",
                          number(graph.nodes() > 400 ? 0.3 : 0.8)));
  for (Index i = 0; i < graph.nodes(); ++i) {
    const std::size_t at = i;
    canvas.circle(point_of(drawing.points, i), drawing.radii[at],
                  fmt::format("fill=\"{}\"", drawing.fill[at].hex()),
                  drawing.tooltips.empty() ? std::string_view() : drawing.tooltips[at]);
  }
  canvas.close();
  for (std::size_t i = 0; i < drawing.inside.size(); ++i) {
    const double size = std::min(11.0, 1.15 * drawing.radii[i]);
    const auto row = static_cast<Index>(i);
    canvas.text({drawing.points(row, 0), drawing.points(row, 1) + 0.36 * size}, drawing.inside[i],
                {.size = size,
                 .anchor = Anchor::middle,
                 .colour = is_dark(drawing.fill[i]) ? "#fff" : ink});
  }
  return seen - drawn;
}

}  // namespace srgw::detail
