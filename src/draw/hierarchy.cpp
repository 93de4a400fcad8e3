// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/message.hpp"
#include "draw/canvas.hpp"
#include "srgw/draw.hpp"

namespace srgw {

namespace {

using namespace detail;

void check(const std::vector<HierarchyLevel>& levels) {
  if (levels.empty() || levels.back().sizes.empty()) {
    fail_argument("hierarchy: no levels with clusters, expected some");
  }
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
    const HierarchyLevel& level = levels[l];
    if (level.parents.size() != level.sizes.size()) {
      fail_argument("hierarchy: level {} has {} clusters and {} parents, expected as many", l,
                    level.sizes.size(), level.parents.size());
    }
    for (const NodeId parent : level.parents) {
      if (parent >= levels[l + 1].sizes.size()) {
        fail_argument("hierarchy: level {} has the parent {}, expected one of {} clusters", l,
                      parent, levels[l + 1].sizes.size());
      }
    }
  }
}

/// Clusters of a level from the left to the right: by their parents, then large ones first.
std::vector<std::size_t> order_of(const HierarchyLevel& level, const std::vector<double>& above) {
  std::vector<std::size_t> order(level.sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const double left = above.empty() ? 0 : above[level.parents[a]];
    const double right = above.empty() ? 0 : above[level.parents[b]];
    return left != right ? left < right : level.sizes[a] > level.sizes[b];
  });
  return order;
}

}  // namespace

HierarchyPlaces arrange_hierarchy(const std::vector<HierarchyLevel>& levels) {
  check(levels);
  const std::size_t count = levels.size();
  HierarchyPlaces places{std::vector<std::vector<double>>(count),
                         std::vector<std::vector<double>>(count),
                         std::vector<std::vector<Index>>(count)};
  const std::vector<Index>& top = levels.back().sizes;
  const double nodes =
      std::max(1.0, static_cast<double>(std::accumulate(top.begin(), top.end(), Index{0})));
  bool below_mark = false;
  for (std::size_t l = count; l-- > 0;) {
    const HierarchyLevel& level = levels[l];
    const bool last = l + 1 == count;
    std::vector<double> next = last ? std::vector<double>{0} : places.begin[l + 1];
    places.begin[l].resize(level.sizes.size());
    places.end[l].resize(level.sizes.size());
    places.colour[l].resize(level.sizes.size());
    for (const std::size_t k : order_of(level, last ? std::vector<double>{} : next)) {
      double& at = next[last ? 0 : level.parents[k]];
      places.begin[l][k] = at;
      at += static_cast<double>(level.sizes[k]) / nodes;
      places.end[l][k] = at;
      places.colour[l][k] = level.marked ? static_cast<Index>(k)
                            : below_mark ? places.colour[l + 1][level.parents[k]]
                                         : -1;
    }
    below_mark = below_mark || level.marked;
  }
  return places;
}

Picture draw_hierarchy(const HierarchyPicture& what) {
  constexpr double width = 760, height = 44, gap = 3, left = 96, narrowest = 0.4;
  const HierarchyPlaces places = arrange_hierarchy(what.levels);
  const double inner = width - 2 * margin - left;
  Canvas canvas;
  double y = draw_titles(canvas, width, what.title, what.subtitle) + 8;
  for (std::size_t l = what.levels.size(); l-- > 0;) {
    const HierarchyLevel& level = what.levels[l];
    const std::size_t clusters = level.sizes.size();
    canvas.text({margin, y + height / 2 - 2}, fmt::format("level {}", l),
                {.size = small_size, .bold = level.marked});
    canvas.text({margin, y + height / 2 + 12},
                fmt::format("{} cluster{}", clusters, clusters == 1 ? "" : "s"),
                {.size = small_size, .colour = soft_ink});
    for (std::size_t k = 0; k < clusters; ++k) {
      const double span = (places.end[l][k] - places.begin[l][k]) * inner;
      if (span < narrowest) continue;  // not to be seen
      const Index number = places.colour[l][k];
      const Colour colour = number < 0 ? Colour{0.87, 0.89, 0.9} : category(number);
      const Area area{margin + left + places.begin[l][k] * inner, y, span, height};
      canvas.rect(area, fmt::format("fill=\"{}\" stroke=\"#fff\" stroke-width=\"{}\"", colour.hex(),
                                    std::min(1.0, span / 4)));
      const std::string text = fmt::format("{}", level.sizes[k]);
      if (text_width(text, small_size) + 4 > span) continue;
      canvas.text(
          {area.x + span / 2, y + height / 2 + 4}, text,
          {.size = small_size, .anchor = Anchor::middle, .colour = is_dark(colour) ? "#fff" : ink});
    }
    y += height + gap;
  }
  draw_caption(canvas, {width / 2, y + 14},
               "Width and number: nodes. Each cluster lies in the one above it; the level in bold "
               "is the result.");
  return finish_picture(canvas, width, y + 14 + margin, what.title, "Hierarchy");
}

}  // namespace srgw
