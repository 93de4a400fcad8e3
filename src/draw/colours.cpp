// SPDX-License-Identifier: MIT
#include "draw/colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace srgw::detail {

namespace {

double to_light(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
double from_light(double light) {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

constexpr Colour byte_colour(int red, int green, int blue) {
  return {red / 255.0, green / 255.0, blue / 255.0};
}

constexpr std::array categories{
    byte_colour(0, 114, 178),    // blue
    byte_colour(230, 159, 0),    // orange
    byte_colour(0, 158, 115),    // bluish green
    byte_colour(204, 121, 167),  // reddish purple
    byte_colour(86, 180, 233),   // sky blue
    byte_colour(213, 94, 0),     // vermilion
    byte_colour(148, 138, 30),   // olive
    byte_colour(86, 54, 140),    // violet
};

constexpr std::array stops{
    byte_colour(68, 1, 84),    byte_colour(70, 50, 126),  byte_colour(54, 92, 141),
    byte_colour(39, 127, 142), byte_colour(31, 161, 135), byte_colour(74, 193, 109),
    byte_colour(160, 218, 57), byte_colour(253, 231, 37),
};

Colour between(const Colour& a, const Colour& b, double t) {
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green),
          a.blue + t * (b.blue - a.blue)};
}

}  // namespace

std::string Colour::hex() const {
  const auto byte = [](double value) {
    return static_cast<int>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(red), byte(green), byte(blue));
}

Colour category(Index k) {
  const auto count = std::ssize(categories);
  const Colour& base = categories[k % count];
  switch ((k / count) % 3) {
    case 0: return base;
    case 1: return between(base, {0, 0, 0}, 0.45);
    default: return between(base, {1, 1, 1}, 0.5);
  }
}

Colour ramp(double t) {
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  return between(stops[below], stops[below + 1], place - static_cast<double>(below));
}

Colour grey(double t) { return between({1, 1, 1}, {0.1, 0.1, 0.1}, std::clamp(t, 0.0, 1.0)); }

Colour mix(std::span<const Colour> colours, std::span<const double> shares) {
  Colour sum;
  double total = 0;
  for (std::size_t k = 0; k < colours.size(); ++k) {
    sum.red += shares[k] * to_light(colours[k].red);
    sum.green += shares[k] * to_light(colours[k].green);
    sum.blue += shares[k] * to_light(colours[k].blue);
    total += shares[k];
  }
  if (!(total > 0)) return no_cluster;
  return {from_light(sum.red / total), from_light(sum.green / total), from_light(sum.blue / total)};
}

bool is_dark(const Colour& colour) {
  return 0.2126 * to_light(colour.red) + 0.7152 * to_light(colour.green) +
             0.0722 * to_light(colour.blue) <
         0.3;
}

std::vector<Colour> node_colours(const Assignment& labels, const Plan* plan,
                                 const std::vector<Colour>& colours) {
  std::vector<Colour> result;
  result.reserve(labels.size());
  const auto columns = static_cast<Index>(colours.size());
  const bool soft = plan != nullptr && !plan->is_assignment() && plan->columns() <= columns;
  const ShortRows rows = soft ? plan->short_rows() : ShortRows{};
  std::vector<Colour> mixed;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t begin = soft ? rows.offsets[i] : 0, end = soft ? rows.offsets[i + 1] : 0;
    if (end - begin < 2) {
      result.push_back(colours[labels[i]]);
      continue;
    }
    mixed.clear();
    for (std::size_t e = begin; e < end; ++e) mixed.push_back(colours[rows.columns[e]]);
    result.push_back(mix(mixed, std::span(rows.masses).subspan(begin, end - begin)));
  }
  return result;
}

std::vector<Colour> received_colours(const Plan& plan, const std::vector<Colour>& source) {
  const ShortRows rows = plan.short_rows();
  const std::size_t m = plan.columns();
  std::vector<std::vector<Colour>> colours(m);
  std::vector<std::vector<double>> shares(m);
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (std::size_t e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e) {
      colours[rows.columns[e]].push_back(source[i]);
      shares[rows.columns[e]].push_back(rows.masses[e]);
    }
  }
  std::vector<Colour> result;
  for (std::size_t k = 0; k < m; ++k) result.push_back(mix(colours[k], shares[k]));
  return result;
}

}  // namespace srgw::detail
