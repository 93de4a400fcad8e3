// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "srgw/graph.hpp"
#include "srgw/io.hpp"
#include "srgw/plan.hpp"

namespace srgw::cli {

/// Kind and version of the archive of --save.
inline constexpr const char* result_kind = "result";
inline constexpr int result_version = 1;

/// The graphs of a result, so that it can be drawn later.
struct ResultGraphs {
  const Graph* source = nullptr;
  const Graph* target = nullptr;  ///< absent: an identity, or clusters
  const NodeNames* target_names = nullptr;
};
/// Adds arrays and header of the graphs, unless they have too many entries.
void add_graphs(io::Archive& archive, nlohmann::ordered_json& header, const ResultGraphs& graphs);

/// Adds names: numbers as an array, others in the header; indices are not stored.
void add_names(io::Archive& archive, nlohmann::ordered_json& header, const std::string& key,
               const NodeNames& names);

/// A result read from a file.
struct SavedResult {
  nlohmann::ordered_json header;
  Graph source;
  NodeNames names;
  std::optional<Graph> target;
  NodeNames target_names;
  Plan plan;
  Assignment labels;  ///< empty: no partition

  /// The file of input k in the manifest, or `otherwise`.
  [[nodiscard]] std::string input(std::size_t k, const std::string& otherwise) const;
};
/// Throws if parts are missing or do not fit each other.
[[nodiscard]] SavedResult saved_result(const io::Archive& archive, const std::string& file);

}  // namespace srgw::cli
