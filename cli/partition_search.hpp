// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/clusters.hpp"
#include "cli/partition_input.hpp"
#include "srgw/partition.hpp"

namespace srgw::cli {

/// Whether partition() of the library does it all: nothing is asked for that changes the problem or
/// the start, or the target is to be learned.
[[nodiscard]] bool asks_for_search(const PartitionInput& input, const Setup& setup);

/// What it found.
struct Searched {
  Partition found;
  Selection selection;  ///< the nodes that it clustered
};
/// With time limit and Ctrl-C.
[[nodiscard]] Searched search_partition(const PartitionData& data, const PartitionInput& input,
                                        const Setup& setup);

}  // namespace srgw::cli
