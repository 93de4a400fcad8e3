// SPDX-License-Identifier: MIT
#include "cli/completing.hpp"

#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/stopping.hpp"

namespace srgw::cli {

namespace {

Matrix dense(const Graph& graph) { return adjacency(graph).structure.dense(); }

/// Files with labels and features of nodes, and the prefix of their options.
struct NodeFiles {
  const std::string &labels, &features;
  std::string_view flags = "--";
};

/// Node features of one graph, as the model expects them.
Matrix features_of(const CompletingModel& model, const io::NamedGraph& graph,
                   const NodeFiles& files, const Common& common) {
  const auto& [labels, features, flags] = files;
  const bool wants_labels = !model.base().features.labels.empty();
  const bool wants_attributes = model.base().features.attributes > 0;
  if (wants_labels && labels.empty()) {
    fail_input("the model uses node labels, expected those of the graph: {}labels FILE", flags);
  }
  if (wants_attributes && features.empty()) {
    fail_input("the model uses node attributes, expected those of the graph: {}features FILE",
               flags);
  }
  if (!wants_labels && !labels.empty()) {
    fail_input("{}labels {}, but the model was learned without labels", flags, labels);
  }
  if (!wants_attributes && !features.empty()) {
    fail_input("{}features {}, but the model was learned without attributes", flags, features);
  }
  Dataset alone{.graphs = {graph.graph}};
  if (wants_labels) alone.node_labels = {read_labels_of(labels, graph.names).labels};
  if (wants_attributes) alone.node_features = {io::read_features(features, graph.names)};
  note_unknown_labels(model.base().features, alone, common);
  return node_features(model.base().features, alone, 0);
}

void free_pairs(const std::string& file, const PartialInput& input, PartialRead& read,
                const Common& common) {
  io::ReadOptions options = read_options(input.reading, common.threads);
  options.nodes = {};
  options.format = {};
  options.known_nodes = read.seen.names;
  const io::NamedGraph pairs = io::read_graph(file, options);
  if (pairs.graph.nodes() != read.seen.graph.nodes()) {
    fail_input("--mask {} names nodes that {} does not have", file, input.graph);
  }
  const NameIndex index(read.seen.names);
  const Matrix marked = dense(pairs.graph);
  for (Index i = 0; i < marked.rows(); ++i) {
    for (Index j = 0; j < marked.cols(); ++j) {
      if (i == j || marked(i, j) == 0) continue;
      const Index a = *index.find(pairs.names[i]), b = *index.find(pairs.names[j]);
      read.graph.free(a, b) = read.graph.free(b, a) = 1;
    }
  }
}

/// Names in a label file, which may include nodes without edges.
std::optional<NodeNames> nodes_of(const std::string& labels) {
  if (labels.empty() || !names_nodes(labels)) return {};
  return io::read_names(labels);
}

}  // namespace

const AtomModel& CompletingModel::base() const {
  return std::visit([](const auto& one) -> const AtomModel& { return one; }, dictionary);
}

CompletingModel read_completing_model(const std::string& path) {
  (void)load_model(path);  // throws if the file is no model
  const io::Archive archive = io::Archive::read(path, "", 1);
  if (archive.kind() == "linear_dictionary") return {from_archive<LinearDictionary>(archive), {}};
  if (archive.kind() != "dictionary") {
    fail_input("{}: is a {}, expected an srgw or GDL model", path, archive.kind());
  }
  CompletingModel model{from_archive<Dictionary>(archive), {}};
  model.trained = completion_from(archive);
  return model;
}

void add_partial_input(CLI::App& app, PartialInput& input) {
  Options options(app);
  options.argument("GRAPH", input.graph, "The observed nodes and their edges");
  options.file("--labels", input.labels, "Labels of the observed nodes, if the model has labels");
  options.file("--features", input.features,
               "Attributes of the observed nodes, if the model has attributes");
  options.file("--mask", input.mask,
               "Edge list of pairs of observed nodes that may or may not be edges");
  add_reading(app, input.reading);
  CLI::Option* nodes = app.get_option("--nodes");
  CLI::Option* file = app.get_option("--node-file");
  nodes->description("Nodes of the whole graph; hidden nodes come after the observed ones")
      ->required();
  nodes->remove_excludes(
      file);  // nodes without edges need --node-file, the whole graph needs --nodes
  file->remove_excludes(nodes);
}

PartialRead read_partial(const PartialInput& input, const CompletingModel& model,
                         const Common& common) {
  if (!model.base().structure.empty() && model.base().structure != "adjacency") {
    fail_input("the model has the structure {}, but completion needs adjacency",
               model.base().structure);
  }
  io::ReadOptions options = read_options(input.reading, common.threads);
  options.nodes = {};
  if (!options.known_nodes) options.known_nodes = nodes_of(input.labels);
  PartialRead read{io::read_graph(input.graph, options), {}};
  const Index seen = read.seen.graph.nodes(), nodes = *input.reading.nodes;
  if (nodes < seen) {
    fail_input("--nodes {}, expected at least {}, the number of observed nodes", nodes, seen);
  }
  read.graph =
      half_seen(dense(read.seen.graph),
                features_of(model, read.seen, {input.labels, input.features}, common), nodes);
  if (!input.mask.empty()) free_pairs(input.mask, input, read, common);
  return read;
}

Truth read_truth(const std::string& path, const PartialInput& input, const PartialRead& read,
                 const CompletingModel& model, const std::string& labels,
                 const std::string& given_features, const Common& common) {
  io::ReadOptions options = read_options(input.reading, common.threads);
  options.nodes = {};
  options.known_nodes = nodes_of(labels);
  if (!options.known_nodes) options.known_nodes = read.seen.names;
  const io::NamedGraph whole = io::read_graph(path, options);
  const Index nodes = read.graph.size();
  const bool padded = model.base().columns() == 0;  // an edge list has no nodes without edges
  if (padded ? whole.graph.nodes() > nodes : whole.graph.nodes() != nodes) {
    fail_input("--truth {} has {} nodes, expected {}", path, whole.graph.nodes(), nodes);
  }
  // Seen nodes first, in the order of the graph.
  const NameIndex index(whole.names);
  std::vector<Index> order;
  std::vector<bool> taken(whole.graph.nodes(), false);
  for (Index i = 0; i < read.seen.graph.nodes(); ++i) {
    const auto found = index.find(read.seen.names[i]);
    if (!found) fail_input("--truth {} lacks the observed node {}", path, read.seen.names[i]);
    order.push_back(static_cast<Index>(*found));
    taken[*found] = true;
  }
  for (Index i = 0; i < whole.graph.nodes(); ++i) {
    if (!taken[i]) order.push_back(i);
  }
  Truth truth{Matrix::Zero(nodes, nodes), {}};
  const Matrix found = dense(whole.graph);
  truth.structure.topLeftCorner(found.rows(), found.cols()) = found(order, order);
  if (model.base().columns() > 0) {
    const Matrix features = features_of(model, whole, {labels, given_features, "--truth-"}, common);
    truth.features = features(order, Eigen::all);
  }
  return truth;
}

void add_completing(CLI::App& app, CompletingOptions& options) {
  std::vector<std::string> starts;
  for (const auto& row : names_of(CompletionStart{})) starts.emplace_back(row.name);
  Options method(app, "Method");
  method.choice(
      "--method", options.method, {"learned", "alternate", "adam"},
      "learned: predicted as learned from training graphs with hidden nodes; alternate, adam: "
      "minimise the divergence to the atom");
  method.number(
      "--draws", options.draws,
      "Only with --method learned: number of sampled completions; the result is the graph "
      "closest to them. Default: 60",
      1, 1000000);
  method.choice("--start", options.start, starts,
                "Only with --method alternate and adam: initial values of the unknown entries");
  method.number("--learning-rate", options.learning_rate,
                "Only with --method adam: step length. Default: 0.01");
  method.flag("--warm-plans", options.warm_plans,
              "Only with --method adam: start each solve from the last plan");
  method.number(
      "--iterations", options.iterations,
      "Only with --method alternate and adam: maximum number of iterations. Default: 100, "
      "5000 with adam",
      1);
  add_seed(app, options.seed);
}

Completion complete_graph(const CompletingModel& model, const PartialGraph& graph,
                          const CompletingOptions& options, const Common& common) {
  const bool adam = options.method == "adam", learned = options.method == "learned";
  if (!adam && (options.learning_rate || options.warm_plans)) {
    fail_usage("--learning-rate and --warm-plans require --method adam");
  }
  if (learned && (!options.start.empty() || options.iterations)) {
    fail_usage("--start and --iterations require --method alternate or adam");
  }
  if (!learned && options.draws) fail_usage("--draws requires --method learned");
  if (learned) {
    const auto* dictionary = std::get_if<Dictionary>(&model.dictionary);
    if (dictionary == nullptr) {
      fail_input("the model is a GDL model, expected --method alternate or adam");
    }
    if (!model.trained) {
      fail_input(
          "the model was not trained for completion: train it with `srgw learn --for-completion "
          "RATE`, or use --method alternate");
    }
    LearnedCompletionOptions method;
    method.draws = options.draws.value_or(method.draws);
    const Watched watch(common, options.seed, {.iterations = method.draws});
    return complete(*dictionary, *model.trained, graph, method, watch.run());
  }
  const auto set = [&](auto method) {
    if (!options.start.empty()) method.start = from_name<CompletionStart>(options.start, "start");
    method.max_iterations = options.iterations.value_or(method.max_iterations);
    return method;
  };
  CompletionMethod method = set(Alternation{});
  if (adam) {
    ProjectedAdam scheme = set(ProjectedAdam{});
    scheme.steps.learning_rate = options.learning_rate.value_or(scheme.steps.learning_rate);
    scheme.warm_plans = options.warm_plans;
    method = scheme;
  }
  const int iterations = std::visit([](const auto& one) { return one.max_iterations; }, method);
  const Watched watch(common, options.seed, {.iterations = iterations});
  return std::visit([&](const auto& one) { return complete(one, graph, method, watch.run()); },
                    model.dictionary);
}

}  // namespace srgw::cli
