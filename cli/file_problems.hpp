// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "srgw/io.hpp"

namespace srgw::cli {

/// A graph, or a dataset, and files about the nodes of the graph (empty: none).
struct FilesToCheck {
  std::string graph, labels, features;
};

/// What is wrong with files, and what is legal there but often not meant.
struct Findings {
  std::vector<std::string> problems, remarks;
};
/// Throws when a file cannot be read at all.
[[nodiscard]] Findings find_problems(const FilesToCheck& files, const io::ReadOptions& options);

}  // namespace srgw::cli
