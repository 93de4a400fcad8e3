// SPDX-License-Identifier: MIT
#include "draw/quotient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "draw/node_link.hpp"
#include "srgw/draw.hpp"

namespace srgw::detail {

namespace {

constexpr Index most_discs = 60;
constexpr std::size_t most_lines = 400;

using Link = Discs::Link;

/// The labels that are drawn, largest first.
std::vector<Index> largest_clusters(const BlockOrder& order, Index clusters) {
  std::vector<Index> chosen(clusters);
  std::iota(chosen.begin(), chosen.end(), Index{0});
  const auto size = [&](Index b) { return order.begins[b + 1] - order.begins[b]; };
  std::ranges::stable_sort(chosen, [&](Index a, Index b) { return size(a) > size(b); });
  std::erase_if(chosen, [&](Index b) { return size(b) == 0; });
  if (std::ssize(chosen) > most_discs) chosen.resize(most_discs);
  return chosen;
}

/// Positions from the strongest links of each disc, relative to the sizes of both ends.
Matrix disc_layout(const Matrix& weights, Index discs) {
  std::vector<Entry> edges;
  const Vector totals = weights.rowwise().sum();
  for (Index a = 0; a < discs; ++a) {
    std::vector<Link> links;
    for (Index b = 0; b < discs; ++b) {
      const double w = weights(a, b) + weights(b, a);
      if (a != b && w > 0) links.push_back({a, b, w / std::sqrt(totals[a] * totals[b] + 1e-300)});
    }
    std::ranges::stable_sort(links,
                             [](const Link& x, const Link& y) { return x.weight > y.weight; });
    for (std::size_t k = 0; k < std::min<std::size_t>(3, links.size()); ++k) {
      edges.push_back({static_cast<NodeId>(std::min(a, links[k].b)),
                       static_cast<NodeId>(std::max(a, links[k].b)), 1});
    }
  }
  return layout(Graph::from_edges(discs, edges));
}

std::vector<Link> strongest_links(const Matrix& weights, Index discs) {
  std::vector<Link> links;
  for (Index a = 0; a < discs; ++a) {
    for (Index b = a + 1; b < discs; ++b) {
      const double w = weights(a, b) + weights(b, a);
      if (w > 0) links.push_back({a, b, w});
    }
  }
  std::ranges::stable_sort(links, [](const Link& x, const Link& y) { return x.weight > y.weight; });
  if (links.size() > most_lines) links.resize(most_lines);
  return links;
}

}  // namespace

Discs arrange_discs(const Area& area, const Graph& graph, const Assignment& labels,
                    const BlockOrder& order, Index clusters) {
  Discs discs{.clusters = largest_clusters(order, clusters)};
  const Index count = std::ssize(discs.clusters);
  // All that is not drawn is one more group.
  std::vector<NodeId> disc_of(order.begins.size(), static_cast<NodeId>(count));
  double total = 0;
  for (Index d = 0; d < count; ++d) {
    const std::size_t cluster = discs.clusters[d];
    disc_of[cluster] = static_cast<NodeId>(d);
    discs.sizes.push_back(order.begins[cluster + 1] - order.begins[cluster]);
    total += static_cast<double>(discs.sizes.back());
  }
  std::vector<NodeId> groups(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) groups[i] = disc_of[labels[i]];
  const Matrix weights = block_weights(graph, groups, count + 1);
  double widest = 0;
  std::vector<double> spaced;
  for (const Index size : discs.sizes) {
    const double fair =
        std::sqrt(0.14 * area.width * area.height * static_cast<double>(size) / (3.1416 * total));
    discs.radii.push_back(std::clamp(fair, 9.0, 0.22 * area.width));
    spaced.push_back(discs.radii.back() + 5);
    widest = std::max(widest, discs.radii.back());
  }
  discs.points = place_points(disc_layout(weights, count), area, widest + 4, spaced, 200);
  discs.links = strongest_links(weights, count);
  return discs;
}

void draw_discs(Canvas& canvas, const Discs& discs) {
  const auto at = [&](Index d) { return point_of(discs.points, d); };
  // Few lines may be broad; many would hide each other.
  const double broadest = std::clamp(
      150.0 / static_cast<double>(std::max<std::size_t>(discs.links.size(), 1)), 1.5, 9.0);
  canvas.open("class=\"edges\" stroke=\"#6b7075\" stroke-opacity=\"0.55\"");
  for (const Link& link : discs.links) {
    const double width =
        std::max(0.3, broadest * std::sqrt(link.weight / discs.links.front().weight));
    canvas.line(at(link.a), at(link.b), fmt::format("stroke-width=\"{}\"", number(width)));
  }
  canvas.close();
  canvas.open("class=\"nodes\" stroke=\"#fff\" stroke-width=\"1\"");
  for (std::size_t d = 0; d < discs.clusters.size(); ++d) {
    canvas.circle(at(static_cast<Index>(d)), discs.radii[d],
                  fmt::format("fill=\"{}\"", category(discs.clusters[d]).hex()),
                  fmt::format("cluster {}: {} nodes", discs.clusters[d] + 1, discs.sizes[d]));
  }
  canvas.close();
  for (std::size_t d = 0; d < discs.clusters.size(); ++d) {
    const double size = discs.radii[d] >= 16 ? 13 : 10;
    const Point centre = at(static_cast<Index>(d));
    canvas.text({centre.x, centre.y + 0.36 * size}, fmt::format("{}", discs.clusters[d] + 1),
                {.size = size,
                 .anchor = Anchor::middle,
                 .colour = is_dark(category(discs.clusters[d])) ? "#fff" : ink,
                 .bold = true});
  }
}

}  // namespace srgw::detail
