// SPDX-License-Identifier: MIT
#include "cli/partition_input.hpp"

#include <algorithm>

#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

void read_truth(const PartitionInput& input, io::ReadOptions& options,
                std::optional<io::NodeLabels>& truth) {
  if (input.truth.empty()) return;
  truth = io::read_labels(input.truth);
  // A label is proof that its node exists, where --nodes does not say which do.
  if (names_nodes(input.truth) && !options.nodes && !options.known_nodes) {
    options.known_nodes = truth->names;
  }
}

void read_compared(const PartitionInput& input, PartitionData& data) {
  for (const std::string& text : input.compared) {
    const std::size_t equals = text.find('=');
    const bool named = equals != std::string::npos && equals > 0;
    const std::string file = named ? text.substr(equals + 1) : text;
    data.compared.push_back({named ? text.substr(0, equals) : file,
                             compact(read_labels_of(file, data.read.names).labels)});
    data.files.push_back(file);
  }
}

}  // namespace

std::optional<Index> cluster_count(const PartitionInput& input) {
  const std::string& text = input.clusters;
  if (text.empty() || text == "auto") return {};
  const auto count = to_index(text);
  if (!count || *count < 1) fail_usage("-k {}, expected a whole number from 1", text);
  return count;
}

TargetWord target_word(const PartitionInput& input) {
  const auto count = cluster_count(input);
  const bool own = input.target.empty() || input.target == "learned";
  const TargetWord word = target_from_text(own ? "identity" : input.target, count.value_or(1));
  if (input.clusters == "auto") return word;
  if (word.is_identity() && !count) {
    fail_usage("no -k, expected the number of clusters at most, or auto");
  }
  if (!word.is_identity() && count) {
    fail_usage("-k with a target file, expected one of them: its nodes are the clusters");
  }
  return word;
}

void add_partition_input(CLI::App& app, PartitionInput& input, const Defaults& defaults) {
  const std::string group = "Clusters";
  app.add_option("GRAPH", input.graph, "Graph file, or - for an edge list on standard input")
      ->type_name("")
      ->required();
  app.add_option("-k,--clusters", input.clusters,
                 "How many clusters at most, or auto: as many as there are")
      ->type_name("Q")
      ->group(group);
  app.add_option(
         "--target", input.target,
         "identity, scaled-identity:SCALE (modularity at resolution SCALE), learned (blocks of "
         "any kind) or a graph file; by default the graph chooses the scale")
      ->type_name("WORD")
      ->group(group);
  app.add_option("--truth", input.truth, "Labels to compare with; they also tell which nodes exist")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--method", input.method,
                 "srgw; gwl: balanced, onto the diagonal of interpolated weights; specgwl: the "
                 "same with the heat kernel")
      ->type_name("WORD")
      ->check(silent(CLI::IsMember({"srgw", "gwl", "specgwl"})))
      ->group(group);
  app.add_option("--select", input.select,
                 "modularity: it chooses what is not given of time (--structure heat or "
                 "stability), scale of the target, --weights power and --epsilon")
      ->type_name("WORD")
      ->check(silent(CLI::IsMember({"none", "modularity"})))
      ->group(group);
  app.add_option("--compare", input.compared,
                 "Labels that something else has found, to be shown beside the result; repeatable")
      ->type_name("[NAME=]FILE")
      ->group(group);
  add_solving(app, input.solving, defaults);
}

void complete(PartitionInput& input) {
  std::string& structure = input.solving.structure;
  if (input.method != "srgw" && !input.target.empty()) {
    fail_usage("--target with {}, expected none: it has its own", input.method);
  }
  if (input.method == "specgwl") {
    if (structure.empty()) {
      structure = "heat";
      input.select = "modularity";
    }
    if (!structure.starts_with("heat")) {
      fail_usage("structure '{}' with specgwl, expected heat or heat:t", structure);
    }
  }
  if (input.select == "none") return;
  input.free_time = structure == "heat" || structure == "stability";
  if (input.free_time) structure += ":1";
}

PartitionData read_partition(const PartitionInput& input, const Setup& setup) {
  TargetWord word = target_word(input);
  const Solving& solving = input.solving;
  const int threads = solving.common.threads;
  io::ReadOptions options = read_options(solving.reading, threads);
  std::optional<io::NodeLabels> truth;
  read_truth(input, options, truth);

  io::NamedGraph read = io::read_graph(input.graph, options);
  if (read.graph.directed() && solving.structure.empty()) {
    read.graph = read.graph.undirected();
    read.symmetrized = true;
    note(solving.common, "{}: directed, made undirected by union; --structure keeps directions",
         input.graph);
  }
  // There cannot be more clusters than nodes, and columns cost memory.
  if (word.is_identity()) word.size = std::min(*word.size, read.graph.nodes());
  Target target = make_target(word, setup.structure, {}, options, threads);
  PartitionData data{.read = std::move(read),
                     .target = std::move(target),
                     .identity = word.is_identity(),
                     .scale = word.scale,
                     .clusters = cluster_count(input),
                     .files = {input.graph}};
  if (!data.identity) data.files.push_back(word.file);
  if (truth) {
    data.truth = compact(read_labels_of(input.truth, data.read.names).labels);
    data.files.push_back(input.truth);
  }
  read_compared(input, data);
  return data;
}

}  // namespace srgw::cli
