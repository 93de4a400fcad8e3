// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/completing.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/picture.hpp"
#include "cli/solving.hpp"
#include "cli/stopping.hpp"
#include "srgw/completion.hpp"

namespace srgw::cli {

namespace {

struct CompleteArgs {
  Common common;
  PartialInput input;
  CompletingOptions completing;
  std::string model, output, probabilities, feature_output, truth, truth_labels, truth_features;
  std::optional<std::string> to;
  double threshold = 0.5;
  Shown shown;
};

/// Hidden nodes get the numbers after the observed ones; if those have names, h1, h2, ...
NodeNames all_names(const NodeNames& seen, Index nodes) {
  const Index known = seen.size();
  if (seen.are_numbers()) {
    std::vector<std::int64_t> ids;
    std::int64_t next = 0;
    for (Index i = 0; i < known; ++i) {
      ids.push_back(seen.number(i));
      next = std::max(next, seen.number(i) + 1);
    }
    for (Index i = known; i < nodes; ++i) ids.push_back(next++);
    return NodeNames(std::move(ids));
  }
  const NameIndex index(seen);
  std::vector<std::string> texts;
  for (Index i = 0; i < known; ++i) texts.push_back(seen[i]);
  for (int h = 1; std::ssize(texts) < nodes; ++h) {
    std::string text = fmt::format("h{}", h);
    if (!index.find(text)) texts.push_back(std::move(text));
  }
  return NodeNames(std::move(texts));
}

struct Written {
  io::NamedGraph graph;
  Graph known;  ///< the observed nodes and edges
  Index added = 0;
};

/// The observed and the predicted edges; with weights if the observed graph has weights.
Written completed_graph(const CompleteArgs& args, const PartialRead& read,
                        const Completion& answer) {
  const Graph& seen = read.seen.graph;
  const Index n = read.graph.size();
  std::vector<Entry> edges, known;
  Index added = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = seen.directed() ? 0 : i; j < n; ++j) {
      const double value = answer.structure(i, j);
      const bool free = read.graph.free(i, j) != 0;
      if (free ? i == j || !(value > args.threshold * answer.unit) : value == 0) continue;
      added += static_cast<Index>(free);
      edges.push_back({.row = static_cast<NodeId>(i),
                       .column = static_cast<NodeId>(j),
                       .value = seen.weighted() ? value : 1.0});
      if (!free) known.push_back(edges.back());
    }
  }
  return {{.graph = Graph::from_edges(n, edges, seen.directed()),
           .names = all_names(read.seen.names, n)},
          Graph::from_edges(seen.nodes(), known, seen.directed()),
          added};
}

nlohmann::ordered_json scores_json(const CompletionScores& scores) {
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  return {{"accuracy_raw", scores.accuracy_raw},
          {"accuracy_aligned", scores.accuracy_aligned},
          {"accuracy_coded", scores.accuracy_coded},
          {"auc", number(scores.auc)},
          {"average_precision", number(scores.average_precision)},
          {"brier", scores.brier},
          {"edge_count_error", scores.edge_count_error},
          {"degree_error", scores.degree_error},
          {"mse", number(scores.feature_error)},
          {"mse_coded", number(scores.feature_error_coded)}};
}

nlohmann::ordered_json evidence_json(const CompletionEvidence& evidence) {
  nlohmann::ordered_json bins = nlohmann::ordered_json::array();
  for (Index b = 0; b < evidence.reliability.rows(); ++b) {
    const auto bin = evidence.reliability.row(b);
    bins.push_back({{"pairs", bin[0]}, {"probability", bin[1]}, {"share_of_edges", bin[2]}});
  }
  return {{"rate", evidence.rate},
          {"graphs", evidence.graphs},
          {"half_seen", evidence.half_seen},
          {"brier", evidence.brier},
          {"reliability", bins}};
}

/// In the time left: the aligned scores need a search.
void add_scores(const CompleteArgs& args, const PartialGraph& graph, const Completion& answer,
                const Truth& truth, nlohmann::ordered_json& json) {
  const Watched watch(args.common, args.completing.seed, {});
  const StopScope limits(watch.run());
  try {
    json.update(scores_json(score(graph, answer, truth.structure, truth.features, args.threshold)));
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::stopped) throw;
    note(args.common, "no scores: {}", error.what());
  }
}

void print_text(const nlohmann::ordered_json& json, const Completion& answer,
                const CompletionEvidence* evidence) {
  fmt::print("edges added   {}\n", json["edges_added"].get<Index>());
  fmt::print("value         {:.10g}\n", answer.value);
  fmt::print("status        {}", name(answer.status));
  fmt::print("{}\n",
             answer.iterations > 0 ? fmt::format(" after {} turns", answer.iterations) : "");
  if (evidence != nullptr) {
    fmt::print("rests on      {} graphs, hidden {} times at rate {:g}; squared error {:.4f}\n",
               evidence->graphs, evidence->half_seen, evidence->rate, evidence->brier);
  }
  for (const char* key : {"accuracy_raw", "accuracy_aligned", "accuracy_coded", "auc", "brier"}) {
    if (json.contains(key) && json[key].is_number()) {
      fmt::print("{:<17} {:.4f}\n", key, json[key].get<double>());
    }
  }
}

/// All input files.
std::vector<std::string> files_of(const CompleteArgs& args) {
  std::vector<std::string> files{args.model,          args.input.graph,   args.input.labels,
                                 args.input.features, args.input.mask,    args.truth,
                                 args.truth_labels,   args.truth_features};
  std::erase(files, "");
  return files;
}

/// --picture and --report.
void show(const CompleteArgs& args, const PartialRead& read, const Written& written,
          const Completion& answer, const CompletionEvidence* evidence,
          const nlohmann::ordered_json& json, const std::string& command_line) {
  const CompletionPicture picture{
      .seen = written.known,
      .completed = written.graph.graph,
      .names = written.graph.names,
      .probabilities = answer.probabilities,
      .title = fmt::format("{}, completed", short_name(args.input.graph)),
      .subtitle = fmt::format("{} nodes observed, {} hidden; {} edges added by --method {}",
                              read.seen.graph.nodes(), read.graph.size() - read.seen.graph.nodes(),
                              written.added, args.completing.method)};
  write_picture(args.shown.picture, args.common, [&] { return draw_completion(picture); });
  std::vector<ReportFact> agreement;
  for (const char* key : {"accuracy_aligned", "accuracy_raw", "auc", "brier", "mse"}) {
    if (!json.contains(key) || !json[key].is_number()) continue;
    agreement.push_back({key, fmt::format("{:.4f}", json[key].get<double>())});
  }
  write_report(args.shown.report, args.common, [&] {
    return completion_report(
        {.picture = picture,
         .completion = answer,
         .evidence = evidence,
         .file = short_name(args.input.graph),
         .agreement = agreement,
         .origin = report_origin(command_line, args.completing.seed, files_of(args))});
  });
}

int run(const CompleteArgs& args, const std::string& command_line) {
  check_folder_of(args.output);
  check(args.shown);
  if (!args.probabilities.empty()) check_rows_file(args.probabilities);
  if (!args.feature_output.empty()) check_rows_file(args.feature_output);
  const CompletingModel model = read_completing_model(args.model);
  const PartialRead read = read_partial(args.input, model, args.common);
  std::optional<Truth> truth;
  if (!args.truth.empty()) {
    truth = read_truth(args.truth, args.input, read, model, args.truth_labels, args.truth_features,
                       args.common);
  }
  const Completion answer = complete_graph(model, read.graph, args.completing, args.common);
  const Written written = completed_graph(args, read, answer);
  begin_writing();
  io::write_graph(written.graph, args.output, {.format = args.to});
  if (!args.probabilities.empty()) write_rows(answer.probabilities, args.probabilities, {}, "node");
  if (!args.feature_output.empty()) write_rows(answer.features, args.feature_output, {}, "node");

  const bool learned = args.completing.method == "learned";
  const CompletionEvidence* evidence = learned ? &model.trained->evidence : nullptr;
  nlohmann::ordered_json json{{"edges_added", written.added},
                              {"nodes", read.graph.size()},
                              {"nodes_added", read.graph.size() - read.seen.graph.nodes()},
                              {"method", args.completing.method},
                              {"value", answer.value},
                              {"values", answer.values},
                              {"atom", answer.atom},
                              {"iterations", answer.iterations},
                              {"status", name(answer.status)},
                              {"seconds", seconds_so_far()}};
  if (evidence != nullptr) json["rests_on"] = evidence_json(*evidence);
  if (truth) add_scores(args, read.graph, answer, *truth, json);
  show(args, read, written, answer, evidence, json, command_line);
  if (args.common.json) {
    print_json(json);
  } else if (args.output != "-") {
    print_text(json, answer, evidence);
  }
  return exit_code(args.common, answer.status, false, "more time may lower the value");
}

}  // namespace

Action add_complete(CLI::App& app) {
  auto args = std::make_shared<CompleteArgs>();
  app.footer("Example: srgw complete mutag.npz seen.txt --labels seen.tsv --nodes 20 -o whole.txt");
  Options options(app);
  options.argument("MODEL", args->model, "Model file written by `srgw learn`");
  add_partial_input(app, args->input);
  options.file("-o,--output", args->output, "The completed graph")->required();
  add_format_of_output(app, args->to);
  options.file("--probabilities", args->probabilities,
               "Write a matrix with the probability of each unknown edge: .npy, .csv or .tsv");
  options.file("--completed-features", args->feature_output,
               "Write the features of all nodes: .npy, .csv or .tsv");
  options.text("--threshold", args->threshold, "X",
               "An unknown pair becomes an edge if its value is above X, in the unit of the model");
  options.text("--truth", args->truth, "GRAPH", "The true whole graph, to compare with");
  options.file("--truth-labels", args->truth_labels, "Node labels of the true graph");
  options.file("--truth-features", args->truth_features, "Node attributes of the true graph");
  add_shown(app, args->shown);
  add_completing(app, args->completing);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string& command_line) { return run(*args, command_line); };
}

}  // namespace srgw::cli
