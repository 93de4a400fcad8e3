// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "cli/partition_input.hpp"
#include "srgw/partition.hpp"

namespace srgw::cli {

/// The parsed options, before any file is read.
struct PartitionJob {
  PartitionInput input;
  Setup setup;
  /// Options for the library; values from files are set but empty.
  PartitionOptions request;
  ResolvedPartition resolved;  ///< by the library
};
/// Throws a usage error for options that fit no input.
[[nodiscard]] PartitionJob plan_partition(const PartitionInput& input);

/// Reads the graph and its files. Prints a note if a directed graph is made undirected.
[[nodiscard]] PartitionData read_partition(const PartitionJob& job);

/// The request with the contents of files.
[[nodiscard]] PartitionOptions partition_options(const PartitionJob& job,
                                                 const PartitionData& data);

/// Calls `work` with the run that the options ask for. Errors about the graph name its file.
[[nodiscard]] Partition find_partition(const PartitionJob& job,
                                       const std::function<Partition(Run&)>& work);

/// Throws a usage error that names what `partition` cannot do on several ranks.
void check_for_ranks(const PartitionJob& job);

}  // namespace srgw::cli
