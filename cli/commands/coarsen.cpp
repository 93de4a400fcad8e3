// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/picture.hpp"
#include "cli/reading.hpp"
#include "cli/standard_output.hpp"
#include "cli/stopping.hpp"
#include "srgw/blocks.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

struct CoarsenArgs {
  std::string graph, output, assignment, means, features, coarse_features, picture;
  std::string structure = "adjacency", weights = "uniform";
  std::optional<std::string> to;
  std::optional<Index> nodes, eigenvalues;
  std::optional<double> ratio;
  std::uint64_t seed = 0;
  Reading reading;
  Common common;
};

void check_arguments(const CoarsenArgs& args) {
  if (args.nodes && args.ratio) fail_usage("-m with --ratio, expected one of them");
  if (args.features.empty() != args.coarse_features.empty()) {
    fail_usage("{}, expected both --features and --coarse-features",
               args.features.empty() ? "--coarse-features without --features"
                                     : "--features without --coarse-features");
  }
  if (args.coarse_features == "-") {
    fail_usage("--coarse-features -, expected a file that ends in .npy, .csv or .tsv");
  }
  if (!args.means.empty() && !args.means.ends_with(".npz")) {
    fail_usage("--means {}, expected a file that ends in .npz", args.means);
  }
  for (const std::string& file : {args.output, args.assignment, args.means, args.coarse_features}) {
    check_folder_of(file);
  }
  check(Shown{.picture = args.picture, .report = ""});
}

std::optional<VectorSpan> node_weights(const CoarsenArgs& args, const Graph& graph) {
  const auto [name, number] = split_number(args.weights, "weights");
  if (name == "uniform" && !number) return {};
  if (name == "degree" && !number) return VectorSpan(degree_weights(graph));
  if (name == "power" && number) return VectorSpan(power_weights(graph, *number));
  fail_usage("--weights {}, expected uniform, degree or power:b", args.weights);
}

/// The means as a graph that may be read again.
void write_means(const Coarsening& found, const std::string& file) {
  io::write_graph(
      {.graph = Graph::from_matrix(found.means), .names = NodeNames::numbered(found.nodes())}, file,
      {.format = "npz"});
}

void write_files(const CoarsenArgs& args, const Coarsening& found, const io::NamedGraph& read) {
  const NodeNames names = NodeNames::numbered(found.nodes());
  if (!args.output.empty()) {
    const bool no_ending = args.output == "-" || args.output == "/dev/null";
    io::write_graph(
        {.graph = found.graph, .names = names}, args.output,
        {.format = args.to || !no_ending ? args.to : std::optional<std::string>("edges")});
  }
  if (!args.assignment.empty()) io::write_labels(found.labels, args.assignment, read.names);
  if (!args.means.empty()) write_means(found, args.means);
  if (!args.coarse_features.empty()) {
    io::write_features(found.features, names, args.coarse_features);
  }
}

int run(const CoarsenArgs& args) {
  check_arguments(args);
  const bool stdout_taken =
      takes_stdout({{"-o", args.output}, {"--assignment", args.assignment}}, args.common);
  const NamedStructure structure = parse_structure(args.structure);
  set_task("reading " + args.graph);
  const io::NamedGraph read =
      io::read_graph(args.graph, read_options(args.reading, args.common.threads));
  const double read_seconds = seconds_so_far();
  CoarsenOptions options{.nodes = args.nodes,
                         .ratio = args.ratio.value_or(CoarsenOptions{}.ratio),
                         .structure = structure.row->kind,
                         .weights = node_weights(args, read.graph),
                         .eigenvalues = args.eigenvalues};
  Matrix features;
  if (!args.features.empty()) {
    features = io::read_features(args.features, read.names);
    options.features.emplace(features);
  }
  set_task("coarsening " + args.graph);
  const Coarsening found = [&] {
    const Watched watch(args.common, args.seed, {});
    return coarsen(read.graph, options, watch.run());
  }();
  const double seconds = seconds_so_far() - read_seconds;
  begin_writing();
  write_files(args, found, read);
  write_picture(args.picture, args.common, [&] {
    return draw_partition(
        {.graph = read.graph,
         .names = read.names,
         .labels = found.labels,
         .title = short_name(args.graph),
         .subtitle = fmt::format("{} nodes in {} coarse nodes, value {:.6g}", read.graph.nodes(),
                                 found.nodes(), found.value)});
  });
  const auto [smallest, largest] = std::ranges::minmax(found.sizes);
  if (args.common.json) {
    nlohmann::ordered_json json{{"nodes", read.graph.nodes()},
                                {"coarse_nodes", found.nodes()},
                                {"coarse_edges", found.graph.edges()},
                                {"value", found.value},
                                {"start_value", found.start_value},
                                {"spectral_error", nullptr},
                                {"smallest", smallest},
                                {"largest", largest},
                                {"status", name(found.status)},
                                {"seconds", seconds},
                                {"read_seconds", read_seconds}};
    if (found.spectral_error) json["spectral_error"] = *found.spectral_error;
    json["eigenvalues"] = std::vector<double>(found.eigenvalues.begin(), found.eigenvalues.end());
    json["lifted_eigenvalues"] =
        std::vector<double>(found.lifted_eigenvalues.begin(), found.lifted_eigenvalues.end());
    print_json(json);
  } else if (!stdout_taken) {
    fmt::print("coarse nodes  {} of {}, of {} to {} nodes\n", found.nodes(), read.graph.nodes(),
               smallest, largest);
    fmt::print("coarse edges  {} of {}\n", found.graph.edges(), read.graph.edges());
    fmt::print("value         {:.10g} (start {:.10g})\n", found.value, found.start_value);
    if (found.spectral_error) {
      fmt::print("spectral      mean relative error {:.4g} of {} eigenvalues\n",
                 *found.spectral_error, found.eigenvalues.size());
    }
    fmt::print("seconds       {:.2f}\n", seconds);
  }
  return exit_code(args.common, found.status, false, "more time may lower the value");
}

}  // namespace

Action add_coarsen(CLI::App& app) {
  auto args = std::make_shared<CoarsenArgs>();
  app.footer("Example: srgw coarsen graph.txt --ratio 0.3 -o coarse.txt --assignment nodes.tsv");
  Options options(app), output(app, "Output");
  options.argument("GRAPH", args->graph, "Graph file, or - for stdin");
  options.number("-m,--nodes-coarse", args->nodes, "Number of coarse nodes", 1);
  options.number("--ratio", args->ratio, "Coarse nodes for each node. Default: 0.3", 0, 1);
  options.choice("--structure", args->structure,
                 {"adjacency", "normalized-adjacency", "laplacian", "normalized-laplacian"},
                 "Matrix whose block means are kept close to it");
  options.text("--weights", args->weights, "NAME", "Node weights: uniform, degree or power:b");
  options.file("-o,--output", args->output,
               "Coarse graph: weights are sums of edge weights, self-loops what is inside");
  output.file("--assignment", args->assignment,
              "Write the coarse node of each node: .tsv, .csv, .npy or .json");
  output.file("--means", args->means, "Write the block means of the structure as .npz");
  output.file("--features", args->features, "Node features to average: .npy, .csv or .tsv");
  output.file("--coarse-features", args->coarse_features,
              "Write the averaged features. Only with --features");
  output.text("--picture", args->picture, "FILE.svg", "Draw the graph with its coarse nodes");
  output.number("--eigenvalues", args->eigenvalues,
                "Eigenvalues in the spectral error, 0: none. Default: 10, 0 above 20,000 nodes", 0,
                1000);
  add_format_of_output(app, args->to);
  add_reading(app, args->reading);
  add_seed(app, args->seed);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
