// SPDX-License-Identifier: MIT
#include "draw/canvas.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>

namespace srgw::detail {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// One character of a text: its code point, and how many bytes it takes. Bytes that are no UTF-8
/// are one character each, U+FFFD.
struct Character {
  char32_t code = 0xFFFD;
  std::size_t bytes = 1;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return {};
  char32_t code = first & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(at + k) & 0xC0U) != 0x80) return {};
    code = (code << 6U) | (byte(at + k) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, length};
}

bool in_xml(char32_t code) {
  return code == '\t' || code == '\n' || code == '\r' ||
         (code >= 0x20 && code != 0x7F && code != 0xFFFE && code != 0xFFFF);
}

/// In units of the font size, for the narrow grotesques that browsers have; measured on Liberation
/// Sans and rounded up.
double character_width(char32_t code) {
  if (code >= 0x1100) return 1;  // Hangul, CJK, symbols
  if (code == 'm' || code == 'w' || code == 'M' || code == 'W' || code == '@' || code == '%') {
    return 0.9;
  }
  if (code < 0x80 && std::string_view("iljtfrI.,:;'|! ()[]").find(static_cast<char>(code)) !=
                         std::string_view::npos) {
    return 0.34;
  }
  if (code >= 'A' && code <= 'Z') return 0.72;
  return 0.57;
}

const char* name_of(Anchor anchor) {
  switch (anchor) {
    case Anchor::start: return "start";
    case Anchor::middle: return "middle";
    default: return "end";
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = character_at(text, at);
    if (!in_xml(code) || code == 0xFFFD) {  // what is no UTF-8 is read as the latter
      result += replacement;
    } else if (code == '&') {
      result += "&amp;";
    } else if (code == '<') {
      result += "&lt;";
    } else if (code == '>') {
      result += "&gt;";
    } else if (code == '"') {
      result += "&quot;";
    } else if (code == '\'') {
      result += "&#39;";
    } else if (code == '\t' || code == '\n' || code == '\r') {
      result += ' ';
    } else {
      result += text.substr(at, bytes);
    }
    at += bytes;
  }
  return result;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = character_at(text, at);
    width += character_width(code);
    at += bytes;
  }
  return width * size;
}

std::string shorten(std::string_view text, double size, double width) {
  if (text_width(text, size) <= width) return std::string(text);
  double room = width - text_width("…", size);
  std::size_t at = 0;
  while (at < text.size()) {
    const auto [code, bytes] = character_at(text, at);
    room -= character_width(code) * size;
    if (room < 0) break;
    at += bytes;
  }
  return std::string(text.substr(0, at)) + "…";
}

void append_number(std::string& out, double value) {
  assert(std::isfinite(value));
  const std::size_t begin = out.size();
  fmt::format_to(std::back_inserter(out), "{:.2f}", value);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  if (std::string_view(out).substr(begin) == "-0") out.replace(begin, 2, "0");
}

std::string number(double value) {
  std::string result;
  append_number(result, value);
  return result;
}

void Canvas::rect(const Area& area, std::string_view look) {
  stop_.throw_if_stopped();
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", number(area.x),
                      number(area.y), number(area.width), number(area.height), look);
}

void Canvas::circle(Point centre, double radius, std::string_view look, std::string_view tooltip) {
  stop_.throw_if_stopped();
  out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}", number(centre.x), number(centre.y),
                      number(radius), look);
  if (tooltip.empty()) {
    out_ += "/>\n";
  } else {
    out_ += fmt::format("><title>{}</title></circle>\n", xml_text(tooltip));
  }
}

void Canvas::line(Point from, Point to, std::string_view look) {
  stop_.throw_if_stopped();
  out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", number(from.x),
                      number(from.y), number(to.x), number(to.y), look);
}

void Canvas::path(std::string_view data, std::string_view look) {
  stop_.throw_if_stopped();
  if (!data.empty()) out_ += fmt::format("<path d=\"{}\" {}/>\n", data, look);
}

void Canvas::text(Point at, std::string_view text, const TextStyle& style) {
  stop_.throw_if_stopped();
  out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", number(at.x),
                      number(at.y), number(style.size), style.colour);
  if (style.anchor != Anchor::start) {
    out_ += fmt::format(" text-anchor=\"{}\"", name_of(style.anchor));
  }
  if (style.bold) out_ += " font-weight=\"bold\"";
  if (style.halo) {
    out_ += " stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
  }
  if (style.turn != 0) {
    out_ += fmt::format(" transform=\"rotate({} {} {})\"", number(style.turn), number(at.x),
                        number(at.y));
  }
  out_ += fmt::format(">{}</text>\n", xml_text(text));
}

void Canvas::open(std::string_view look) { out_ += fmt::format("<g {}>\n", look); }
void Canvas::close() { out_ += "</g>\n"; }

void Canvas::append(std::string_view elements, Point at) {
  open(fmt::format("transform=\"translate({} {})\"", number(at.x), number(at.y)));
  out_ += elements;
  close();
}

double draw_titles(Canvas& canvas, double width, std::string_view title,
                   std::string_view subtitle) {
  const double room = width - 2 * margin;
  double y = margin;
  if (!title.empty()) {
    y += 14;
    // Bold letters are a tenth wider.
    canvas.text({margin, y}, shorten(title, 1.1 * title_size, room),
                {.size = title_size, .bold = true});
    y += 8;
  }
  if (!subtitle.empty()) {
    y += 14;
    canvas.text({margin, y}, shorten(subtitle, text_size + 1, room),
                {.size = text_size + 1, .colour = soft_ink});
    y += 8;
  }
  return y + 8;
}

void draw_caption(Canvas& canvas, Point middle, std::string_view text) {
  canvas.text(middle, text, {.anchor = Anchor::middle, .colour = soft_ink});
}

Picture finish_picture(Canvas& canvas, double width, double height, const std::string& title,
                       const char* otherwise) {
  return {width, height, title.empty() ? otherwise : title, canvas.take()};
}

std::vector<LegendEntry> category_legend(const std::vector<std::string>& names) {
  std::vector<LegendEntry> entries;
  entries.reserve(names.size());
  for (const std::string& name : names) entries.push_back({category(std::ssize(entries)), name});
  return entries;
}

double draw_legend(Canvas& canvas, const Area& area, const std::vector<LegendEntry>& entries,
                   int rows) {
  constexpr double row_height = 20, swatch = 12, space = 18;
  double x = area.x, y = area.y;
  int row = 1;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const std::string text = shorten(entries[k].text, text_size, 220);
    const double width = swatch + 6 + text_width(text, text_size) + space;
    const std::string rest = fmt::format("and {} more", entries.size() - k);
    const bool last = k + 1 == entries.size();
    const double needed = width + (row == rows && !last ? text_width(rest, text_size) : 0);
    if (x > area.x && x + needed > area.right()) {
      if (row == rows) {
        canvas.text({x, y + 10}, rest, {.colour = soft_ink});
        break;
      }
      ++row;
      x = area.x;
      y += row_height;
    }
    canvas.rect({x, y, swatch, swatch},
                fmt::format("rx=\"3\" fill=\"{}\"", entries[k].colour.hex()));
    canvas.text({x + swatch + 6, y + 10}, text);
    x += width;
  }
  return entries.empty() ? y : y + row_height;
}

}  // namespace srgw::detail
