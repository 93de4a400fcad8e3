// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/file_problems.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"

namespace srgw::cli {

namespace {

struct CheckArgs {
  FilesToCheck files;
  Reading reading;
  Common common;
};

int run(const CheckArgs& args) {
  const auto [problems, remarks] =
      find_problems(args.files, read_options(args.reading, args.common.threads));
  if (args.common.json) {
    print_json({{"ok", problems.empty()}, {"problems", problems}, {"remarks", remarks}});
  } else {
    for (const std::string& problem : problems) fmt::print("{}\n", problem);
    if (problems.empty()) fmt::print("{}: fine\n", args.files.graph);
    for (const std::string& remark : remarks) fmt::print("  {}\n", remark);
  }
  return problems.empty() ? exit_fine : exit_bad_input;
}

}  // namespace

Action add_check(CLI::App& app) {
  auto args = std::make_shared<CheckArgs>();
  Options options(app);
  options.argument("FILE", args->files.graph, "Graph file, dataset folder or packed .npz");
  options.file("--labels", args->files.labels, "Node labels to check with the graph");
  options.file("--features", args->files.features, "Node features to check with the graph");
  add_reading(app, args->reading);
  add_common(app, args->common);
  app.footer("Example: srgw check graph.txt");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
