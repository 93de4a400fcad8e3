// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/message.hpp"
#include "draw/canvas.hpp"
#include "io/output.hpp"
#include "srgw/draw.hpp"

namespace srgw {

std::string svg(const Picture& picture) {
  using detail::number;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n"
      "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{3}</svg>\n",
      number(picture.width), number(picture.height), detail::xml_text(picture.title),
      picture.elements);
}

Picture stacked(std::span<const Picture> pictures) {
  if (pictures.empty()) detail::fail_argument("pictures: none, expected at least one");
  if (pictures.size() == 1) return pictures.front();
  Picture result;
  detail::Canvas canvas;
  for (const Picture& picture : pictures) {
    canvas.append(picture.elements, {0, result.height});
    result.width = std::max(result.width, picture.width);
    result.height += picture.height;
    if (!result.title.empty()) result.title += "; ";
    result.title += picture.title;
  }
  result.elements = canvas.take();
  return result;
}

void check_picture_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  if (name.ends_with(".svg") || name.ends_with(".svg.gz") || name == "-" ||
      name.starts_with("/dev/")) {
    return;
  }
  detail::fail_argument("picture {}, expected a file that ends in .svg or .svg.gz", name);
}

void save(const Picture& picture, const std::filesystem::path& path) {
  check_picture_file(path);
  detail::Output out(path);
  out.write(svg(picture));
  out.finish();
}

}  // namespace srgw
