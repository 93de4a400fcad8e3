// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "cli/partition_input.hpp"
#include "srgw/partition.hpp"

namespace srgw::cli {

/// A command understood, before any file is read.
struct PartitionJob {
  PartitionInput input;
  Setup setup;
  /// Options for the library. Labels, plans, weights, features and targets that stand in files
  /// are there, but empty.
  PartitionOptions request;
  ResolvedPartition resolved;  ///< what the library makes of it
};
/// Throws a usage error for options that are wrong whatever the input holds.
[[nodiscard]] PartitionJob plan_partition(const PartitionInput& input);

/// The graph and all that goes with it. Says so when a directed graph is made undirected.
[[nodiscard]] PartitionData read_partition(const PartitionJob& job);

/// The request with what stands in files.
[[nodiscard]] PartitionOptions partition_options(const PartitionJob& job,
                                                 const PartitionData& data);

/// Calls `work` with the run that the options ask for. Errors about the graph name its file.
[[nodiscard]] Partition find_partition(const PartitionJob& job,
                                       const std::function<Partition(Run&)>& work);

/// Throws a usage error that names what `partition` cannot do on several ranks.
void check_for_ranks(const PartitionJob& job);

}  // namespace srgw::cli
