// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/random_graph.hpp"
#include "cli/reading.hpp"
#include "cli/stopping.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

struct GenerateArgs {
  RandomGraph wanted;
  std::string out = "-", labels;
  std::optional<std::string> to;
  std::optional<Index> graphs;
  std::uint64_t seed = 0;
  Common common;
};

void check_output(const GenerateArgs& args) {
  if (args.common.json && args.out == "-") {
    fail_usage("--json with the graph on stdout, expected -o FILE");
  }
  if (args.graphs && (args.out == "-" || !args.labels.empty())) {
    fail_usage("--graphs with {}, expected -o FOLDER or -o FILE.npz, which include the labels",
               args.labels.empty() ? "no -o" : "--labels");
  }
  if (!args.graphs && args.wanted.blocks.size() > 1) {
    fail_usage("several --blocks, expected one without --graphs");
  }
}

/// Classes are the numbers of blocks, in turns.
nlohmann::ordered_json write_many(const GenerateArgs& args) {
  // An odd factor gives all graphs, also of neighbouring datasets, different seeds.
  constexpr std::uint64_t apart = 0x9E3779B97F4A7C15;
  Dataset dataset{.name = args.wanted.model};
  for (Index i = 0; i < *args.graphs; ++i) {
    const std::size_t kind = static_cast<std::size_t>(i) % args.wanted.blocks.size();
    const auto item = static_cast<std::uint64_t>(i) + 1;
    PlantedGraph drawn = draw(args.wanted, args.wanted.blocks[kind], args.seed + item * apart);
    dataset.graphs.push_back(std::move(drawn.graph));
    dataset.labels.push_back(static_cast<std::int64_t>(kind));
    dataset.node_labels.emplace_back(drawn.blocks.begin(), drawn.blocks.end());
  }
  io::write_dataset(dataset, args.out, {.format = args.to});
  return {{"graphs", dataset.graphs.size()}};
}

nlohmann::ordered_json write_one(const GenerateArgs& args) {
  const PlantedGraph drawn = draw(args.wanted, args.wanted.blocks.front(), args.seed);
  const NodeNames names = NodeNames::numbered(drawn.graph.nodes());
  const bool no_ending = args.out == "-" || args.out == "/dev/null";
  io::write_graph(
      {.graph = drawn.graph, .names = names}, args.out,
      {.format = args.to || !no_ending ? args.to : std::optional<std::string>("edges")});
  if (!args.labels.empty()) {
    io::write_labels({.names = names, .labels = {drawn.blocks.begin(), drawn.blocks.end()}},
                     args.labels);
  }
  return {{"nodes", drawn.graph.nodes()}, {"edges", drawn.graph.edges()}};
}

int run(const GenerateArgs& args) {
  check_model(args.wanted);
  check_output(args);
  set_task("generating " + args.out);
  auto json = args.graphs ? write_many(args) : write_one(args);
  json["file"] = args.out;
  json["seed"] = args.seed;
  if (args.common.json) print_json(json);
  return exit_fine;
}

}  // namespace

Action add_generate(CLI::App& app) {
  auto args = std::make_shared<GenerateArgs>();
  add_random_graph(app, args->wanted);
  Options options(app);
  options.number("--graphs", args->graphs,
                 "Number of graphs of a dataset. Default: one graph, no dataset", 1, 1e8);
  options.file("-o,--output", args->out, "File or folder to write, or - for stdout");
  add_format_of_output(app, args->to);
  options.file("--labels", args->labels, "Write the block of each node");
  add_seed(app, args->seed);
  add_common(app, args->common);
  app.footer("Example: srgw generate planted -n 10000 -b 8 -o graph.txt --labels blocks.tsv");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
