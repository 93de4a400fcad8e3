// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace srgw::cli {

Action add_estimate(CLI::App& app) {
  auto ranks = std::make_shared<int>(1);
  Options(app)
      .number("--ranks", *ranks, "Only with partition: number of MPI ranks", 1, 1000000)
      ->default_str("");
  auto* solve = app.add_subcommand("solve", "Memory and time of `srgw solve`");
  auto* partition = app.add_subcommand("partition", "Memory and time of `srgw partition`");
  app.require_subcommand(1);
  app.footer("Example: srgw estimate partition graph.txt -k 12 --structure heat:5");
  for (CLI::App* command : {solve, partition}) command->fallthrough();
  const Action for_solve = add_solve_estimate(*solve);
  const Action for_partition = add_partition_estimate(*partition, ranks);
  return [=](const std::string& command_line) {
    if (*ranks != 1 && solve->parsed()) {
      fail_usage("--ranks {} with solve, expected partition: solve is one process", *ranks);
    }
    return solve->parsed() ? for_solve(command_line) : for_partition(command_line);
  };
}

}  // namespace srgw::cli
