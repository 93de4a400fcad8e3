// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "srgw/graph.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

/// Contents of a graph or dataset, with the keys of `info`.
[[nodiscard]] nlohmann::ordered_json facts(const io::NamedGraph& read);
[[nodiscard]] nlohmann::ordered_json facts(const Dataset& dataset);
/// Contents of a model, a checkpoint or a result.
[[nodiscard]] nlohmann::ordered_json facts(const io::Archive& archive);

/// Prints them as lines of text.
void print_facts(const nlohmann::ordered_json& facts);

}  // namespace srgw::cli
