// SPDX-License-Identifier: MIT
#include "cli/coordinates_word.hpp"

#include <sstream>

#include "cli/exit_code.hpp"
#include "srgw/types.hpp"

namespace srgw::cli {

std::vector<Coordinate> coordinates_from_text(const std::string& text) {
  std::vector<Coordinate> coordinates;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    try {
      coordinates.push_back(coordinate_from_name(word));
    } catch (const Error& error) {
      fail_usage("--coordinates: {}", error.what());
    }
  }
  if (coordinates.empty()) fail_usage("--coordinates is empty, expected a word");
  return coordinates;
}

std::string coordinates_help() {
  std::string text = "What a graph becomes";
  for (const CoordinateName& row : coordinate_names()) {
    text += (text.ends_with("becomes") ? ": " : ", ") + std::string(row.name);
  }
  return text;
}

}  // namespace srgw::cli
