// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "srgw/types.hpp"

namespace srgw::cli {

/// Runs a command after its arguments are parsed, with the command line for the manifest; returns
/// the exit code.
using Action = std::function<int(const std::string& command_line)>;

struct Command {
  const char* name;
  const char* about;
  Action (*add)(CLI::App& app);  ///< declares the arguments
  bool hidden = false;
  bool spreads = false;  ///< runs on all MPI ranks; other commands on the first only
};

Action add_solve(CLI::App& app);
Action add_partition(CLI::App& app);
Action add_barycenter(CLI::App& app);
Action add_coarsen(CLI::App& app);
Action add_blockmodel(CLI::App& app);
Action add_graphon(CLI::App& app);
Action add_learn(CLI::App& app);
Action add_embed(CLI::App& app);
Action add_cluster(CLI::App& app);
Action add_complete(CLI::App& app);
Action add_distances(CLI::App& app);
Action add_draw(CLI::App& app);
Action add_score(CLI::App& app);
Action add_info(CLI::App& app);
Action add_check(CLI::App& app);
Action add_convert(CLI::App& app);
Action add_generate(CLI::App& app);
Action add_estimate(CLI::App& app);
Action add_completions(CLI::App& app);
Action add_manual(CLI::App& app);

/// The commands that print an estimate instead of running.
Action add_solve_estimate(CLI::App& app);
/// Options of `estimate` itself.
struct EstimateArgs {
  int ranks = 1;
  /// Sizes of a graph that need not exist.
  std::optional<Index> nodes = {}, edges = {};
  bool weighted = false, json = false;
};
/// `args` are read when the action runs.
Action add_partition_estimate(CLI::App& app, std::shared_ptr<const EstimateArgs> args);

}  // namespace srgw::cli
