// SPDX-License-Identifier: MIT
#include "draw/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace srgw::detail {

namespace {

/// 1, 2 or 5 times a power of ten, so that about five steps fill the range.
double round_step(double range) {
  const double raw = range / 5;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double lead = raw / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

}  // namespace

std::string readable(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1e6 || size < 1e-4) return fmt::format("{:.3g}", value);
  std::string text = fmt::format("{:.{}f}", value, size >= 100 ? 1 : size >= 1 ? 3 : 5);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

Axis::Axis(double low, double high, bool logarithmic)
    : low_(low), high_(high), logarithmic_(logarithmic) {
  if (logarithmic_) {
    low_ = std::floor(std::log10(low));
    high_ = std::max(low_ + 1, std::ceil(std::log10(high)));
    add_powers();
    return;
  }
  if (!(high_ > low_)) {  // one value: some room around it
    const double room = low_ == 0 ? 1 : 0.1 * std::abs(low_);
    low_ -= room;
    high_ += room;
  }
  const double step = round_step(high_ - low_);
  low_ = step * std::floor(low_ / step + 1e-9);
  high_ = step * std::ceil(high_ / step - 1e-9);
  add_ticks(step);
}

void Axis::add_ticks(double step) {
  const auto count = std::lround((high_ - low_) / step);
  // As many digits as tell one tick from the next.
  const double largest = std::max(std::abs(low_), std::abs(high_));
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  const bool plain = largest < 1e6 && decimals <= 6;
  for (long k = 0; k <= count; ++k) {
    double value = low_ + step * static_cast<double>(k);
    if (std::abs(value) < 1e-9 * step) value = 0;
    ticks_.push_back(
        {value, plain ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.6g}", value)});
  }
}

void Axis::add_powers() {
  const auto decades = std::lround(high_ - low_);
  const long every = (decades + 5) / 6;
  for (long k = 0; k <= decades; k += every) {
    const auto power = std::lround(low_) + k;
    const bool plain = power >= -3 && power <= 4;
    ticks_.push_back({std::pow(10.0, static_cast<double>(power)),
                      plain ? readable(std::pow(10.0, static_cast<double>(power)))
                            : fmt::format("1e{}", power)});
  }
}

double Axis::place(double value) const {
  return ((logarithmic_ ? std::log10(value) : value) - low_) / (high_ - low_);
}

void draw_axes(Canvas& canvas, const Chart& chart) {
  const Area& inner = chart.inner;
  const TextStyle numbers{.size = small_size, .anchor = Anchor::middle, .colour = soft_ink};
  TextStyle beside = numbers;
  beside.anchor = Anchor::end;
  const std::string grid = fmt::format("stroke=\"{}\" stroke-width=\"0.7\"", faint);
  for (const Axis::Tick& tick : chart.y.ticks()) {
    const double y = inner.bottom() - chart.y.place(tick.value) * inner.height;
    canvas.line({inner.x, y}, {inner.right(), y}, grid);
    canvas.text({inner.x - 6, y + 4}, tick.text, beside);
  }
  if (chart.x_ticks) {
    for (const Axis::Tick& tick : chart.x.ticks()) {
      const double x = inner.x + chart.x.place(tick.value) * inner.width;
      canvas.line({x, inner.bottom()}, {x, inner.bottom() + 4},
                  fmt::format("stroke=\"{}\"", soft_ink));
      canvas.text({x, inner.bottom() + 17}, tick.text, numbers);
    }
  }
  canvas.line({inner.x, inner.bottom()}, {inner.right(), inner.bottom()},
              fmt::format("stroke=\"{}\"", soft_ink));
  TextStyle label{.anchor = Anchor::middle, .colour = ink};
  canvas.text({inner.x + inner.width / 2, inner.bottom() + 36},
              shorten(chart.x_label, text_size, inner.width), label);
  label.turn = -90;
  canvas.text({inner.x - 68, inner.y + inner.height / 2},
              shorten(chart.y_label, text_size, inner.height), label);
}

}  // namespace srgw::detail
