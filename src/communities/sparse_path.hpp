// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "communities/alternate.hpp"

namespace srgw::detail {

/// Ten penalties, each twice the last, up to that of the options; each goes on from the plan of the
/// last. Returns what the last one gives.
[[nodiscard]] Alternated follow_path(const Alternation& problem, const Plan& start,
                                     const PartitionOptions& options, const Graph& graph,
                                     const Run& run, std::vector<PartitionPathPoint>& path);

}  // namespace srgw::detail
