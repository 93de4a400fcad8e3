// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/solving.hpp"
#include "cli/target_word.hpp"
#include "srgw/partition.hpp"

namespace srgw::cli {

/// What `partition` is given to work on.
struct PartitionInput {
  std::string graph, clusters = "auto", target = "auto", truth, select = "none";
  PartitionProblem method = PartitionProblem::srgw;
  std::vector<std::string> compared;  ///< [NAME=]FILE
  Solving solving;
};
void add_partition_input(CLI::App& app, PartitionInput& input);

/// The same, read.
struct PartitionData {
  io::NamedGraph read;
  std::optional<Target> target = {};  ///< of a file
  Index columns = 0;                  ///< target nodes at most; 1 where the number is free
  Assignment truth = {};              ///< of each node; empty when there is none
  struct Compared {
    std::string name;
    Assignment labels;
  };
  std::vector<Compared> compared = {};  ///< what others found
  std::vector<std::string> files;       ///< that were read
};

}  // namespace srgw::cli
