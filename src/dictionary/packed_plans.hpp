// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "srgw/archive.hpp"
#include "srgw/plan.hpp"
#include "srgw/samples.hpp"

namespace srgw::detail {

/// Adds arrays `<name>_kinds`, `_rows`, `_columns` and `_masses`: the storage of each plan, the
/// entries of each row, and all entries.
void pack_plans(const std::vector<Plan>& plans, const std::string& name, io::Archive& archive);
/// The plans of these graphs again, in the same storage, onto `columns` target nodes.
[[nodiscard]] std::vector<Plan> unpack_plans(const io::Archive& archive, const std::string& name,
                                             std::span<const Sample> samples, Index columns);

}  // namespace srgw::detail
