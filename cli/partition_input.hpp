// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/solving.hpp"
#include "cli/target_word.hpp"

namespace srgw::cli {

/// What `partition` is given to work on.
struct PartitionInput {
  std::string graph, clusters, target, truth, method = "srgw", select = "none";
  std::vector<std::string> compared;  ///< [NAME=]FILE
  Solving solving;
  bool free_time = false;  ///< heat or stability at a time that modularity is to choose
};
void add_partition_input(CLI::App& app, PartitionInput& input, const Defaults& defaults);

/// Spells out what a method means: gwl is adjacency, specgwl the heat kernel at a time that
/// modularity chooses. Throws a usage error for words that do not go together.
void complete(PartitionInput& input);

/// -k; absent: auto, or a target file has them. Throws a usage error.
[[nodiscard]] std::optional<Index> cluster_count(const PartitionInput& input);
/// What the graph is projected on. Throws a usage error.
[[nodiscard]] TargetWord target_word(const PartitionInput& input);

/// The same, read.
struct PartitionData {
  io::NamedGraph read;
  Target target;
  bool identity = true;           ///< no target file: the clusters are to be found
  double scale = 1;               ///< of an identity
  std::optional<Index> clusters;  ///< -k; absent: auto
  Assignment truth = {};          ///< of each node; empty when there is none
  struct Compared {
    std::string name;
    Assignment labels;
  };
  std::vector<Compared> compared = {};  ///< what others found
  std::vector<std::string> files;       ///< that were read
};
/// Throws a usage error before anything is read. A directed graph is made undirected, and that is
/// said, unless the structure was asked for.
[[nodiscard]] PartitionData read_partition(const PartitionInput& input, const Setup& setup);

}  // namespace srgw::cli
