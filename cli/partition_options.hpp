// SPDX-License-Identifier: MIT
#pragma once

#include "cli/partition_input.hpp"
#include "srgw/partition.hpp"

namespace srgw::cli {

/// The words of the command as the library takes them. Reads the files that they name.
[[nodiscard]] PartitionOptions partition_options(const PartitionData& data,
                                                 const PartitionInput& input, const Setup& setup);

/// The same for a graph that is spread over ranks, of words that check_for_ranks() has let through:
/// onto an identity of this scale. `labels` are those to start from, of this rank's rows.
[[nodiscard]] PartitionOptions spread_options(const PartitionInput& input, const Setup& setup,
                                              double scale, std::optional<Assignment> labels);

/// Throws a usage error that names what `partition` cannot do on several ranks.
void check_for_ranks(const PartitionInput& input, const Setup& setup, int ranks);

/// Throws a usage error for -k auto with words that need a number.
void check_number_is_free(const PartitionInput& input, const Setup& setup);

}  // namespace srgw::cli
