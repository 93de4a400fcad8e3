// SPDX-License-Identifier: MIT
#include "cli/partition_options.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "srgw/metrics.hpp"

namespace srgw::cli {

bool is_target_file(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  return name != "auto" && name != "learned" && name != "identity" && name != "scaled-identity";
}

namespace {

PartitionOptions request_of(const PartitionInput& input, const Setup& setup) {
  const Solving& solving = input.solving;
  PartitionOptions options{.clusters = auto_or_count(input.clusters, "-k"),
                           .problem = input.method,
                           .structure = parse_partition_structure(solving.structure),
                           .loss = setup.loss,
                           .entropy = setup.entropy,
                           .sparsity = solving.sparsity,
                           .starts = solving.starts,
                           .method = setup.method,
                           .criterion = input.criterion,
                           .effort = input.effort,
                           .keep = input.keep,
                           .min_size = input.min_size,
                           .max_size = input.max_size};
  if (!input.previous.empty()) options.previous.emplace();
  if (!input.fixed.empty()) options.fixed.emplace();
  if (input.split_disconnected != "auto") {
    options.split_disconnected = input.split_disconnected == "yes";
  }
  options.test_significance = input.test_significance == "yes";
  options.cuts = input.cuts;
  options.min_cut = input.min_cut;
  options.levels = input.levels;
  if (is_weights_file(solving.weights)) {
    options.weights.kind = PartitionWeights::Kind::given;
  } else {
    options.weights = parse_partition_weights(solving.weights);
  }
  if (is_target_file(input.target)) {
    options.target.kind = PartitionTarget::Kind::given;
  } else {
    options.target = parse_partition_target(input.target);
  }
  if (solving.start != "auto") {
    const StartWord& word = setup.start;
    if (word.start) {
      options.start = *word.start;
    } else if (word.is_plan) {
      options.start = Matrix();
    } else {
      options.start = Assignment();
    }
  }
  if (input.select == "modularity") options.select.emplace();
  if (!solving.features.empty()) options.features.emplace();
  return options;
}

/// The graphs that are clustered together; `read` is what pictures and facts are about.
void read_layers_of(const PartitionInput& input, const io::ReadOptions& options,
                    PartitionData& data) {
  std::vector<std::filesystem::path> paths{input.graph};
  paths.insert(paths.end(), input.layers.begin(), input.layers.end());
  io::GraphLayers read = io::read_layers(paths, options);
  for (std::size_t l = 0; l < paths.size(); ++l) {
    const double weight = input.layer_weights.empty() ? 1 : input.layer_weights[l];
    if (weight > 0 && read.graphs[l].edges() == 0) {
      fail_input("{}: no edges, expected some, or the weight 0 for this layer", paths[l].string());
    }
    data.layers.push_back({std::move(read.graphs[l]), weight});
  }
  data.read = {.graph = sum_of_layers(data.layers), .names = std::move(read.names)};
  data.files.insert(data.files.end(), input.layers.begin(), input.layers.end());
}

void check_layer_options(const PartitionInput& input, const PartitionOptions& request) {
  const std::size_t graphs = 1 + input.layers.size();
  if (!input.layer_weights.empty() && input.layer_weights.size() != graphs) {
    fail_usage("--layer-weights has {} numbers for {} graphs, expected one for each",
               input.layer_weights.size(), graphs);
  }
  if (graphs == 1) return;
  if (std::ranges::all_of(input.layer_weights, [](double weight) { return weight == 0; }) &&
      !input.layer_weights.empty()) {
    fail_usage("--layer-weights are all 0, expected one above 0");
  }
  if (const std::string refusal = refusal_of_layers(request); !refusal.empty()) {
    fail_usage("--{}", refusal);
  }
  if (!input.solving.save.empty()) {
    fail_usage("--save with several layers, expected one graph: a result is saved with its graph");
  }
}

void check_symmetric(const PartitionData& data, const PartitionJob& job) {
  if (job.input.solving.symmetric != "yes") return;
  const bool kernel = storage_of(job.setup.structure) == Storage::kernel;
  const bool directed = data.read.graph.directed() && !kernel;
  if (directed || (data.target && !data.target->structure.symmetric())) {
    fail_input("--symmetric yes, but the {} is not symmetric", directed ? "source" : "target");
  }
}

void read_truth(const PartitionInput& input, io::ReadOptions& options,
                std::optional<io::NodeLabels>& truth) {
  if (input.truth.empty()) return;
  truth = io::read_labels(input.truth);
  // Labelled nodes exist, unless --nodes lists all nodes.
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

void add_partition_input(CLI::App& app, PartitionInput& input) {
  Options options(app, "Clusters");
  options.argument("GRAPH", input.graph, "Graph file, or - for an edge list on stdin");
  options.more("LAYER", input.layers,
               "Further graphs on the same nodes, matched by name: one partition of all of them");
  options
      .text("--layer-weights", input.layer_weights, "X",
            "Weights of GRAPH and each LAYER, with commas between. Default: 1")
      ->delimiter(',')
      ->check(check_number(0, std::numeric_limits<double>::max(), false));
  options.text("-k,--clusters", input.clusters, "Q",
               "Number of clusters; auto: chosen by --criterion");
  options.choice(
      "--criterion", input.criterion,
      "Only with -k auto: what chooses the number of clusters; auto: description-length, "
      "or for weighted graphs modularity (at resolution 1)");
  options.choice("--effort", input.effort,
                 "Time spent on the search; quick chooses -k auto by modularity");
  options.flag(
      "--levels", input.levels,
      "Also find coarser and finer clusters; -o gets a column for each level, finest first");
  options.flag("--cuts", input.cuts, "Also compute the smallest cut of each cluster");
  options.number("--min-cut", input.min_cut,
                 "Split clusters whose smallest cut is below X times log10(nodes) edges");
  options.choice("--split-disconnected", input.split_disconnected, {"auto", "yes", "no"},
                 "Split clusters that are not connected; auto: yes, unless there are features");
  options.choice(
      "--test-significance", input.test_significance, {"yes", "no"},
      "Test whether the graph has communities; -k auto gives one cluster if it has none");
  options.text("--target", input.target, "NAME",
               "auto (the search chooses the scale; without the search identity), identity, "
               "scaled-identity:SCALE (modularity at resolution SCALE), learned (blocks of any "
               "kind) or a graph file");
  options.file("--previous", input.previous,
               "Labels of an earlier run to start from; clusters keep their ids");
  options.number(
      "--keep", input.keep,
      "Only with --previous: gain of modularity that is required per unit of node weight "
      "that leaves its previous cluster");
  options.file("--fixed", input.fixed,
               "Labels of nodes that must keep them; the other nodes are clustered");
  options.number("--min-size", input.min_size,
                 "Smallest number of nodes of a cluster; smaller clusters are merged", 1);
  options.number("--max-size", input.max_size,
                 "Largest number of nodes of a cluster; larger clusters are split", 1);
  options.file("--truth", input.truth,
               "True labels to compare with; labelled nodes without edges are added to the graph");
  options.choice(
      "--method", input.method,
      "srgw, or a baseline: gwl (GW with target weights interpolated from the node weights) or "
      "specgwl (gwl on heat kernels)");
  options.choice("--select", input.select, {"none", "modularity"},
                 "modularity: choose by modularity what is not given of the time (--structure heat "
                 "or stability), the scale of the target, --weights power and --epsilon");
  options.text("--compare", input.compared, "[NAME=]FILE",
               "Labels from another tool, shown next to the result; repeatable");
  add_solving(app, input.solving, {.structure = "auto", .start = "auto"});
  app.footer(
      "By default srgw searches for clusters of high modularity, at a resolution chosen for the "
      "graph.\n"
      "With --structure, --target, --start, --loss, --method, --select, --weights other than "
      "degree, or\n"
      "--sparsity and a number of clusters, it solves a transport problem instead, by default from "
      "3\n"
      "spectral starts; this requires -k with a number.\n"
      "Example: srgw partition graph.txt -k 4 -o communities.tsv\n"
      "Update:  srgw partition new.txt --previous communities.tsv -o updated.tsv\n"
      "Layers:  srgw partition calls.txt mails.txt --layer-weights 1,0.5 -o communities.tsv");
}

namespace {

void refuse_on_ranks(const PartitionJob& job) {
  const std::string refusal = refusal_on_ranks(job.resolved);
  if (!refusal.empty()) fail_usage("--{}", refusal);
}

}  // namespace

PartitionJob plan_partition(const PartitionInput& input, bool several) {
  PartitionJob job{.input = input, .setup = set_up(input.solving), .request = {}, .resolved = {}};
  Setup& setup = job.setup;
  if (input.solving.start != "auto") setup.start = start_from_text(input.solving.start);
  as_usage("--", [&] {
    job.request = request_of(input, setup);
    check_layer_options(input, job.request);
    job.resolved = several ? resolve_on_ranks(job.request) : resolve(job.request);
  });
  if (several) refuse_on_ranks(job);
  const PartitionOptions& options = job.resolved.options;
  setup.structure = structure_from_text(job.resolved.structure_name());
  setup.starts = options.starts.value_or(1);
  // The search ends with labels, as a spectral start does.
  if (!job.request.start) setup.start.start = Start::spectral;
  if (options.start && std::holds_alternative<Start>(*options.start)) {
    setup.start.start = std::get<Start>(*options.start);
  }
  return job;
}

PartitionData read_partition(const PartitionJob& job) {
  const PartitionInput& input = job.input;
  const Solving& solving = input.solving;
  const int threads = solving.common.threads;
  io::ReadOptions options = read_options(solving.reading, threads);
  std::optional<io::NodeLabels> truth;
  read_truth(input, options, truth);

  PartitionData data{.read = {.graph = Graph::from_edges(1, std::span<const Entry>()), .names = {}},
                     .files = {input.graph}};
  io::NamedGraph& read = data.read;
  if (input.layers.empty()) {
    read = io::read_graph(input.graph, options);
  } else {
    read_layers_of(input, options, data);
  }
  if (read.graph.directed() && job.resolved.symmetrises) {
    read.graph = read.graph.undirected();
    read.symmetrized = true;
    note(solving.common,
         "{}: the graph is directed and was made undirected; --structure keeps the directions",
         input.graph);
  }
  // At most as many clusters as nodes, since columns cost memory.
  data.columns = std::min(job.request.clusters.value_or(1), read.graph.nodes());
  if (is_target_file(input.target)) {
    data.target = make_target({.file = input.target}, job.setup.structure, {}, options, threads);
    data.columns = data.target->structure.size();
    data.files.push_back(input.target);
  }
  if (truth) {
    data.truth = compact(read_labels_of(input.truth, read.names).labels);
    data.files.push_back(input.truth);
  }
  read_compared(input, data);
  data.constraints = read_constraints(input.previous, input.fixed, read.names);
  for (const std::string& file : {input.previous, input.fixed}) {
    if (!file.empty()) data.files.push_back(file);
  }
  return data;
}

PartitionOptions partition_options(const PartitionJob& job, const PartitionData& data) {
  const Solving& solving = job.input.solving;
  check_symmetric(data, job);
  PartitionOptions options = job.request;
  if (data.target) options.target.structure = data.target->structure;
  if (options.previous) options.previous = data.constraints.previous;
  if (options.fixed) options.fixed = data.constraints.fixed;
  if (is_weights_file(solving.weights)) {
    const WeightsWord word{.text = solving.weights, .is_file = true};
    options.weights.values = scaled_to_one(read_weights(word, data.read.names), word.text);
  }
  if (options.features) {
    options.features =
        PartitionFeatures{io::read_features(solving.features, data.read.names), job.setup.alpha};
  }
  if (!options.start) return options;
  if (const auto file = read_start(job.setup.start, data.read.names)) {
    if (!file->labels.empty()) {
      options.start = start_labels(*file, data.columns);
    } else {
      check_columns(*file, data.columns);
      options.start = file->plan;
    }
  }
  return options;
}

double modularity_of(const PartitionData& data, const Assignment& labels) {
  return data.layers.empty() ? metrics::modularity(data.read.graph, labels)
                             : modularity_of_layers(data.layers, labels);
}

Partition find_partition(const PartitionJob& job, const std::function<Partition(Run&)>& work) {
  Partition found;
  try {
    const Watched watch = watched(job.input.solving, job.setup);
    Run run = watch.run();
    found = work(run);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", job.input.graph, error.what()));
  }
  note_start(found.solution, job.input.solving);
  return found;
}

void check_for_ranks(const PartitionJob& job) {
  const Solving& solving = job.input.solving;
  const std::pair<const char*, bool> own[] = {{"LAYER", !job.input.layers.empty()},
                                              {"--compare", !job.input.compared.empty()},
                                              {"--plan", !solving.plan_file.empty()},
                                              {"--save", !solving.save.empty()}};
  for (const auto& [option, given] : own) {
    if (given) fail_usage("{} does not work on several ranks; start srgw without mpirun", option);
  }
}

}  // namespace srgw::cli
