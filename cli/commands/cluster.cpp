// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <set>

#include "cli/agreement.hpp"
#include "cli/baselines.hpp"
#include "cli/cluster_options.hpp"
#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/job.hpp"
#include "cli/options.hpp"
#include "cli/standard_output.hpp"
#include "cli/stopping.hpp"
#include "srgw/clustering.hpp"
#include "srgw/io.hpp"
#include "srgw/ranks.hpp"

namespace srgw::cli {

namespace {

struct ClusterArgs {
  Common common;
  PointWords points;
  BaselineOptions baseline;
  std::string embeddings, truth, output, method = "points";
  int clusters = 2, tries = 100;

  [[nodiscard]] bool by_graphs() const { return method == "gw-kmeans"; }
  [[nodiscard]] bool learns_atoms() const {
    return embeddings.empty() && !by_graphs() && !is_baseline(baseline);
  }
};

/// The classes of --truth.
std::optional<Assignment> truth_of(const ClusterArgs& args, const Dataset& dataset, Ranks* spread) {
  if (args.truth.empty()) return {};
  if (args.truth != "auto") return compact(io::read_labels(args.truth).labels);
  const std::vector<std::int64_t> labels = join_on_first(spread, dataset.labels);
  if (labels.empty() && is_first_rank()) {
    fail_input("{}: the graphs have no classes, which --truth auto needs", args.points.input.path);
  }
  return compact(labels);
}

void write(const ClusterArgs& args, const Assignment& labels, const DatasetSamples& data,
           Ranks* spread) {
  const std::vector<std::string> names = names_of_all(data, spread);
  if (args.output.empty() || !is_first_rank()) return;
  io::NodeLabels out{
      .names = names.empty() ? NodeNames::numbered(std::ssize(labels)) : NodeNames(names),
      .labels = {}};
  out.labels.assign(labels.begin(), labels.end());
  begin_writing();
  io::write_labels(out, args.output);
}

/// The clusters of any of the methods.
struct Found {
  PointClusters clusters;
  Index columns = 0;
  double alpha = 0;  ///< of atoms that were learned here
};

std::vector<Index> sizes_of(const DatasetSamples& data) {
  std::vector<Index> sizes;
  for (const Graph& graph : data.dataset.graphs) sizes.push_back(graph.nodes());
  return sizes;
}

Found cluster_rows(const ClusterArgs& args, const Matrix& rows, RowScaling scaling,
                   const DatasetSamples& data) {
  const Watched watch(args.common, args.points.learning.seed, {});
  PointClusters found =
      cluster_points(rows, {.clusters = args.clusters, .tries = args.tries, .scaling = scaling},
                     sizes_of(data), watch.run());
  return {std::move(found), rows.cols(), 0};
}

Found cluster_file(const ClusterArgs& args, const DatasetSamples& data) {
  const Matrix rows = io::read_matrix(args.embeddings);
  if (rows.rows() != std::ssize(data.dataset.graphs)) {
    fail_input("{} has {} rows, expected {}, one for each graph of {}", args.embeddings,
               rows.rows(), data.dataset.graphs.size(), args.points.input.path);
  }
  return cluster_rows(args, rows, scaling_of(args.points, false), data);
}

Found cluster_with_baseline(const ClusterArgs& args, const DatasetSamples& data) {
  const AnyLearned learned =
      learn_baseline(data, args.points.input, args.baseline, args.points.learning, args.common);
  return std::visit(
      [&](const auto& result) {
        Found found = cluster_rows(args, result.embedding.coordinates, RowScaling::none, data);
        if (found.clusters.status == Status::converged) found.clusters.status = result.status;
        return found;
      },
      learned);
}

Found cluster_graphs(const ClusterArgs& args, const DatasetSamples& data) {
  GraphClusters found = cluster_by_graphs(data, args.clusters, args.points.learning, args.common);
  const Index columns = found.embedding.coordinates.cols();
  PointClusters clusters{.labels = std::move(found.labels),
                         .centres = Matrix(columns, 0),
                         .inertia = found.inertia,
                         .status = found.status};
  return {std::move(clusters), columns, 0};
}

Found cluster_with_atoms(const ClusterArgs& args, const DatasetSamples& data) {
  ClusterOptions options = cluster_options(args.points, args.clusters, args.tries);
  options.embedding.first = data.share.begin;
  if (options.alpha) (void)alpha_of(args.points.learning, data, args.common);  // for its note
  const Watched watch(args.common, args.points.learning.seed,
                      {.iterations = epochs_of(options.learner),
                       .starts = options.atoms,
                       .unit = ProgressBar::Unit::epoch});
  Run run = watch.run();
  run.ranks = ranks();
  GraphPartition found = cluster(data.samples, options, run);
  const double alpha = found.model.projection.alpha;
  const Index columns = found.points.cols();
  return {std::move(found), columns, alpha};
}

nlohmann::ordered_json evidence_json(const ClusterEvidence& evidence, int clusters) {
  nlohmann::ordered_json json{{"doubts", evidence.doubts(clusters)},
                              {"spread", evidence.spread},
                              {"spread_without_clusters", evidence.spread_without},
                              {"deviation_without_clusters", evidence.deviation_without},
                              {"stability", evidence.stability}};
  if (evidence.by_size) json["agreement_with_sizes"] = *evidence.by_size;
  return json;
}

int report(const ClusterArgs& args, const Found& found, const std::optional<Assignment>& truth) {
  const PointClusters& clusters = found.clusters;
  nlohmann::ordered_json json{
      {"graphs", clusters.labels.size()}, {"columns", found.columns},
      {"inertia", clusters.inertia},      {"largest_cluster", clusters.largest_share()},
      {"status", name(clusters.status)},  {"labels_file", args.output},
      {"seconds", seconds_so_far()}};
  if (clusters.evidence) json["evidence"] = evidence_json(*clusters.evidence, args.clusters);
  if (args.learns_atoms()) json["points"] = points_json(args.points, found.alpha);
  if (truth) add_agreement(json, *truth, clusters.labels);
  if (args.common.json) {
    print_json(json);
  } else if (args.output != "-") {
    for (const char* key : {"graphs", "inertia", "largest_cluster", "ri", "ari", "ami"}) {
      if (json.contains(key)) fmt::print("{:<16}  {:.6g}\n", key, json[key].get<double>());
    }
    fmt::print("{:<16}  {}\n", "status", name(clusters.status));
    if (args.learns_atoms()) fmt::print("{:<16}  {}\n", "points", points_line(args.points));
  }
  if (clusters.evidence) {
    for (const std::string& doubt : clusters.evidence->doubts(args.clusters)) {
      note(args.common, "{}", doubt);
    }
  }
  return exit_code(clusters.status, args.points.learning, args.common);
}

/// Refuses options that fit no dataset.
void check_usage(const ClusterArgs& args, const CLI::App& app) {
  if (args.by_graphs()) refuse_on_ranks("--method gw-kmeans");
  if (is_baseline(args.baseline)) refuse_on_ranks("--model " + args.baseline.model);
  if (args.embeddings.empty()) return;
  const std::set<std::string> used{
      "DATASET", "clusters", "embeddings", "tries",   "truth",    "output",     "scale",  "seed",
      "threads", "json",     "quiet",      "verbose", "progress", "time-limit", "config", "help"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string plain = option->get_single_name();
    if (option->count() == 0 || used.contains(plain) || option->get_group() == "Reading") continue;
    fail_usage("--{} has no effect with --embeddings, expected only one of them", plain);
  }
}

int run(ClusterArgs args, const CLI::App& app) {
  check_usage(args, app);
  takes_stdout({{"-o", args.output}}, args.common);
  if (!args.output.empty()) check_folder_of(args.output);
  const bool learns = args.embeddings.empty();
  if (!learns && !is_first_rank()) return exit_fine;  // k-means runs on the first rank only
  if (args.learns_atoms()) take_cluster_defaults(app, args.points);
  Ranks* const spread = learns ? ranks() : nullptr;
  const DatasetSamples data = read_samples(args.points.input, args.common, spread);
  if (static_cast<std::size_t>(args.clusters) > data.share.total) {
    fail_input("{} clusters of {} graphs, expected at most one for each graph", args.clusters,
               data.share.total);
  }
  const std::optional<Assignment> truth = truth_of(args, data.dataset, spread);
  const Found found = !learns                      ? cluster_file(args, data)
                      : args.by_graphs()           ? cluster_graphs(args, data)
                      : is_baseline(args.baseline) ? cluster_with_baseline(args, data)
                                                   : cluster_with_atoms(args, data);
  write(args, found.clusters.labels, data, spread);
  if (!is_first_rank()) return exit_code(found.clusters.status, args.points.learning, args.common);
  if (truth && truth->size() != found.clusters.labels.size()) {
    fail_input("{} classes for {} graphs, expected one for each", truth->size(),
               found.clusters.labels.size());
  }
  return report(args, found, truth);
}

}  // namespace

Action add_cluster(CLI::App& app) {
  auto args = std::make_shared<ClusterArgs>();
  add_dataset_path(app, args->points.input);
  Options options(app);
  options.number("-k,--clusters", args->clusters, "Number of clusters", 1, 1000000)
      ->default_str("")
      ->required();
  options.text(
      "--embeddings", args->embeddings, "FILE.npy",
      "Cluster these rows (one for each graph, written by embed) instead of learning a model");
  options.number("--tries", args->tries,
                 "Number of starts of k-means; that with the smallest inertia is kept", 1, 1000000);
  options.text("--truth", args->truth, "auto|FILE",
               "True classes to compare with; auto: those of the dataset");
  options.file("-o,--output", args->output,
               "Write the cluster of each graph, by file name or number");
  options.choice(
      "--method", args->method, {"points", "gw-kmeans"},
      "k-means on embeddings, or on the graphs with barycenters of --size nodes as means");
  add_points(app, args->points);
  add_baselines(app, args->baseline);
  add_reading(app, args->points.input.reading);
  add_progress(app, args->common);
  add_common(app, args->common);
  show_cluster_defaults(app);
  return [args, &app](const std::string&) { return run(*args, app); };
}

}  // namespace srgw::cli
