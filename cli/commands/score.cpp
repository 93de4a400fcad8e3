// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>

#include "cli/agreement.hpp"
#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "srgw/metrics.hpp"

namespace srgw::cli {

namespace {

struct ScoreArgs {
  std::string truth, labels, graph;
  Reading reading;
  Common common;
};

/// The nodes of both files.
NodeNames names_of(const ScoreArgs& args) {
  for (const std::string& file : {args.truth, args.labels}) {
    if (names_nodes(file)) return io::read_labels(file).names;
  }
  return io::read_labels(args.truth).names;
}

Assignment labels_of_all(const std::string& file, const NodeNames& names) {
  const Index count = io::read_labels(file).names.size();
  if (count > names.size()) {
    fail_input("{}: labels of {} nodes, expected those of the same {}", file, count, names.size());
  }
  return compact(read_labels_of(file, names).labels);
}

int run(const ScoreArgs& args) {
  NodeNames names = names_of(args);
  std::optional<Graph> graph;
  if (!args.graph.empty()) {
    io::ReadOptions options = read_options(args.reading, args.common.threads);
    const bool named = names_nodes(args.truth) || names_nodes(args.labels);
    if (named && !options.nodes && !options.known_nodes) options.known_nodes = names;
    io::NamedGraph read = io::read_graph(args.graph, options);
    graph = std::move(read.graph);
    names = std::move(read.names);
  }
  const Assignment truth = labels_of_all(args.truth, names);
  const Assignment labels = labels_of_all(args.labels, names);
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  add_agreement(json, truth, labels);
  json["modularity"] = nullptr;
  if (graph) json["modularity"] = metrics::modularity(*graph, labels);
  json["nodes"] = names.size();
  if (args.common.json) {
    print_json(json);
    return exit_fine;
  }
  for (const auto& [key, value] : json.items()) {
    if (value.is_number_float()) fmt::print("{:<13} {:.6f}\n", key, value.get<double>());
  }
  return exit_fine;
}

}  // namespace

Action add_score(CLI::App& app) {
  auto args = std::make_shared<ScoreArgs>();
  Options options(app);
  options.argument("TRUTH", args->truth, "True labels, .tsv, .csv, .npy or .json");
  options.argument("LABELS", args->labels, "Labels to compare with the true ones");
  options.file("--graph", args->graph, "Graph file, to print the modularity of LABELS too");
  add_reading(app, args->reading);
  add_common(app, args->common);
  app.footer("Example: srgw score truth.tsv communities.tsv --graph graph.txt");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
