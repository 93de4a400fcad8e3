// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "draw/colours.hpp"
#include "srgw/draw.hpp"

namespace srgw::detail {

struct Point {
  double x = 0, y = 0;
};

/// Between one point of a spiral and the next, so that they fill a disc evenly.
inline constexpr double golden_angle = 2.399963229728653;

/// Row of an n x 2 matrix.
[[nodiscard]] inline Point point_of(const Matrix& points, Index row) {
  return {points(row, 0), points(row, 1)};
}

struct Area {
  double x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] double right() const { return x + width; }
  [[nodiscard]] double bottom() const { return y + height; }
};

// The one look of all pictures.
inline constexpr const char* ink = "#1c1c1c";
inline constexpr const char* soft_ink = "#55595e";
inline constexpr const char* faint = "#cfd3d7";
inline constexpr double margin = 24, title_size = 18, text_size = 12, small_size = 11;

/// Text that XML holds: markup escaped, and what is no character of XML replaced by U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);

/// How wide text is drawn, about: no font is asked. Rather too wide than too narrow.
[[nodiscard]] double text_width(std::string_view text, double size);
/// The text, cut with an ellipsis when it is wider.
[[nodiscard]] std::string shorten(std::string_view text, double size, double width);

/// Two decimals at most, without trailing zeros.
void append_number(std::string& out, double value);
[[nodiscard]] std::string number(double value);

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = text_size;
  Anchor anchor = Anchor::start;
  std::string colour = ink;
  bool bold = false;
  bool halo = false;  ///< white around the letters, for text over a drawing
  double turn = 0;    ///< degrees, around the point
};

/// Elements of an SVG, one after the other. Polls the StopScope as it grows.
class Canvas {
 public:
  /// `look` are attributes, such as fill="#fff".
  void rect(const Area& area, std::string_view look);
  void circle(Point centre, double radius, std::string_view look, std::string_view tooltip = {});
  void line(Point from, Point to, std::string_view look);
  void path(std::string_view data, std::string_view look);
  void text(Point at, std::string_view text, const TextStyle& style = {});
  void open(std::string_view look);
  void close();
  void append(std::string_view elements, Point at);

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
  StopCounter stop_{256};
};

/// Title and subtitle at the top of a picture of this width; returns where the drawing begins.
double draw_titles(Canvas& canvas, double width, std::string_view title, std::string_view subtitle);

/// A line of text in soft ink around a point.
void draw_caption(Canvas& canvas, Point middle, std::string_view text);

/// The drawing as a picture of this size; untitled ones are called `otherwise`.
[[nodiscard]] Picture finish_picture(Canvas& canvas, double width, double height,
                                     const std::string& title, const char* otherwise);

/// A colour and what it stands for.
struct LegendEntry {
  Colour colour;
  std::string text;
};
/// The names of things that have the colours of category(), in their order.
[[nodiscard]] std::vector<LegendEntry> category_legend(const std::vector<std::string>& names);
/// Entries in rows, as many as fit into `rows`; the rest is counted. Returns the y below.
double draw_legend(Canvas& canvas, const Area& area, const std::vector<LegendEntry>& entries,
                   int rows = 3);

}  // namespace srgw::detail
