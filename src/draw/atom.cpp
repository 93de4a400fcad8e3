// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "draw/node_link.hpp"
#include "srgw/draw.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr double cell = 220, cell_gap = 14, alone = 470;

void check(const AtomPicture& what) {
  const Index m = what.structure.rows();
  if (m == 0 || what.structure.cols() != m || what.weights.size() != m) {
    fail_argument("picture of an atom: {} x {} and {} weights, expected a square and as many", m,
                  what.structure.cols(), what.weights.size());
  }
  if (!what.structure.allFinite() || !what.weights.allFinite()) {
    fail_argument("picture of an atom: numbers that are not finite, expected finite ones");
  }
  for (const AtomRow& row : what.rows) {
    if (row.graph.nodes() == 0 || row.plan.rows() != row.graph.nodes() || row.plan.columns() != m) {
      fail_argument("picture of an atom, graph {}: {} nodes, plan {} x {}, expected {} columns",
                    row.name, row.graph.nodes(), row.plan.rows(), row.plan.columns(), m);
    }
  }
}

/// The atom with what all its drawings share.
struct AtomDrawing {
  Matrix strength;  ///< symmetric, in [0, 1]
  Matrix points;    ///< of a layout
  std::vector<Colour> colours;
};

AtomDrawing prepare(const AtomPicture& what) {
  AtomDrawing drawing;
  const Index m = what.structure.rows();
  drawing.strength = (0.5 * (what.structure + what.structure.transpose())).cwiseAbs();
  drawing.strength.diagonal().setZero();
  const double largest = drawing.strength.maxCoeff();
  if (largest > 0) drawing.strength /= largest;
  // The layout sees the stronger half of what there is.
  std::vector<Entry> edges;
  for (Index a = 0; a < m; ++a) {
    for (Index b = a + 1; b < m; ++b) {
      if (drawing.strength(a, b) > 0.5) {
        edges.push_back({static_cast<NodeId>(a), static_cast<NodeId>(b), 1});
      }
    }
  }
  drawing.points = layout(Graph::from_edges(m, edges));
  for (Index k = 0; k < m; ++k) drawing.colours.push_back(category(k));
  return drawing;
}

/// `weights` of the nodes; without weight they are hollow, or left out when only the used part is
/// wanted.
void draw_atom_graph(Canvas& canvas, const Area& area, const AtomDrawing& drawing,
                     const Vector& weights, bool used_only) {
  const Index m = weights.size();
  const double fair = node_radius(area, m, 14);
  std::vector<double> radii;
  for (const double weight : weights) {
    radii.push_back(std::clamp(fair * std::sqrt(std::max(0.0, weight) * static_cast<double>(m)),
                               0.4 * fair, 2.2 * fair));
  }
  const std::vector<double> spaced(radii.size(), 1.3 * fair);
  const Matrix points = place_points(drawing.points, area, 2.2 * fair + 3, spaced);
  canvas.open("class=\"edges\" stroke-linecap=\"round\"");
  for (Index a = 0; a < m; ++a) {
    for (Index b = a + 1; b < m; ++b) {
      const double strength = drawing.strength(a, b);
      const bool used = weights[a] > 0 && weights[b] > 0;
      if (strength < 0.05 || (used_only && !used)) continue;
      canvas.line(point_of(points, a), point_of(points, b),
                  fmt::format("stroke=\"{}\" stroke-width=\"{}\"",
                              grey(0.08 + 0.7 * strength).hex(), number(0.4 + 1.4 * strength)));
    }
  }
  canvas.close();
  canvas.open("class=\"nodes\" stroke-width=\"1\"");
  for (Index k = 0; k < m; ++k) {
    const std::size_t at = k;
    if (used_only && !(weights[k] > 0)) continue;
    const std::string colour = drawing.colours[at].hex();
    canvas.circle(point_of(points, k), radii[at],
                  fmt::format("fill=\"{}\" stroke=\"{}\"", weights[k] > 0 ? colour : "#fff",
                              weights[k] > 0 ? "#fff" : colour),
                  fmt::format("node {}, weight {:.3g}", k + 1, weights[k]));
  }
  canvas.close();
}

void draw_plain_graph(Canvas& canvas, const Area& area, const Graph& graph, const Matrix& points,
                      const std::vector<Colour>& colours) {
  const double radius = node_radius(area, graph.nodes(), 7);
  const std::vector<double> spaced(colours.size(), radius + 0.5);
  draw_node_link(canvas, {.graph = graph,
                          .points = place_points(points, area, radius + 3, spaced),
                          .radii = std::vector<double>(colours.size(), radius),
                          .fill = colours});
}

void draw_row(Canvas& canvas, double y, const AtomRow& row, const AtomDrawing& drawing,
              const Vector& mean_weights) {
  const auto area = [&](int column) {
    return Area{margin + column * (cell + cell_gap), y, cell, cell};
  };
  const Matrix points = layout(row.graph);
  const std::size_t n = row.graph.nodes();
  draw_plain_graph(canvas, area(0), row.graph, points, std::vector<Colour>(n, grey(0.45)));
  draw_plain_graph(canvas, area(1), row.graph, points,
                   node_colours(row.plan.labels(), &row.plan, drawing.colours));
  const Vector weights = row.plan.target_weights();
  draw_atom_graph(canvas, area(2), drawing, weights, true);
  draw_atom_graph(canvas, area(3), drawing, mean_weights, false);
  const auto used = (weights.array() > 0).count();
  const TextStyle style{.size = small_size, .anchor = Anchor::middle, .colour = soft_ink};
  const auto caption = [&](int column, const std::string& text) {
    canvas.text({area(column).x + cell / 2, y + cell + 14}, shorten(text, small_size, cell), style);
  };
  caption(0, fmt::format("{}{}{} nodes", row.name, row.name.empty() ? "" : ": ", n));
  caption(2, fmt::format("{} of {} nodes are used", used, weights.size()));
}

}  // namespace

Picture draw_atom(const AtomPicture& what) {
  check(what);
  const AtomDrawing drawing = prepare(what);
  const double width =
      what.rows.empty() ? alone + 2 * margin : 4 * cell + 3 * cell_gap + 2 * margin;
  Canvas canvas;
  double y = draw_titles(canvas, width, what.title, what.subtitle);
  if (what.rows.empty()) {
    draw_atom_graph(canvas, {margin, y, alone, alone}, drawing, what.weights, false);
    y += alone;
  } else {
    constexpr const char* heads[] = {"graph", "coloured by its plan", "used part of the atom",
                                     "whole atom"};
    for (int column = 0; column < 4; ++column) {
      canvas.text({margin + column * (cell + cell_gap) + cell / 2, y + 12}, heads[column],
                  {.anchor = Anchor::middle, .bold = true});
    }
    y += 22;
    for (const AtomRow& row : what.rows) {
      draw_row(canvas, y, row, drawing, what.weights);
      y += cell + 30;
    }
  }
  draw_caption(canvas, {width / 2, y + 14},
               shorten("Edges in grey by value, nodes by mean weight; hollow: not used", text_size,
                       width - 2 * margin));
  return finish_picture(canvas, width, y + 14 + margin, what.title, "Atom of a dictionary");
}

}  // namespace srgw
