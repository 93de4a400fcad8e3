// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "cli/reading.hpp"
#include "cli/structure_word.hpp"

namespace srgw::cli {

/// The target: `identity:12`, `scaled-identity:12:0.1`, or a graph file.
struct TargetWord {
  std::optional<Index> size = {};  ///< absent: a file
  double scale = 1;
  std::string file = {};
  [[nodiscard]] bool is_identity() const { return file.empty(); }
};
/// With `size` the texts have none: `identity`, `scaled-identity:0.1`. Throws a usage error.
[[nodiscard]] TargetWord target_from_text(const std::string& text, std::optional<Index> size = {});

/// The structure of the target, the weights and the names of its nodes.
struct Target {
  Structure structure;
  Vector weights;
  NodeNames names;
  std::optional<Graph> graph = {};  ///< of a file
};
/// A file becomes the same structure as the source. By default weights are those of the structure,
/// uniform for an identity.
[[nodiscard]] Target make_target(const TargetWord& word, const StructureWord& structure,
                                 const WeightsWord& weights, const io::ReadOptions& options,
                                 int threads);

}  // namespace srgw::cli
