// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_facts.hpp"
#include "cli/reading.hpp"

namespace srgw::cli {

namespace {

struct InfoArgs {
  std::string file;
  Reading reading;
  Common common;
};

int run(const InfoArgs& args) {
  const io::ReadOptions options = read_options(args.reading, args.common.threads);
  const auto json = is_dataset(args.file) ? facts(io::read_dataset(args.file, options))
                                          : facts(io::read_graph(args.file, options));
  if (args.common.json) {
    print_json(json);
  } else {
    print_facts(json);
  }
  return exit_fine;
}

}  // namespace

Action add_info(CLI::App& app) {
  auto args = std::make_shared<InfoArgs>();
  app.add_option("FILE", args->file, "Graph file, dataset folder or packed .npz")
      ->type_name("")
      ->required();
  add_reading(app, args->reading);
  add_common(app, args->common);
  app.footer("Example: srgw info graph.txt");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
