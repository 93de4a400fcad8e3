// SPDX-License-Identifier: MIT
#include "srgw/generate.hpp"

#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/reading.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

struct Args {
  std::string model, out = "-", labels;
  std::optional<std::string> to;
  Index nodes = 1000;
  std::vector<Index> blocks{10};
  std::optional<double> p_in, p_out, degree, inside, exponent, largest_degree;
  bool directed = false;
  std::optional<Index> graphs;
  std::uint64_t seed = 0;
  Common common;
};

/// Numbers that only some of the models have.
void check_model(const Args& args) {
  const bool sbm = args.model == "sbm", heavy = args.model == "degree-corrected";
  const auto refuse = [&](bool given, const char* flag, const char* models) {
    if (given) fail_usage("{} with {}, expected it with {} only", flag, args.model, models);
  };
  refuse(!sbm && args.p_in, "--p-in", "sbm");
  refuse(!sbm && args.p_out, "--p-out", "sbm");
  refuse(!sbm && args.directed, "--directed", "sbm");
  refuse(sbm && args.degree, "--degree", "planted and degree-corrected");
  refuse(sbm && args.inside, "--inside", "planted and degree-corrected");
  refuse(!heavy && args.exponent, "--exponent", "degree-corrected");
  refuse(!heavy && args.largest_degree, "--largest-degree", "degree-corrected");
  if (args.graphs && (args.out == "-" || !args.labels.empty())) {
    fail_usage("--graphs with {}, expected -o FOLDER or -o FILE.npz, which hold the labels, too",
               args.labels.empty() ? "no -o" : "--labels");
  }
  if (!args.graphs && args.blocks.size() > 1) {
    fail_usage("several --blocks, expected one without --graphs");
  }
  for (const Index count : args.blocks) {
    if (count < 1 || count > args.nodes) {
      fail_usage("{} blocks of {} nodes, expected 1 to that", count, args.nodes);
    }
  }
}

PlantedGraph draw(const Args& args, Index blocks, std::uint64_t seed) {
  if (args.model == "sbm") {
    StochasticBlockModel model;
    model.directed = args.directed;
    for (Index b = 0; b < blocks; ++b) {
      model.sizes.push_back((b + 1) * args.nodes / blocks - b * args.nodes / blocks);
    }
    model.probabilities = Matrix::Constant(blocks, blocks, args.p_out.value_or(0.01));
    model.probabilities.diagonal().setConstant(args.p_in.value_or(0.1));
    return generate(model, seed);
  }
  if (args.model == "planted") {
    PlantedPartition model{.nodes = args.nodes, .blocks = blocks};
    model.mean_degree = args.degree.value_or(model.mean_degree);
    model.inside = args.inside.value_or(model.inside);
    return generate(model, seed);
  }
  DegreeCorrected model{.nodes = args.nodes, .blocks = blocks};
  model.mean_degree = args.degree.value_or(model.mean_degree);
  model.inside = args.inside.value_or(model.inside);
  model.exponent = args.exponent.value_or(model.exponent);
  model.largest_degree = args.largest_degree.value_or(model.largest_degree);
  return generate(model, seed);
}

/// Graph i has the i-th number of blocks, in turns, and that as its class.
nlohmann::ordered_json write_many(const Args& args) {
  // An odd factor keeps the seeds of the graphs, and those of neighbouring datasets, apart.
  constexpr std::uint64_t apart = 0x9E3779B97F4A7C15;
  Dataset dataset{.name = args.model};
  for (Index i = 0; i < *args.graphs; ++i) {
    const auto kind = static_cast<std::size_t>(i) % args.blocks.size();
    const auto item = static_cast<std::uint64_t>(i) + 1;
    PlantedGraph drawn = draw(args, args.blocks[kind], args.seed + item * apart);
    dataset.graphs.push_back(std::move(drawn.graph));
    dataset.labels.push_back(static_cast<std::int64_t>(kind));
    dataset.node_labels.emplace_back(drawn.blocks.begin(), drawn.blocks.end());
  }
  io::write_dataset(dataset, args.out, {.format = args.to});
  return {{"graphs", dataset.graphs.size()}};
}

nlohmann::ordered_json write_one(const Args& args) {
  const PlantedGraph drawn = draw(args, args.blocks.front(), args.seed);
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

int run(const Args& args) {
  check_model(args);
  auto json = args.graphs ? write_many(args) : write_one(args);
  json["file"] = args.out;
  json["seed"] = args.seed;
  if (args.common.json && args.out != "-") print_json(json);
  return exit_fine;
}

}  // namespace

Action add_generate(CLI::App& app) {
  auto args = std::make_shared<Args>();
  app.add_option("MODEL", args->model,
                 "sbm (edges with probability --p-in inside blocks, --p-out between), planted "
                 "(given mean degree) or degree-corrected (degrees from a power law)")
      ->type_name("")
      ->check(silent(CLI::IsMember({"sbm", "planted", "degree-corrected"})))
      ->required();
  const auto number = [&](const char* flag, std::optional<double>& value, const char* text) {
    app.add_option(flag, value, text)->type_name("X")->check(silent(CLI::NonNegativeNumber));
  };
  app.add_option("-n,--nodes", args->nodes, "Nodes of a graph")
      ->type_name("N")
      ->check(silent(CLI::Range(Index{1}, Index{0xFFFFFFFF})))
      ->capture_default_str();
  app.add_option("-b,--blocks", args->blocks, "Blocks; with --graphs one number for each class")
      ->type_name("N")
      ->delimiter(',')
      ->default_str("10");
  number("--p-in", args->p_in, "sbm: probability of an edge in a block [0.1]");
  number("--p-out", args->p_out, "sbm: probability of an edge between blocks [0.01]");
  app.add_flag("--directed", args->directed, "sbm: draw arcs");
  number("--degree", args->degree, "Mean degree [20]");
  number("--inside", args->inside, "Expected share of the edges in a block [0.8]");
  number("--exponent", args->exponent, "degree-corrected: exponent of the degrees [2.5]");
  number("--largest-degree", args->largest_degree, "degree-corrected: largest expected degree");
  app.add_option("--graphs", args->graphs, "Draw a dataset of so many graphs")
      ->type_name("N")
      ->check(silent(CLI::Range(Index{1}, Index{100000000})));
  app.add_option("-o,--output", args->out, "File or folder to write, or - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  add_format_of_output(app, args->to);
  app.add_option("--labels", args->labels, "Write the block of each node")->type_name("FILE");
  add_seed(app, args->seed);
  add_common(app, args->common);
  app.footer("Example: srgw generate planted -n 10000 -b 8 -o graph.txt --labels blocks.tsv");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
