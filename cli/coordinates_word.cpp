// SPDX-License-Identifier: MIT
#include "cli/coordinates_word.hpp"

#include <sstream>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "srgw/types.hpp"

namespace srgw::cli {

std::vector<Coordinate> coordinates_from_text(const std::string& text) {
  std::vector<Coordinate> coordinates;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    try {
      coordinates.push_back(from_name<Coordinate>(word, "coordinate"));
    } catch (const Error& error) {
      fail_usage("--coordinates: {}", error.what());
    }
  }
  if (coordinates.empty()) fail_usage("--coordinates is empty, expected a name");
  return coordinates;
}

std::string coordinates_help() {
  return "Columns of the embedding: " + join_names<Coordinate>(", ");
}

void add_random_starts(CLI::App& app, int& count) {
  Options(app).number("--random-starts", count, "Number of extra random starts for each graph", 0,
                      1000000);
}

}  // namespace srgw::cli
