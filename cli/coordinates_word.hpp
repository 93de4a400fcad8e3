// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "srgw/dictionary.hpp"

namespace srgw::cli {

/// `weights`, `sqrt,value`, ... Throws a usage error that lists the names.
[[nodiscard]] std::vector<Coordinate> coordinates_from_text(const std::string& text);
/// Help text of --coordinates.
[[nodiscard]] std::string coordinates_help();
/// --random-starts of embed(). Default: `count`.
void add_random_starts(CLI::App& app, int& count);

}  // namespace srgw::cli
