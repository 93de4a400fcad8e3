// SPDX-License-Identifier: MIT
#include "draw/density_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace srgw::detail {

namespace {

constexpr Index most_cells = 220;  // about two pixels each
constexpr int shades = 10;
constexpr double strip = 8;

/// Cells of one shade as one path in units of a cell; equal neighbours in a row are one box.
std::array<std::string, shades + 1> shaded_cells(const Matrix& shares, double largest) {
  std::array<std::string, shades + 1> paths;
  for (Index row = 0; row < shares.rows(); ++row) {
    for (Index column = 0; column < shares.cols();) {
      const auto shade = [&](Index k) {
        // The root shows what is sparse too; anything above nothing gets a shade.
        const double t = largest > 0 ? std::sqrt(shares(row, k) / largest) : 0;
        return shares(row, k) > 0 ? std::max(1, static_cast<int>(std::lround(shades * t))) : 0;
      };
      const int mine = shade(column);
      Index end = column + 1;
      while (end < shares.cols() && shade(end) == mine) ++end;
      if (mine > 0) {
        paths[mine] += fmt::format("M{} {}h{}v1h-{}z", column, row, end - column, end - column);
      }
      column = end;
    }
  }
  return paths;
}

Matrix shares_of_cells(const Graph& graph, const BlockOrder& order, Index cells) {
  const auto n = static_cast<std::uint64_t>(graph.nodes());
  std::vector<NodeId> cell(order.place.size());
  Vector sizes = Vector::Zero(cells);
  for (std::size_t i = 0; i < cell.size(); ++i) {
    cell[i] = static_cast<NodeId>(order.place[i] * static_cast<std::uint64_t>(cells) / n);
    sizes[cell[i]] += 1;
  }
  Matrix shares = block_weights(graph, cell, cells);
  for (Index a = 0; a < cells; ++a) {
    for (Index b = 0; b < cells; ++b) shares(a, b) /= sizes[a] * sizes[b];
  }
  return shares;
}

}  // namespace

double draw_density_map(Canvas& canvas, const Area& area, const Graph& graph,
                        const BlockOrder& order, const std::vector<Colour>& colours) {
  const Index n = graph.nodes();
  const Index cells = std::min(n, most_cells);
  const Matrix shares = shares_of_cells(graph, order, cells);
  const double largest = shares.maxCoeff();
  const double side = std::min(area.width, area.height) - strip - 2;
  const Area inner{area.x + strip + 2, area.y + strip + 2, side, side};

  canvas.open(
      fmt::format("class=\"adjacency\" transform=\"translate({} {}) scale({:.5f})\" "
                  "shape-rendering=\"crispEdges\"",
                  number(inner.x), number(inner.y), side / static_cast<double>(cells)));
  const auto paths = shaded_cells(shares, largest);
  for (int shade = 1; shade <= shades; ++shade) {
    canvas.path(paths[shade],
                fmt::format("fill=\"{}\"", grey(static_cast<double>(shade) / shades).hex()));
  }
  canvas.close();
  canvas.rect(inner, fmt::format("fill=\"none\" stroke=\"{}\"", faint));
  const double unit = side / static_cast<double>(n);
  for (std::size_t b = 0; b + 1 < order.begins.size(); ++b) {
    const double from = unit * static_cast<double>(order.begins[b]);
    const double length = unit * static_cast<double>(order.begins[b + 1]) - from;
    if (!(length > 0)) continue;
    const std::string fill = fmt::format("fill=\"{}\"", colours[b].hex());
    canvas.rect({inner.x + from, area.y, length, strip}, fill);
    canvas.rect({area.x, inner.y + from, strip, length}, fill);
    if (b == 0) continue;
    const std::string look = "stroke=\"#0072b2\" stroke-opacity=\"0.35\" stroke-width=\"0.6\"";
    canvas.line({inner.x + from, inner.y}, {inner.x + from, inner.bottom()}, look);
    canvas.line({inner.x, inner.y + from}, {inner.right(), inner.y + from}, look);
  }
  return largest;
}

void draw_density_key(Canvas& canvas, Point at, const Graph& graph, double largest) {
  const TextStyle style{.size = small_size, .colour = soft_ink};
  if (graph.nodes() <= most_cells && !graph.weighted()) {
    canvas.text(at, "dark: an edge", style);
    return;
  }
  constexpr double width = 12;
  canvas.text(at, "0", style);
  double x = at.x + 12;
  for (int shade = 0; shade <= shades; ++shade, x += width) {
    canvas.rect({x, at.y - 9, width, 10},
                fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"0.4\"",
                            grey(static_cast<double>(shade) / shades).hex(), faint));
  }
  const std::string end =
      graph.weighted() ? fmt::format("{:.3g}, mean weight of the pairs in a cell", largest)
                       : fmt::format("{:.3g} % of the pairs in a cell are joined", 100 * largest);
  canvas.text({x + 6, at.y}, end + " (shade: its root)", style);
}

}  // namespace srgw::detail
