// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/message.hpp"
#include "draw/node_link.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/draw.hpp"

namespace srgw {

namespace {

using namespace detail;

void check(const CompletionPicture& what) {
  const Index n = what.completed.nodes();
  if (n == 0 || what.seen.nodes() > n || what.names.size() != n || what.probabilities.rows() != n ||
      what.probabilities.cols() != n) {
    fail_argument(
        "picture of a completion: {} seen nodes, {} names, probabilities {} x {}, expected {} "
        "nodes, names and rows",
        what.seen.nodes(), what.names.size(), what.probabilities.rows(), what.probabilities.cols(),
        n);
  }
}

std::vector<std::pair<Index, Index>> pairs_of(const Graph& graph) {
  std::vector<std::pair<Index, Index>> pairs;
  for_each_entry(graph.adjacency(), [&](Index i, Index j, double) {
    if (i != j && (i < j || graph.directed())) pairs.emplace_back(i, j);
  });
  return pairs;
}

/// The edges that were seen, on all nodes.
Graph known_part(const CompletionPicture& what) {
  std::vector<Entry> edges;
  for (const auto& [i, j] : pairs_of(what.seen)) {
    edges.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j), 1});
  }
  return Graph::from_edges(what.completed.nodes(), edges, what.seen.directed());
}

std::vector<std::string> tooltips(const CompletionPicture& what) {
  std::vector<std::string> result;
  for (Index i = 0; i < what.names.size(); ++i) {
    result.push_back(what.names[i] + (i < what.seen.nodes() ? ", seen" : ", hidden"));
  }
  return result;
}

/// As thick as they are likely.
void draw_found(Canvas& canvas, const Matrix& points, const Matrix& probabilities,
                const std::vector<std::pair<Index, Index>>& found, const Colour& colour) {
  canvas.open(fmt::format("class=\"found\" stroke=\"{}\" stroke-linecap=\"round\"", colour.hex()));
  for (const auto& [i, j] : found) {
    const double p = std::clamp(probabilities(i, j), 0.0, 1.0);
    canvas.line(point_of(points, i), point_of(points, j),
                fmt::format("stroke-width=\"{}\" stroke-opacity=\"{}\"", number(0.6 + 2.2 * p),
                            number(0.35 + 0.6 * p)));
  }
  canvas.close();
}

}  // namespace

std::vector<std::pair<Index, Index>> found_pairs(const CompletionPicture& what) {
  auto known = pairs_of(what.seen), pairs = pairs_of(what.completed);
  std::ranges::sort(known);
  std::erase_if(pairs, [&](const auto& pair) { return std::ranges::binary_search(known, pair); });
  return pairs;
}

Picture draw_completion(const CompletionPicture& what) {
  constexpr double panel = 440, between = 20, width = 2 * panel + between + 2 * margin,
                   height = 430;
  check(what);
  const Index n = what.completed.nodes(), seen = what.seen.nodes();
  Canvas canvas;
  const double top = draw_titles(canvas, width, what.title, what.subtitle);
  const Area left{margin, top, panel, height}, right{margin + panel + between, top, panel, height};
  const double radius = node_radius(left, n, 9);
  const std::vector<double> radii(n, radius);
  // Both panels have the nodes at the same places.
  const std::vector<double> spaced(radii.size(), radius + 1);
  Matrix points = place_points(layout(what.completed), left, radius + 3, spaced);
  const Colour old_colour = grey(0.45), new_colour = category(1);
  std::vector<Colour> fill(n, old_colour);
  std::fill(fill.begin() + seen, fill.end(), new_colour);
  const std::vector<std::string> tips = tooltips(what);
  draw_node_link(canvas, {.graph = what.seen,
                          .points = points.topRows(seen),
                          .radii = {radii.begin(), radii.begin() + seen},
                          .fill = {fill.begin(), fill.begin() + seen},
                          .tooltips = {tips.begin(), tips.begin() + seen}});
  points.col(0).array() += right.x - left.x;
  const auto found = found_pairs(what);
  draw_found(canvas, points, what.probabilities, found, new_colour);
  draw_node_link(canvas, {.graph = known_part(what),
                          .points = points,
                          .radii = radii,
                          .fill = fill,
                          .tooltips = tips});
  const double y = top + height + 22;
  draw_caption(canvas, {left.x + panel / 2, y}, fmt::format("seen: {} nodes", seen));
  draw_caption(canvas, {right.x + panel / 2, y},
               fmt::format("completed: {} more nodes, {} more edges", n - seen, found.size()));
  draw_caption(canvas, {width / 2, y + 20},
               "Orange is what was found; the thicker an edge, the more likely it is");
  return finish_picture(canvas, width, y + 20 + margin, what.title, "Completion of a graph");
}

}  // namespace srgw
