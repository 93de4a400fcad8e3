// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "draw/axes.hpp"
#include "srgw/draw.hpp"

namespace srgw {

namespace {

using namespace detail;

void check(const BarsPicture& what) {
  if (what.groups.empty() || what.series.empty()) {
    fail_argument("bars: {} groups and {} series, expected some", what.groups.size(),
                  what.series.size());
  }
  if (what.values.size() != what.series.size()) {
    fail_argument("bars: values of {} series, expected {}", what.values.size(), what.series.size());
  }
  for (std::size_t s = 0; s < what.series.size(); ++s) {
    if (what.values[s].size() != what.groups.size()) {
      fail_argument("bars {}: {} values, expected {}", what.series[s], what.values[s].size(),
                    what.groups.size());
    }
  }
}

/// Names below the bars: level while they fit, else turned.
double draw_group_names(Canvas& canvas, const BarsPicture& what, const Chart& chart, double step) {
  double widest = 0;
  for (const std::string& name : what.groups) {
    widest = std::max(widest, text_width(name, small_size));
  }
  const bool turned = widest > step - 6;
  constexpr double room = 130;
  // Of thousands of groups only some are named.
  const auto every = static_cast<Index>(std::ceil(16 / std::max(step, 0.1)));
  for (std::size_t g = 0; g < what.groups.size();
       g += turned ? std::max<std::size_t>(every, 1) : 1) {
    const double x = chart.inner.x + step * (static_cast<double>(g) + 0.5);
    TextStyle style{.size = small_size, .anchor = Anchor::middle, .colour = soft_ink};
    if (turned) {
      style.anchor = Anchor::end;
      style.turn = -45;
    }
    canvas.text({x + (turned ? 4 : 0), chart.inner.bottom() + 15},
                shorten(what.groups[g], small_size, turned ? room : step), style);
  }
  return turned ? 20 + 0.72 * std::min(widest, room) : 26;
}

}  // namespace

Picture draw_bars(const BarsPicture& what) {
  constexpr double height = 300, left = 84, least_width = 560, most_width = 1600;
  check(what);
  double low = 0, high = 0;
  for (const auto& values : what.values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const auto groups = static_cast<double>(what.groups.size());
  const auto series = static_cast<double>(what.series.size());
  const double width =
      std::clamp(groups * (series * 16 + 14) + left + 2 * margin, least_width, most_width);
  Canvas canvas;
  const double top = draw_titles(canvas, width, what.title, what.subtitle);
  const Chart chart{{margin + left, top, width - 2 * margin - left, height},
                    Axis(0, groups),
                    Axis(low, high),
                    {},
                    what.y_label,
                    false};
  draw_axes(canvas, chart);
  const double step = chart.inner.width / groups;
  const double bar = 0.8 * step / series;
  const double zero = chart.at(0, 0).y;
  for (std::size_t s = 0; s < what.series.size(); ++s) {
    canvas.open(fmt::format("class=\"bars\" fill=\"{}\"", category(static_cast<Index>(s)).hex()));
    for (std::size_t g = 0; g < what.groups.size(); ++g) {
      const double value = what.values[s][g];
      if (!std::isfinite(value)) continue;
      const double y = chart.at(0, value).y;
      const double x =
          chart.inner.x + step * (static_cast<double>(g) + 0.1) + bar * static_cast<double>(s);
      canvas.rect({x, std::min(y, zero), 0.94 * bar, std::abs(zero - y)}, "");
      if (bar >= 26 && what.groups.size() * what.series.size() <= 40) {
        canvas.text({x + 0.47 * bar, std::min(y, zero) - 4}, fmt::format("{:.3g}", value),
                    {.size = 10, .anchor = Anchor::middle, .colour = soft_ink});
      }
    }
    canvas.close();
  }
  double end = chart.inner.bottom() + draw_group_names(canvas, what, chart, step);
  if (what.series.size() > 1) {
    end =
        draw_legend(canvas, {margin, end + 6, width - 2 * margin, 0}, category_legend(what.series));
  }
  return finish_picture(canvas, width, end + margin / 2, what.title, "Bars");
}

}  // namespace srgw
