// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

struct ConvertArgs {
  std::string in, out, labels, max_memory;
  std::optional<std::string> to;
  bool renumber = false, lossy = false;
  Reading reading;
  Common common;
};

nlohmann::ordered_json convert_dataset(const ConvertArgs& args, const io::ReadOptions& options) {
  if (!args.labels.empty()) fail_usage("--labels with a dataset, expected one graph");
  const Dataset dataset = io::read_dataset(args.in, options);
  io::write_dataset(dataset, args.out, {.format = args.to});
  return {{"graphs", dataset.graphs.size()}};
}

/// Whether the output format stores attributes.
bool holds_attributes(const ConvertArgs& args) {
  const auto ends_in = [&](const char* ending) {
    return args.out.ends_with(ending) || args.out.ends_with(std::string(ending) + ".gz");
  };
  if (args.to) return *args.to == "graphml" || *args.to == "gml" || *args.to == "packed";
  return ends_in(".graphml") || ends_in(".xml") || ends_in(".gml");
}

/// Attributes are dropped only with --lossy.
void check_attributes(const ConvertArgs& args, const io::NamedGraph& read) {
  if (args.lossy || holds_attributes(args)) return;
  for (const auto& [list, what] :
       {std::pair(&read.node_attributes, "nodes"), std::pair(&read.edge_attributes, "edges")}) {
    if (list->empty()) continue;
    fail_input(
        "{}: the attribute '{}' of the {} would be lost; write .graphml, .gml or a packed .npz "
        "(--to packed), or give --lossy",
        args.out, list->front().name, what);
  }
}

/// Bytes that an edge list of this size takes in memory: its pages, the edges and the graph.
double memory_of(const std::string& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : 3 * static_cast<double>(size);
}

/// Converts an edge list that is too large for the memory in parts; nothing where that need not be
/// or does not work.
std::optional<nlohmann::ordered_json> convert_parts(const ConvertArgs& args,
                                                    const io::ReadOptions& options) {
  if (args.renumber || !args.labels.empty()) return {};
  double limit = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                 static_cast<double>(::sysconf(_SC_PAGESIZE)) / 2;
  if (!args.max_memory.empty()) limit = static_cast<double>(size_from_text(args.max_memory));
  const double needed = memory_of(args.in);
  if (needed <= limit) return {};
  constexpr double most_sorted = 1e9;
  const auto memory = static_cast<std::uint64_t>(std::min(limit / 2, most_sorted));
  const auto done = io::convert_in_parts(args.in, args.out, options, {.format = args.to}, memory);
  if (done) return nlohmann::ordered_json{{"nodes", done->nodes}, {"edges", done->edges}};
  // Errors of the file are told by the reader.
  note(args.common,
       "{}: not converted in parts, about {} are needed; edge lists of whole numbers can be, to "
       "edges, csv, npz or packed",
       args.in, size_text(needed));
  return {};
}

nlohmann::ordered_json convert_graph(const ConvertArgs& args, const io::ReadOptions& options) {
  if (auto converted = convert_parts(args, options)) return *converted;
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
  check_attributes(args, read);
  io::write_graph(read, args.out, {.format = args.to});
  return {{"nodes", read.graph.nodes()}, {"edges", read.graph.edges()}};
}

int run(const ConvertArgs& args) {
  if (args.common.json && args.out == "-") {
    fail_usage("--json with the graph on stdout, expected a file name");
  }
  const io::ReadOptions options = read_options(args.reading, args.common.threads);
  auto json = is_dataset(args.in) ? convert_dataset(args, options) : convert_graph(args, options);
  json["file"] = args.out;
  if (args.common.json) print_json(json);
  return exit_fine;
}

}  // namespace

Action add_convert(CLI::App& app) {
  auto args = std::make_shared<ConvertArgs>();
  Options options(app);
  options.argument("IN", args->in, "Graph file or dataset");
  options.argument("OUT", args->out, "File or folder to write, or - for stdout");
  add_format_of_output(app, args->to);
  options.file("--labels", args->labels,
               "Labels to write as the node attribute 'community' (GraphML, GML)");
  options.flag("--renumber", args->renumber,
               "Name the nodes 0, 1, ... in their order, as matrix formats require");
  options.flag("--lossy", args->lossy, "Leave out attributes that the output format cannot store");
  options.text("--max-memory", args->max_memory, "SIZE",
               "Convert an edge list in parts if more memory is needed, such as 500M or 2G. "
               "Default: half of the machine's");
  add_reading(app, args->reading);
  add_common(app, args->common);
  app.footer("Example: srgw convert graph.txt graph.graphml --labels communities.tsv");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
