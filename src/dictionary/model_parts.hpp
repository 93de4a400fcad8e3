// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "srgw/dictionary.hpp"
#include "srgw/io.hpp"

namespace srgw::detail {

// What the files of all models with atoms have in common.

[[nodiscard]] nlohmann::json feature_map_to_json(const FeatureMap& map);
[[nodiscard]] FeatureMap feature_map_from_json(const nlohmann::json& json);

void add_atoms(const std::vector<Atom>& atoms, io::Archive& archive);
[[nodiscard]] std::vector<Atom> atoms_of(const io::Archive& archive, std::size_t count);

/// Throws unless there are atoms, all finite and with the same number of feature columns.
void check_atoms(const std::vector<Atom>& atoms);

}  // namespace srgw::detail
