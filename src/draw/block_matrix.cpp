// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "base/message.hpp"
#include "draw/axes.hpp"
#include "draw/canvas.hpp"
#include "draw/colours.hpp"
#include "srgw/draw.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr double matrix_side = 460, colour_strip = 10;
constexpr Index most_numbers = 12;  // blocks whose cells have room for text
constexpr Index most_shown = 200;   // 40,000 cells, a few MB

void check(const BlockMatrixPicture& what) {
  const Index count = what.values.rows();
  if (count == 0 || what.values.cols() != count || static_cast<Index>(what.sizes.size()) != count) {
    fail_argument("picture of blocks: {} x {} values of {} blocks, expected as many",
                  what.values.rows(), what.values.cols(), what.sizes.size());
  }
  if (!what.values.allFinite()) {
    fail_argument("picture of blocks: a value that is not finite, expected numbers");
  }
  if (what.widths != nullptr && (what.widths->size() != count || !what.widths->allFinite() ||
                                 what.widths->minCoeff() < 0 || !(what.widths->sum() > 0))) {
    fail_argument("picture of blocks: {} widths of {} blocks, expected as many numbers from 0",
                  what.widths->size(), count);
  }
  if (what.errors != nullptr && (what.errors->rows() != count || what.errors->cols() != count)) {
    fail_argument("picture of blocks: {} x {} errors of {} blocks, expected as many",
                  what.errors->rows(), what.errors->cols(), count);
  }
}

/// Where blocks begin on a side of length 1, and where the last ends.
std::vector<double> borders_of(const BlockMatrixPicture& what) {
  const Index count = what.values.rows();
  std::vector<double> borders{0};
  for (Index k = 0; k < count; ++k) {
    borders.push_back(what.widths != nullptr
                          ? borders.back() + (*what.widths)[k] / what.widths->sum()
                          : static_cast<double>(k + 1) / static_cast<double>(count));
  }
  return borders;
}

/// Cells in shades of grey: the root of the share of the largest value, so that small ones show.
void draw_cells(Canvas& canvas, const BlockMatrixPicture& what, const Area& area,
                const std::vector<double>& borders) {
  const Index count = what.values.rows();
  constexpr double room = 34;  // of a number
  const double largest = what.values.cwiseAbs().maxCoeff();
  for (Index r = 0; r < count; ++r) {
    for (Index s = 0; s < count; ++s) {
      const double value = what.values(r, s);
      const Colour shade = grey(largest > 0 ? std::sqrt(std::abs(value) / largest) : 0);
      const Area cell{area.x + borders[s] * area.width, area.y + borders[r] * area.height,
                      (borders[s + 1] - borders[s]) * area.width,
                      (borders[r + 1] - borders[r]) * area.height};
      canvas.rect(
          cell, fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"0.4\"", shade.hex(), faint));
      if (count > most_numbers || cell.width < room || cell.height < small_size) continue;
      const std::string colour = is_dark(shade) ? "#fff" : ink;
      const Point middle{cell.x + cell.width / 2, cell.y + cell.height / 2};
      canvas.text({middle.x, middle.y + (what.errors != nullptr ? 0 : 4)},
                  fmt::format("{:.3g}", value),
                  {.size = small_size, .anchor = Anchor::middle, .colour = colour});
      if (what.errors == nullptr) continue;
      canvas.text({middle.x, middle.y + 12}, fmt::format("± {:.1g}", (*what.errors)(r, s)),
                  {.size = small_size - 2, .anchor = Anchor::middle, .colour = colour});
    }
  }
}

/// The largest blocks, in the order in which they are.
std::vector<Index> largest_blocks(const BlockMatrixPicture& what) {
  std::vector<Index> order(what.sizes.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index k) {
    return what.widths != nullptr ? (*what.widths)[k] : static_cast<double>(what.sizes[k]);
  });
  order.resize(most_shown);
  std::ranges::sort(order);
  return order;
}

Picture draw_largest(const BlockMatrixPicture& what) {
  const std::vector<Index> shown = largest_blocks(what);
  const Matrix values = what.values(shown, shown);
  std::vector<Index> sizes;
  sizes.reserve(shown.size());
  for (const Index k : shown) sizes.push_back(what.sizes[k]);
  Vector widths;
  BlockMatrixPicture part{.values = values, .sizes = sizes, .title = what.title};
  if (what.widths != nullptr) {
    widths = (*what.widths)(shown);
    part.widths = &widths;
  }
  part.subtitle = fmt::format("{}{}the {} largest of {} blocks", what.subtitle,
                              what.subtitle.empty() ? "" : "; ", most_shown, what.values.rows());
  return draw_block_matrix(part);
}

}  // namespace

Picture draw_block_matrix(const BlockMatrixPicture& what) {
  check(what);
  if (what.values.rows() > most_shown) return draw_largest(what);
  const Index count = what.values.rows();
  const double left = margin + 66, width = left + matrix_side + margin;
  Canvas canvas;
  const double top = draw_titles(canvas, width, what.title, what.subtitle) + colour_strip + 4;
  const Area area{left, top, matrix_side, matrix_side};
  const std::vector<double> borders = borders_of(what);
  draw_cells(canvas, what, area, borders);
  for (Index k = 0; k < count; ++k) {
    const std::string fill = fmt::format("fill=\"{}\"", category(k).hex());
    const double at = borders[k] * matrix_side, side = (borders[k + 1] - borders[k]) * matrix_side;
    canvas.rect({area.x - colour_strip - 2, area.y + at, colour_strip, side}, fill);
    canvas.rect({area.x + at, area.y - colour_strip - 2, side, colour_strip}, fill);
    if (side < small_size) continue;
    canvas.text({area.x - colour_strip - 6, area.y + at + side / 2 + 4},
                std::to_string(what.sizes[static_cast<std::size_t>(k)]),
                {.size = small_size, .anchor = Anchor::end, .colour = soft_ink});
  }
  draw_caption(canvas, {area.x + matrix_side / 2, area.bottom() + 20},
               what.widths != nullptr
                   ? "widths: shares of the nodes; shade: root of the share of the largest value"
                   : "rows: nodes of each block; shade: root of the share of the largest value");
  return finish_picture(canvas, width, area.bottom() + 20 + margin, what.title, "Block matrix");
}

}  // namespace srgw
