// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace srgw::cli {

Action add_estimate(CLI::App& app) {
  auto args = std::make_shared<EstimateArgs>();
  Options options(app);
  options.number("--ranks", args->ranks, "Only with partition: number of MPI ranks", 1, 1000000)
      ->default_str("");
  auto* nodes =
      options.number("--nodes", args->nodes,
                     "Number of nodes, instead of a graph file. Only with --edges", 1, 0xFFFFFFFF);
  options.number("--edges", args->edges,
                 "Number of edges, instead of a graph file; `partition` can then be omitted", 1,
                 1e15);
  options.flag("--weighted", args->weighted, "Only with --edges: the edges have weights");
  options.flag("--json", args->json, "Print one JSON object and nothing else");
  auto* solve = app.add_subcommand("solve", "Memory and time of `srgw solve`");
  auto* partition = app.add_subcommand("partition", "Memory and time of `srgw partition`");
  app.require_subcommand(0, 1);
  app.footer(
      "Example: srgw estimate partition graph.txt -k 12 --structure heat:5\n"
      "Example: srgw estimate --ranks 16 --nodes 80000000 --edges 1000000000");
  for (CLI::App* command : {solve, partition}) command->fallthrough();
  const Action for_solve = add_solve_estimate(*solve);
  const Action for_partition = add_partition_estimate(*partition, args);
  return [=](const std::string& command_line) {
    if (solve->parsed()) {
      if (args->ranks != 1) {
        fail_usage("--ranks {} with solve, expected partition: solve is one process", args->ranks);
      }
      if (args->edges || nodes->count() > 0) {
        fail_usage("--{} with solve, expected partition", args->edges ? "edges" : "nodes");
      }
      return for_solve(command_line);
    }
    if (!partition->parsed() && !args->edges) {
      fail_usage("expected solve or partition, or the --nodes and --edges of a graph");
    }
    return for_partition(command_line);
  };
}

}  // namespace srgw::cli
