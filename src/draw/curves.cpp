// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/message.hpp"
#include "draw/axes.hpp"
#include "srgw/draw.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr std::size_t most_points = 2000;  // of a curve; more are thinned

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

bool is_drawn(const CurvesPicture& what, const Series& series, std::size_t k) {
  return std::isfinite(series.x[k]) && std::isfinite(series.y[k]) &&
         (!what.log_y || series.y[k] > 0) && (!what.log_x || series.x[k] > 0);
}

void draw_series(Canvas& canvas, const Chart& chart, const CurvesPicture& what,
                 const Series& series, const Colour& colour) {
  std::string data;
  const std::size_t every = series.x.size() / most_points + 1;
  std::size_t drawn = 0;
  Point last;
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if ((k % every != 0 && k + 1 != series.x.size()) || !is_drawn(what, series, k)) continue;
    last = chart.at(series.x[k], series.y[k]);
    data += drawn++ == 0 ? 'M' : 'L';
    append_number(data, last.x);
    data += ' ';
    append_number(data, last.y);
  }
  canvas.path(data, fmt::format("class=\"curve\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" "
                                "stroke-linejoin=\"round\"",
                                colour.hex()));
  if (drawn == 0) return;
  if (drawn > 40) {  // only the end is marked, for curves that have one point too
    canvas.circle(last, 3, fmt::format("fill=\"{}\"", colour.hex()));
    return;
  }
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if (!is_drawn(what, series, k)) continue;
    canvas.circle(chart.at(series.x[k], series.y[k]), 3, fmt::format("fill=\"{}\"", colour.hex()));
  }
}

}  // namespace

Picture draw_curves(const CurvesPicture& what) {
  constexpr double width = 760, height = 340, left = 84, below = 48;
  Range x, y;
  for (const Series& series : what.series) {
    if (series.x.size() != series.y.size()) {
      fail_argument("curve {}: {} and {} numbers, expected as many", series.name, series.x.size(),
                    series.y.size());
    }
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      if (!is_drawn(what, series, k)) continue;
      x.add(series.x[k]);
      y.add(series.y[k]);
    }
  }
  if (x.empty())
    fail_argument("curves: no {} number, expected some",
                  what.log_y || what.log_x ? "positive" : "finite");
  Canvas canvas;
  const double top = draw_titles(canvas, width, what.title, what.subtitle);
  const Chart chart{{margin + left, top, width - 2 * margin - left, height},
                    Axis(x.low, x.high, what.log_x),
                    Axis(y.low, y.high, what.log_y),
                    what.x_label,
                    what.y_label};
  draw_axes(canvas, chart);
  std::vector<std::string> names;
  for (const Series& series : what.series) {
    draw_series(canvas, chart, what, series, category(std::ssize(names)));
    names.push_back(series.name);
  }
  double end = chart.inner.bottom() + below;
  if (names.size() > 1) {
    end = draw_legend(canvas, {margin + left, end, width - 2 * margin - left, 0},
                      category_legend(names));
  }
  return finish_picture(canvas, width, end + margin / 2, what.title, "Curves");
}

}  // namespace srgw
