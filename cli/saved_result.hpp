// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "srgw/graph.hpp"
#include "srgw/io.hpp"
#include "srgw/plan.hpp"

namespace srgw::cli {

/// What the file of --save is called inside, and how it is to be read.
inline constexpr const char* result_kind = "result";
inline constexpr int result_version = 1;

/// The graphs that a result is about, so that it can be drawn later.
struct ResultGraphs {
  const Graph* source = nullptr;
  const Graph* target = nullptr;  ///< absent: an identity, or clusters
  const NodeNames* target_names = nullptr;
};
/// Adds them, unless they have more entries than is worth it: the arrays, and what the header says.
void add_graphs(io::Archive& archive, nlohmann::ordered_json& header, const ResultGraphs& graphs);

/// Names as numbers are an array, others are in the header; indices need neither.
void add_names(io::Archive& archive, nlohmann::ordered_json& header, const std::string& key,
               const NodeNames& names);

/// A result that was read back.
struct SavedResult {
  nlohmann::ordered_json header;
  Graph source;
  NodeNames names;
  std::optional<Graph> target;
  NodeNames target_names;
  Plan plan;
  Assignment labels;  ///< empty: no partition

  /// The file of input k, as the manifest has it, or the word for what stands in its place.
  [[nodiscard]] std::string input(std::size_t k, const std::string& otherwise) const;
};
/// Throws when the archive lacks what is needed or its parts do not fit.
[[nodiscard]] SavedResult saved_result(const io::Archive& archive, const std::string& file);

}  // namespace srgw::cli
