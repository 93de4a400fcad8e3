// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "srgw/dictionary.hpp"

namespace srgw::cli {

/// `weights`, `sqrt,value`, ... Throws a usage error that lists the words.
[[nodiscard]] std::vector<Coordinate> coordinates_from_text(const std::string& text);
/// What --help says of the words.
[[nodiscard]] std::string coordinates_help();

}  // namespace srgw::cli
