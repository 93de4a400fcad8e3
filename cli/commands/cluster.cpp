// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "cli/agreement.hpp"
#include "cli/baselines.hpp"
#include "cli/cluster_options.hpp"
#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/coordinates_word.hpp"
#include "cli/exit_code.hpp"
#include "cli/job.hpp"
#include "cli/stopping.hpp"
#include "srgw/io.hpp"
#include "srgw/kmeans.hpp"
#include "srgw/ranks.hpp"

namespace srgw::cli {

namespace {

struct ClusterArgs {
  Common common;
  PointOptions points;
  BaselineOptions baseline;
  std::string embeddings, truth, output, method = "points";
  int clusters = 2, tries = 100;

  [[nodiscard]] bool learns_atoms() const {
    return embeddings.empty() && method == "points" && !is_baseline(baseline);
  }
};

/// Rows to be clustered: those of a file, or of a model that is learned here. On the first rank.
struct Points {
  Matrix rows;
  Status status = Status::converged;  ///< of the learning
};

/// Rows of all ranks, on the first.
Matrix joined(const Matrix& rows) {
  if (ranks() == nullptr) return rows;
  const std::vector<double> own(rows.data(), rows.data() + rows.size());
  const std::vector<double> all = join_on_first(ranks(), own);
  return MatrixSpan(all.data(), std::ssize(all) / rows.cols(), rows.cols());
}

Matrix scaled(Matrix rows, std::vector<Index> blocks, const PointOptions& points) {
  if (rows.rows() == 0) return rows;  // not the first rank
  return row_scale(rows, blocks, row_scaling_from_name(points.scale)).apply(rows);
}

Points points_of(const ClusterArgs& args, const std::optional<DatasetSamples>& data) {
  if (!args.embeddings.empty()) {
    Matrix rows = io::read_matrix(args.embeddings);
    const Index columns = rows.cols();  // one block: of a file no others are known
    return {scaled(std::move(rows), {columns}, args.points)};
  }
  if (is_baseline(args.baseline)) {
    const AnyLearned learned =
        learn_baseline(*data, args.points.input, args.baseline, args.points.learning, args.common);
    return std::visit(
        [](const auto& result) {
          return Points{result.embedding.coordinates, result.status};
        },
        learned);
  }
  const PointOptions& points = args.points;
  const LearnedModel learned = learn_model(*data, points.input, points.learning, args.common);
  const EmbedOptions options{.coordinates = coordinates_from_text(points.coordinates),
                             .random_starts = points.random_starts,
                             .first = data->share.begin};
  const Embedding found = embed(learned.model, data->samples, options,
                                Watched(args.common, points.learning.seed, {}).run());
  return {scaled(joined(found.coordinates), embedding_blocks(learned.model, options), points),
          learned.status()};
}

/// The classes of the graphs; nothing when none are asked for.
std::optional<Assignment> truth_of(const ClusterArgs& args, const Dataset* dataset, Ranks* spread) {
  if (args.truth.empty()) return {};
  if (args.truth != "auto") return compact(io::read_labels(args.truth).labels);
  const std::vector<std::int64_t> labels =
      dataset == nullptr ? std::vector<std::int64_t>() : join_on_first(spread, dataset->labels);
  if (labels.empty() && is_first_rank()) {
    fail_input("{}: the graphs have no classes, but --truth auto needs them",
               args.points.input.path);
  }
  return compact(labels);
}

double largest_share(const Assignment& labels, int clusters) {
  std::vector<std::ptrdiff_t> sizes;
  for (int k = 0; k < clusters; ++k) {
    sizes.push_back(std::ranges::count(labels, static_cast<NodeId>(k)));
  }
  return static_cast<double>(std::ranges::max(sizes)) / static_cast<double>(labels.size());
}

void write(const ClusterArgs& args, const Assignment& labels) {
  if (args.output.empty()) return;
  io::NodeLabels out{.names = NodeNames::numbered(std::ssize(labels)), .labels = {}};
  out.labels.assign(labels.begin(), labels.end());
  io::write_labels(out, args.output);
}

void check_clusters(const ClusterArgs& args, std::size_t graphs) {
  if (static_cast<std::size_t>(args.clusters) > graphs) {
    fail_input("{} clusters of {} graphs, expected one for each graph at most", args.clusters,
               graphs);
  }
}

struct Found {
  Assignment labels;
  double inertia = 0;
  Index columns = 0;
  Status status = Status::converged;
};

Found clusters_of(const ClusterArgs& args, const std::optional<DatasetSamples>& data) {
  if (args.method == "gw-kmeans") {
    GraphClusters found =
        cluster_by_graphs(*data, args.clusters, args.points.learning, args.common);
    return {std::move(found.labels), found.inertia, found.embedding.coordinates.cols(),
            found.status};
  }
  const Points points = points_of(args, data);
  if (!is_first_rank()) return {{}, 0, 0, points.status};
  check_clusters(args, points.rows.rows());
  KMeansResult found = kmeans(points.rows, {.clusters = args.clusters,
                                            .tries = args.tries,
                                            .max_iterations = 300,
                                            .seed = args.points.learning.seed,
                                            .threads = args.common.threads});
  return {std::move(found.labels), found.inertia, points.rows.cols(), points.status};
}

int run(ClusterArgs args, const CLI::App& app) {
  LearningOptions& learning = args.points.learning;
  if (!args.output.empty()) check_folder_of(args.output);
  const bool by_graphs = args.method == "gw-kmeans";
  if (by_graphs && !args.embeddings.empty()) {
    fail_usage("--embeddings with --method gw-kmeans, which clusters graphs");
  }
  const bool learns = args.embeddings.empty();
  if (!learns && !is_first_rank()) return exit_fine;  // k-means alone does not spread
  if (by_graphs) refuse_on_ranks("--method gw-kmeans");
  if (is_baseline(args.baseline)) refuse_on_ranks("--model " + args.baseline.model);
  const ClusterRecipe recipe;
  if (args.learns_atoms()) take_recipe(app, recipe, args.points);
  Ranks* const spread = learns ? ranks() : nullptr;
  std::optional<DatasetSamples> data;
  if (learns || args.truth == "auto") {
    data = read_samples(args.points.input, args.common, spread);
    if (learns) check_clusters(args, data->share.total);
    if (args.learns_atoms()) take_alpha(app, recipe, *data, args.points);
  }
  const std::optional<Assignment> truth = truth_of(args, data ? &data->dataset : nullptr, spread);
  const Found found = clusters_of(args, data);
  if (!is_first_rank()) return exit_code(found.status, learning, args.common);
  if (truth && truth->size() != found.labels.size()) {
    fail_input("{} classes for {} graphs, expected one for each", truth->size(),
               found.labels.size());
  }
  write(args, found.labels);
  nlohmann::ordered_json json{{"graphs", found.labels.size()},
                              {"columns", found.columns},
                              {"inertia", found.inertia},
                              {"largest_cluster", largest_share(found.labels, args.clusters)},
                              {"labels_file", args.output},
                              {"seconds", seconds_so_far()}};
  if (args.learns_atoms()) json["points"] = points_json(args.points);
  if (truth) add_agreement(json, *truth, found.labels);
  if (args.common.json) {
    print_json(json);
    return exit_code(found.status, learning, args.common);
  }
  for (const char* key : {"graphs", "inertia", "largest_cluster", "ri", "ari", "ami"}) {
    if (json.contains(key)) fmt::print("{:<16}  {:.6g}\n", key, json[key].get<double>());
  }
  if (args.learns_atoms()) fmt::print("{:<16}  {}\n", "points", points_line(args.points));
  return exit_code(found.status, learning, args.common);
}

}  // namespace

Action add_cluster(CLI::App& app) {
  auto args = std::make_shared<ClusterArgs>();
  add_dataset_path(app, args->points.input);
  app.add_option("-k,--clusters", args->clusters, "Clusters of graphs")
      ->type_name("N")
      ->check(silent(CLI::Range(1, 1000000)))
      ->required();
  app.add_option("--embeddings", args->embeddings,
                 "Rows to cluster, as embed has written them; nothing is learned then")
      ->type_name("FILE.npy");
  app.add_option("--tries", args->tries, "Starts of k-means; the smallest inertia is kept")
      ->type_name("N")
      ->check(silent(CLI::Range(1, 1000000)))
      ->capture_default_str();
  app.add_option("--truth", args->truth, "Classes to compare with; auto: those of the dataset")
      ->type_name("auto|FILE");
  app.add_option("-o,--output", args->output, "Cluster of each graph, by its number")
      ->type_name("FILE");
  app.add_option("--method", args->method,
                 "k-means on points, or on the graphs themselves with barycenters as means (of "
                 "--size nodes, by default the median)")
      ->type_name("points|gw-kmeans")
      ->check(silent(CLI::IsMember({"points", "gw-kmeans"})))
      ->capture_default_str();
  add_points(app, args->points);
  add_baselines(app, args->baseline);
  add_reading(app, args->points.input.reading);
  add_progress(app, args->common);
  add_common(app, args->common);
  tell_of_recipe(app, ClusterRecipe{});
  return [args, &app](const std::string&) { return run(*args, app); };
}

}  // namespace srgw::cli
