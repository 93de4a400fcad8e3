// SPDX-License-Identifier: MIT
#include <limits>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_facts.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"

namespace srgw::cli {

namespace {

struct InfoArgs {
  std::string file;
  Reading reading;
  Common common;
};

/// An archive that holds no graphs: a model, a checkpoint or a result.
std::optional<io::Archive> other_archive(const std::string& file) {
  if (!file.ends_with(".npz")) return {};
  try {
    io::Archive archive = io::Archive::read(file, "", std::numeric_limits<int>::max());
    if (archive.kind() != "graph" && archive.kind() != "dataset") return archive;
  } catch (const Error&) {
    // a SciPy matrix, or a damaged file, which its reader explains
  }
  return {};
}

nlohmann::ordered_json facts_of_file(const InfoArgs& args) {
  if (const auto archive = other_archive(args.file)) return facts(*archive);
  const io::ReadOptions options = read_options(args.reading, args.common.threads);
  if (is_dataset(args.file)) return facts(io::read_dataset(args.file, options));
  return facts(io::read_graph(args.file, options));
}

int run(const InfoArgs& args) {
  const auto json = facts_of_file(args);
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
  Options(app).argument(
      "FILE", args->file,
      "Graph file, dataset folder, or .npz with packed graphs, a model, a checkpoint or a result");
  add_reading(app, args->reading);
  add_common(app, args->common);
  app.footer("Example: srgw info graph.txt");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
