// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dictionary/shard.hpp"
#include "srgw/io.hpp"
#include "srgw/plan.hpp"
#include "srgw/samples.hpp"

namespace srgw::detail {

/// Adds arrays `<name>_kinds`, `_rows`, `_columns` and `_masses`: the storage of each plan, the
/// entries of each row, and all entries. Those of all ranks, to the archive of the first.
void pack_plans(const std::vector<Plan>& plans, const std::string& name, Shard& shard,
                io::Archive& archive);
/// The plans of these graphs of this rank again, in the same storage, onto `columns` target nodes.
[[nodiscard]] std::vector<Plan> unpack_plans(const io::Archive& archive, const std::string& name,
                                             std::span<const Sample> samples, Index columns,
                                             Shard& shard);

}  // namespace srgw::detail
