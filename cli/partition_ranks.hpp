// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/partition_options.hpp"
#include "cli/picture.hpp"
#include "srgw/ranks.hpp"

namespace srgw::cli {

/// `partition` on several ranks, each with some rows of the graph: the result of one process, and
/// what the ranks took. Returns the exit code.
[[nodiscard]] int partition_on_ranks(const PartitionJob& job, const std::string& labels_file,
                                     const Shown& shown, Ranks& ranks);

}  // namespace srgw::cli
