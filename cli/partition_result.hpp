// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/clusters.hpp"
#include "cli/partition_input.hpp"

namespace srgw::cli {

/// What `partition` says besides the solution.
struct PartitionResult {
  Assignment labels;
  std::vector<Index> sizes;  ///< of the clusters
  Index clusters = 0;        ///< that are not empty
  Index unconnected = 0;
  /// False: no split was better than none, and all connected nodes are one cluster. A split is
  /// better when there are two clusters and, with the modularity structure, modularity is positive.
  bool significant = true;
  bool symmetrized = false;
  double modularity = 0;
  std::optional<double> resolution = {};  ///< that the search chose
  std::vector<std::string> reasons = {};  ///< what was chosen and why
  /// With the truth, if there is one.
  nlohmann::ordered_json agreement = nlohmann::ordered_json::object();
};
/// `judged`: what the search says of significance; absent, a split without modularity has none.
[[nodiscard]] PartitionResult partition_result(const PartitionData& data,
                                               const Selection& selection, const Clusters& clusters,
                                               const Setup& setup, std::optional<bool> judged);

void add_to_json(nlohmann::ordered_json& json, const PartitionResult& result,
                 const std::string& labels_file);
void print_partition(const PartitionResult& result);

}  // namespace srgw::cli
