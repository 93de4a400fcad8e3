// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/partition_input.hpp"
#include "srgw/partition.hpp"

namespace srgw::cli {

/// Agreement with the truth, if there is one; an empty object without.
[[nodiscard]] nlohmann::ordered_json agreement(const PartitionData& data, const Assignment& labels);

void add_to_json(nlohmann::ordered_json& json, const Partition& found,
                 const nlohmann::ordered_json& agreement, const std::string& labels_file);
void print_partition(const Partition& found, const nlohmann::ordered_json& agreement);

}  // namespace srgw::cli
