// SPDX-License-Identifier: MIT
#pragma once

#include "cli/partition_input.hpp"
#include "srgw/partition.hpp"

namespace srgw::cli {

/// The words of the command as the library takes them. Reads the files that they name.
[[nodiscard]] PartitionOptions partition_options(const PartitionData& data,
                                                 const PartitionInput& input, const Setup& setup);

/// Throws a usage error for -k auto with words that need a number.
void check_number_is_free(const PartitionInput& input, const Setup& setup);

}  // namespace srgw::cli
