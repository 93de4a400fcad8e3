// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/partition_options.hpp"
#include "srgw/partition.hpp"
#include "srgw/report.hpp"

namespace srgw::cli {

/// Agreement with the truth, if there is one; an empty object without.
[[nodiscard]] nlohmann::ordered_json agreement(const PartitionData& data, const Assignment& labels);

/// The partitions of --compare.
[[nodiscard]] std::vector<ComparedPartition> compared(const PartitionData& data,
                                                      const Assignment& labels);
void add_compared(nlohmann::ordered_json& json, const std::vector<ComparedPartition>& compared);
void print_compared(const std::vector<ComparedPartition>& compared);

/// Prints a note if the graph has no communities.
void note_communities(const Partition& found, const Common& common);

void add_to_json(nlohmann::ordered_json& json, const Partition& found,
                 const nlohmann::ordered_json& agreement, const std::string& labels_file);
void print_partition(const Partition& found, const nlohmann::ordered_json& agreement);

}  // namespace srgw::cli
