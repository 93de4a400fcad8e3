// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/reading.hpp"

namespace srgw::cli {

namespace {

struct ConvertArgs {
  std::string in, out, labels;
  std::optional<std::string> to;
  bool renumber = false;
  Reading reading;
  Common common;
};

nlohmann::ordered_json convert_dataset(const ConvertArgs& args, const io::ReadOptions& options) {
  if (!args.labels.empty()) fail_usage("--labels with a dataset, expected one graph");
  const Dataset dataset = io::read_dataset(args.in, options);
  io::write_dataset(dataset, args.out, {.format = args.to});
  return {{"graphs", dataset.graphs.size()}};
}

nlohmann::ordered_json convert_graph(const ConvertArgs& args, const io::ReadOptions& options) {
  io::NamedGraph read = io::read_graph(args.in, options);
  if (!args.labels.empty()) {
    io::NodeLabels labels = read_labels_of(args.labels, read.names);
    if (labels.classes.empty()) {
      read.node_attributes.push_back({"community", std::move(labels.labels)});
    } else {
      std::vector<std::string> texts;
      for (const auto label : labels.labels) {
        texts.push_back(labels.classes[label]);
      }
      read.node_attributes.push_back({"community", std::move(texts)});
    }
  }
  if (args.renumber) read.names = NodeNames::numbered(read.graph.nodes());
  io::write_graph(read, args.out, {.format = args.to});
  return {{"nodes", read.graph.nodes()}, {"edges", read.graph.edges()}};
}

int run(const ConvertArgs& args) {
  const io::ReadOptions options = read_options(args.reading, args.common.threads);
  auto json = is_dataset(args.in) ? convert_dataset(args, options) : convert_graph(args, options);
  json["file"] = args.out;
  if (args.common.json && args.out != "-") print_json(json);
  return exit_fine;
}

}  // namespace

Action add_convert(CLI::App& app) {
  auto args = std::make_shared<ConvertArgs>();
  app.add_option("IN", args->in, "Graph file or dataset")->type_name("")->required();
  app.add_option("OUT", args->out, "File or folder to write, or - for standard output")
      ->type_name("")
      ->required();
  add_format_of_output(app, args->to);
  app.add_option("--labels", args->labels,
                 "Labels that become the node attribute 'community' (GraphML, GML)")
      ->type_name("FILE");
  app.add_flag("--renumber", args->renumber,
               "Call the nodes 0, 1, ... in their order: matrices have no other names");
  add_reading(app, args->reading);
  add_common(app, args->common);
  app.footer("Example: srgw convert graph.txt graph.graphml --labels communities.tsv");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
