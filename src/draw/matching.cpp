// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/message.hpp"
#include "draw/node_link.hpp"
#include "srgw/draw.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr Index most_source_nodes = 2000, most_arcs = 1500;

void check(const MatchingPicture& what) {
  const Index n = what.source.nodes(), m = what.target.nodes();
  if (what.plan.rows() != n || what.plan.columns() != m || what.source_names.size() != n ||
      what.target_names.size() != m) {
    fail_argument("picture of a matching: plan {} x {}, {} and {} names, expected {} x {}",
                  what.plan.rows(), what.plan.columns(), what.source_names.size(),
                  what.target_names.size(), n, m);
  }
}

/// Nodes without edges are put on a circle.
Matrix target_layout(const Graph& graph) {
  if (graph.edges() > 0) return layout(graph);
  Matrix points(graph.nodes(), 2);
  for (Index k = 0; k < graph.nodes(); ++k) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(graph.nodes());
    points(k, 0) = std::sin(angle);
    points(k, 1) = -std::cos(angle);
  }
  return points;
}

/// Radii whose areas are weights; the mean one is that of node_radius().
std::vector<double> radii_of(const Vector& weights, const Area& area, double largest) {
  const auto n = static_cast<double>(weights.size());
  const double fair = node_radius(area, weights.size(), largest);
  std::vector<double> radii;
  for (const double weight : weights) {
    const double radius = fair * std::sqrt(std::max(0.0, weight) * n);
    radii.push_back(std::clamp(radius, weight > 0 ? 0.35 * fair : 0.25 * fair, 2.4 * fair));
  }
  return radii;
}

Matrix with_gaps(const Matrix& points, const Area& area, const std::vector<double>& radii) {
  std::vector<double> spaced;
  spaced.reserve(radii.size());
  for (const double radius : radii) spaced.push_back(radius + 1);
  return place_points(points, area, *std::ranges::max_element(radii) + 3, spaced);
}

/// Few nodes have a colour each; many have one by their place, so that a mix of colours is a mean
/// place.
std::vector<Colour> source_colours(const Matrix& points) {
  std::vector<Colour> colours;
  if (points.rows() <= 8) {
    for (Index i = 0; i < points.rows(); ++i) colours.push_back(category(i));
    return colours;
  }
  std::vector<Index> order(points.rows());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::ranges::stable_sort(order, [&](Index a, Index b) { return points(a, 1) < points(b, 1); });
  colours.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    colours[order[k]] = ramp(0.95 * static_cast<double>(k) / static_cast<double>(order.size() - 1));
  }
  return colours;
}

void draw_arc(Canvas& canvas, Point from, Point to, const Colour& colour, double thick,
              double opacity) {
  const double bend = 0.45 * (to.x - from.x);
  std::string data = "M";
  for (const double value : {from.x, from.y}) {
    append_number(data, value);
    data += ' ';
  }
  data += 'C';
  for (const double value : {from.x + bend, from.y, to.x - bend, to.y, to.x, to.y}) {
    append_number(data, value);
    data += ' ';
  }
  data.pop_back();
  canvas.path(data, fmt::format("stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"{}\"",
                                colour.hex(), number(thick), number(opacity)));
}

struct Panels {
  Matrix source, target;
  std::vector<Colour> source_colours, target_colours;
};

/// Arcs of single nodes, heaviest first while there is room; all of them for small graphs.
Index draw_node_arcs(Canvas& canvas, const Panels& panels, const Plan& plan) {
  const ShortRows rows = plan.short_rows();
  struct Arc {
    Index i = 0, k = 0;
    double mass = 0, share = 0;
  };
  std::vector<Arc> arcs;
  for (Index i = 0; i < plan.rows(); ++i) {
    const std::size_t at = i;
    const double weight = plan.weights()[i];
    for (std::size_t e = rows.offsets[at]; e < rows.offsets[at + 1]; ++e) {
      const double share = weight > 0 ? rows.masses[e] / weight : 0;
      if (share > 0.01) arcs.push_back({i, rows.columns[e], rows.masses[e], share});
    }
  }
  std::ranges::stable_sort(arcs, [](const Arc& a, const Arc& b) { return a.mass > b.mass; });
  if (std::ssize(arcs) > most_arcs) arcs.resize(most_arcs);
  const double thick = arcs.size() > 300 ? 0.6 : arcs.size() > 80 ? 1.0 : 1.6;
  canvas.open("class=\"arcs\" fill=\"none\"");
  for (const Arc& arc : arcs) {
    draw_arc(canvas, point_of(panels.source, arc.i), point_of(panels.target, arc.k),
             panels.source_colours[arc.i], thick, std::clamp(0.15 + 0.5 * arc.share, 0.15, 0.65));
  }
  canvas.close();
  return std::ssize(arcs);
}

std::vector<std::string> tooltips(const NodeNames& names, const Vector& weights) {
  std::vector<std::string> result;
  for (Index i = 0; i < names.size(); ++i) {
    result.push_back(fmt::format("{}, weight {:.3g}", names[i], weights[i]));
  }
  return result;
}

std::vector<std::string> numbers_inside(const NodeNames& names, const std::vector<double>& radii) {
  std::vector<std::string> result;
  bool some = false;
  for (Index i = 0; i < names.size(); ++i) {
    const double radius = radii[i];
    const std::string name = names[i];
    const bool fits =
        radius >= 6.5 && text_width(name, std::min(11.0, 1.15 * radius)) <= 1.9 * radius;
    result.push_back(fits ? name : "");
    some = some || fits;
  }
  return some ? result : std::vector<std::string>();
}

}  // namespace

Picture draw_matching(const MatchingPicture& what) {
  constexpr double panel = 400, middle = 170, width = 2 * panel + middle + 2 * margin, height = 430;
  check(what);
  if (what.source.nodes() > most_source_nodes || what.target.nodes() > most_source_nodes) {
    const Assignment labels = what.plan.labels();
    return draw_partition({.graph = what.source,
                           .names = what.source_names,
                           .labels = labels,
                           .clusters = what.plan.columns(),
                           .title = what.title,
                           .subtitle = what.subtitle});
  }
  Canvas canvas;
  const double top = draw_titles(canvas, width, what.title, what.subtitle);
  const Area left{margin, top, panel, height}, right{margin + panel + middle, top, panel, height};
  const Vector source_weights = what.plan.weights(), target_weights = what.plan.target_weights();
  const std::vector<double> source_radii = radii_of(source_weights, left, 10);
  const std::vector<double> target_radii = radii_of(target_weights, right, 13);
  Panels panels;
  const bool as_target = what.target.edges() == 0;
  const Assignment labels = what.plan.labels();
  // Onto nodes without edges the matching is a partition, and drawn as one.
  panels.source = with_gaps(
      layout(what.source,
             {.blocks = as_target ? std::span<const NodeId>(labels) : std::span<const NodeId>()}),
      left, source_radii);
  panels.target = with_gaps(target_layout(what.target), right, target_radii);
  panels.source_colours = source_colours(panels.source);
  panels.target_colours = received_colours(what.plan, panels.source_colours);
  const Index arcs = draw_node_arcs(canvas, panels, what.plan);
  draw_node_link(canvas, {.graph = what.source,
                          .points = panels.source,
                          .radii = source_radii,
                          .fill = panels.source_colours,
                          .tooltips = tooltips(what.source_names, source_weights),
                          .inside = numbers_inside(what.source_names, source_radii)});
  draw_node_link(canvas, {.graph = what.target,
                          .points = panels.target,
                          .radii = target_radii,
                          .fill = panels.target_colours,
                          .tooltips = tooltips(what.target_names, target_weights),
                          .inside = numbers_inside(what.target_names, target_radii)});
  const double y = top + height + 22;
  const auto used = (target_weights.array() > 0).count();
  const auto caption = [&](const Area& area, const std::string& text) {
    draw_caption(canvas, {area.x + panel / 2, y}, shorten(text, text_size, panel));
  };
  caption(left, fmt::format("{}: {} nodes", what.source_name, what.source.nodes()));
  caption(right,
          fmt::format("{}: {} of {} nodes are used", what.target_name, used, what.target.nodes()));
  draw_caption(
      canvas, {width / 2, y + 20},
      fmt::format("Arcs have the colour of their source node{}; a target node has the mix "
                  "of what it receives; area: weight",
                  arcs == most_arcs ? fmt::format(" (the {} heaviest are drawn)", arcs) : ""));
  return finish_picture(canvas, width, y + 20 + margin, what.title, "Matching of two graphs");
}

}  // namespace srgw
