// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "draw/density_map.hpp"
#include "draw/node_link.hpp"
#include "draw/quotient.hpp"
#include "srgw/draw.hpp"

namespace srgw {

namespace {

using namespace detail;

struct Clusters {
  Index count = 0;   ///< labels below this are clusters
  Index labels = 0;  ///< all labels
};

Clusters clusters_of(const PartitionPicture& what) {
  Index largest = 0;
  for (const NodeId label : what.labels) largest = std::max<Index>(largest, label);
  const Index count = what.clusters.value_or(largest + 1);
  return {count, std::max(count, largest + 1)};
}

void check(const PartitionPicture& what) {
  const Index n = what.graph.nodes();
  if (std::ssize(what.labels) != n || what.names.size() != n) {
    fail_argument("picture of a partition: {} labels and {} names of {} nodes, expected as many",
                  what.labels.size(), what.names.size(), n);
  }
  if (what.plan != nullptr && what.plan->rows() != n) {
    fail_argument("picture of a partition: a plan of {} nodes, expected {}", what.plan->rows(), n);
  }
}

std::vector<Colour> label_colours(const Clusters& clusters) {
  std::vector<Colour> colours;
  for (Index b = 0; b < clusters.labels; ++b) {
    colours.push_back(b < clusters.count ? category(b) : no_cluster);
  }
  return colours;
}

/// The number of each cluster where its nodes are, moved apart where they would overlap.
void draw_cluster_numbers(Canvas& canvas, const Area& area, const Matrix& points,
                          const Assignment& labels, Index clusters) {
  if (clusters > 60) return;
  Matrix sums = Matrix::Zero(clusters, 3);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= static_cast<NodeId>(clusters)) continue;
    const auto row = static_cast<Index>(i);
    sums.row(labels[i]) += Eigen::RowVector3d(points(row, 0), points(row, 1), 1);
  }
  std::vector<Index> shown;
  for (Index b = 0; b < clusters; ++b) {
    if (sums(b, 2) > 0) shown.push_back(b);
  }
  Matrix places(std::ssize(shown), 2);
  for (Index k = 0; k < places.rows(); ++k) {
    const Index b = shown[k];
    places.row(k) = sums.row(b).head<2>() / sums(b, 2);
  }
  const std::vector<double> radii(shown.size(), 9);
  separate(places, radii, 200);
  for (Index k = 0; k < places.rows(); ++k) {
    const double x = std::clamp(places(k, 0), area.x + 9, area.right() - 9);
    const double y = std::clamp(places(k, 1), area.y + 9, area.bottom() - 9);
    canvas.text({x, y + 5}, fmt::format("{}", shown[k] + 1),
                {.size = 14, .anchor = Anchor::middle, .bold = true, .halo = true});
  }
}

/// Names that fit on a disc are written there.
std::vector<std::string> short_names(const NodeNames& names, double radius) {
  std::vector<std::string> result;
  if (radius < 7) return result;
  for (Index i = 0; i < names.size(); ++i) {
    result.push_back(names[i]);
    if (text_width(result.back(), 1.15 * radius) > 1.9 * radius) return {};
  }
  return result;
}

std::string draw_graph(Canvas& canvas, const Area& area, const PartitionPicture& what,
                       const Clusters& clusters, const std::vector<Colour>& colours) {
  const Index n = what.graph.nodes();
  const double radius = node_radius(area, n);
  const std::vector<double> radii(n, radius);
  const std::vector<double> spaced(radii.size(), radius + (n > 400 ? 0.2 : 1));
  const Matrix points =
      place_points(layout(what.graph, {.blocks = what.labels}), area, radius + 2, spaced);
  NodeLink drawing{.graph = what.graph,
                   .points = points,
                   .radii = radii,
                   .fill = node_colours(what.labels, what.plan, colours),
                   .tooltips = {},
                   .inside = short_names(what.names, radius)};
  for (Index i = 0; i < n; ++i) {
    const NodeId label = what.labels[i];
    drawing.tooltips.push_back(label < static_cast<NodeId>(clusters.count)
                                   ? fmt::format("{}, cluster {}", what.names[i], label + 1)
                                   : fmt::format("{}, in no cluster", what.names[i]));
  }
  const Index left_out = draw_node_link(canvas, drawing);
  if (drawing.inside.empty()) {
    draw_cluster_numbers(canvas, area, points, what.labels, clusters.count);
  }
  if (left_out == 0) return "The graph; edges between clusters are drawn longer";
  return fmt::format("The graph; {} of {} edges are not drawn", left_out, what.graph.edges());
}

std::string draw_clusters(Canvas& canvas, const Area& area, const PartitionPicture& what,
                          const Clusters& clusters, const BlockOrder& order) {
  const Discs arranged = arrange_discs(area, what.graph, what.labels, order, clusters.count);
  draw_discs(canvas, arranged);
  const Index discs = std::ssize(arranged.clusters);
  Index all = 0;
  for (Index b = 0; b < clusters.count; ++b) {
    all += order.begins[b + 1] > order.begins[b] ? 1 : 0;
  }
  return discs < all
             ? fmt::format("The {} largest of {} clusters; disc: nodes, line: edges", discs, all)
             : "Clusters; disc: number of nodes, line: edges between";
}

std::vector<LegendEntry> legend(const Clusters& clusters, const std::vector<Colour>& colours,
                                const BlockOrder& order) {
  std::vector<LegendEntry> entries;
  Index none = 0;
  for (std::size_t b = 0; b < colours.size(); ++b) {
    const Index size = order.begins[b + 1] - order.begins[b];
    if (static_cast<Index>(b) >= clusters.count) {
      none += size;
    } else if (size > 0) {
      entries.push_back(
          {colours[b], fmt::format("{}: {} node{}", b + 1, size, size == 1 ? "" : "s")});
    }
  }
  if (none > 0) entries.push_back({no_cluster, fmt::format("in no cluster: {}", none)});
  return entries;
}

}  // namespace

Picture draw_partition(const PartitionPicture& what) {
  constexpr double panel = 470, gap = 28, width = 2 * panel + gap + 2 * margin;
  check(what);
  const Clusters clusters = clusters_of(what);
  const std::vector<Colour> colours = label_colours(clusters);
  const BlockOrder order = order_by_block(what.labels, clusters.labels);
  Canvas canvas;
  const double top = draw_titles(canvas, width, what.title, what.subtitle);
  const Area left{margin, top, panel, panel}, right{margin + panel + gap, top, panel, panel};
  const bool small = what.graph.nodes() <= what.largest_drawn;
  const std::string caption = small ? draw_graph(canvas, left, what, clusters, colours)
                                    : draw_clusters(canvas, left, what, clusters, order);
  const double largest = draw_density_map(canvas, right, what.graph, order, colours);
  double y = top + panel + 20;
  const TextStyle style{.colour = soft_ink};
  canvas.text({left.x, y}, shorten(caption, text_size, panel), style);
  canvas.text({right.x, y}, "Adjacency, nodes in the order of their clusters", style);
  draw_density_key(canvas, {right.x, y + 20}, what.graph, largest);
  y = draw_legend(canvas, {margin, y + 36, width - 2 * margin, 0},
                  legend(clusters, colours, order));
  return finish_picture(canvas, width, y + margin / 2, what.title, "Partition of a graph");
}

}  // namespace srgw
