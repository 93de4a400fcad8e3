// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "srgw/io.hpp"

namespace srgw::cli {

/// What is wrong with a file, and what is legal there but often not meant.
struct Findings {
  std::vector<std::string> problems, remarks;
};
/// Throws when the file cannot be read at all.
[[nodiscard]] Findings find_problems(const std::string& file, const io::ReadOptions& options);

}  // namespace srgw::cli
