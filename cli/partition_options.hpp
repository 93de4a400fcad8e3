// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/constraint_labels.hpp"
#include "cli/solving.hpp"
#include "cli/target_word.hpp"
#include "srgw/partition.hpp"

namespace srgw::cli {

/// Options of `partition`.
struct PartitionInput {
  std::vector<std::string> layers = {};    ///< files of further graphs
  std::vector<double> layer_weights = {};  ///< of all graphs; empty: 1
  std::string graph, clusters = "auto", target = "auto", truth, select = "none";
  PartitionProblem method = PartitionProblem::srgw;
  PartitionCriterion criterion = PartitionCriterion::automatic;
  PartitionEffort effort = PartitionEffort::normal;
  std::vector<std::string> compared;  ///< [NAME=]FILE
  std::string previous, fixed;        ///< files of labels
  double keep = 0;
  std::optional<Index> min_size = {}, max_size = {};
  std::string split_disconnected = "auto", test_significance = "yes";
  double min_cut = 0;
  bool cuts = false, levels = false;
  Solving solving;
};
void add_partition_input(CLI::App& app, PartitionInput& input);

/// The graph and the other files, read.
struct PartitionData {
  io::NamedGraph read;                      ///< of several layers their weighted sum
  std::vector<PartitionLayer> layers = {};  ///< where there are several
  std::optional<Target> target = {};        ///< of a file
  Index columns = 0;                        ///< target nodes at most; 1 where the number is free
  Assignment truth = {};                    ///< of each node; empty when there is none
  struct Compared {
    std::string name;
    Assignment labels;
  };
  std::vector<Compared> compared = {};  ///< what others found
  std::vector<std::string> files;       ///< that were read
  ConstraintLabels constraints = {};
};

/// The parsed options, before any file is read.
struct PartitionJob {
  PartitionInput input;
  Setup setup;
  /// Options for the library; values from files are set but empty.
  PartitionOptions request;
  ResolvedPartition resolved;  ///< by the library
};
/// Throws a usage error for options that fit no input. `several`: the job is one of several ranks.
[[nodiscard]] PartitionJob plan_partition(const PartitionInput& input, bool several);

/// Reads the graph and its files. Prints a note if a directed graph is made undirected.
[[nodiscard]] PartitionData read_partition(const PartitionJob& job);

/// The request with the contents of files.
[[nodiscard]] PartitionOptions partition_options(const PartitionJob& job,
                                                 const PartitionData& data);

/// Modularity of other labels, as that of the result is computed.
[[nodiscard]] double modularity_of(const PartitionData& data, const Assignment& labels);

/// Calls `work` with the run that the options ask for. Errors about the graph name its file.
[[nodiscard]] Partition find_partition(const PartitionJob& job,
                                       const std::function<Partition(Run&)>& work);

/// Whether a --target is a graph file.
[[nodiscard]] bool is_target_file(const std::string& text);

/// Throws a usage error that names what `partition` cannot do on several ranks.
void check_for_ranks(const PartitionJob& job);

}  // namespace srgw::cli
