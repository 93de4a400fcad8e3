// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "draw/canvas.hpp"

namespace srgw::detail {

/// From numbers to pixels, with round numbers to write beside.
class Axis {
 public:
  /// The range is widened to ticks. A logarithmic axis needs positive numbers.
  Axis(double low, double high, bool logarithmic = false);

  /// In [0, 1].
  [[nodiscard]] double place(double value) const;
  struct Tick {
    double value = 0;
    std::string text;
  };
  [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  void add_ticks(double step);
  void add_powers();

  double low_, high_;
  bool logarithmic_;
  std::vector<Tick> ticks_;
};

/// A frame with both axes, grid lines, ticks and labels around `inner`.
struct Chart {
  Area inner;
  Axis x, y;
  std::string x_label = {}, y_label = {};
  bool x_ticks = true;

  [[nodiscard]] Point at(double value_x, double value_y) const {
    return {inner.x + x.place(value_x) * inner.width,
            inner.bottom() - y.place(value_y) * inner.height};
  }
};
void draw_axes(Canvas& canvas, const Chart& chart);

/// A number for people: few digits, and powers of ten only where needed.
[[nodiscard]] std::string readable(double value);

}  // namespace srgw::detail
