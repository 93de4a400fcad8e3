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

/// Errors in files, and remarks on legal but unusual contents.
struct Findings {
  std::vector<std::string> problems, remarks;
};
/// Throws if a file cannot be read at all.
[[nodiscard]] Findings find_problems(const FilesToCheck& files, const io::ReadOptions& options);

}  // namespace srgw::cli
