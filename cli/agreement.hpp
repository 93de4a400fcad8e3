// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "srgw/metrics.hpp"
#include "srgw/types.hpp"

namespace srgw::cli {

/// Adds ri, ari, ami and nmi of two labelings to an object, each key with an ending.
void add_agreement(nlohmann::ordered_json& json, const Assignment& truth, const Assignment& labels,
                   const std::string& ending = "");
/// From the table of how many nodes have which pair of labels.
void add_agreement(nlohmann::ordered_json& json, const metrics::Contingency& table,
                   const std::string& ending = "");

}  // namespace srgw::cli
