// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "cli/agreement.hpp"
#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/coordinates_word.hpp"
#include "cli/exit_code.hpp"
#include "cli/job.hpp"
#include "cli/learning.hpp"
#include "cli/rivals.hpp"
#include "cli/solving.hpp"
#include "srgw/embedding.hpp"
#include "srgw/io.hpp"
#include "srgw/kmeans.hpp"
#include "srgw/rank_parts.hpp"

namespace srgw::cli {

namespace {

constexpr Index default_size = 10;  // of an atom, as in Python

struct Args {
  Common common;
  DatasetInput input;
  LearningOptions learning;
  RivalOptions rival;
  std::string embeddings, coordinates = "weights", truth, output, method = "points",
                          scale = "blocks";
  int clusters = 2, tries = 100, random_starts = 0;
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

Points points_of(const Args& args, const std::optional<DatasetSamples>& data) {
  if (!args.embeddings.empty()) return {io::read_matrix(args.embeddings)};
  if (is_rival(args.rival)) {
    LearnedRival result = learn_rival(*data, args.input, args.rival, args.learning, args.common);
    return {std::move(result.rows), result.status};
  }
  LearningOptions learning = args.learning;
  if (learning.size == 0) learning.size = default_size;
  const LearnedModel result = learn_model(*data, args.input, learning, args.common);
  const EmbedOptions options{.coordinates = coordinates_from_text(args.coordinates),
                             .random_starts = args.random_starts,
                             .first = data->share.begin};
  const Embedding found = embed(result.model, data->samples, options,
                                {.threads = args.common.threads, .seed = args.learning.seed});
  Matrix rows = joined(found.coordinates);
  const std::vector<Index> blocks = embedding_blocks(result.model, options);
  if (args.scale == "blocks" && blocks.size() > 1 && rows.rows() > 0) {
    rows = block_scale(rows, blocks).apply(rows);
  }
  return {std::move(rows), result.status()};
}

/// The classes of the graphs; nothing when none are asked for.
std::optional<Assignment> truth_of(const Args& args, const Dataset* dataset, Ranks* spread) {
  if (args.truth.empty()) return {};
  if (args.truth != "auto") return compact(io::read_labels(args.truth).labels);
  const std::vector<std::int64_t> labels =
      dataset == nullptr ? std::vector<std::int64_t>() : join_on_first(spread, dataset->labels);
  if (labels.empty() && is_first_rank()) {
    fail_input("{}: the graphs have no classes, but --truth auto needs them", args.input.path);
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

void write(const Args& args, const Assignment& labels) {
  if (args.output.empty()) return;
  io::NodeLabels out{.names = NodeNames::numbered(std::ssize(labels)), .labels = {}};
  out.labels.assign(labels.begin(), labels.end());
  io::write_labels(out, args.output);
}

struct Found {
  Assignment labels;
  double inertia = 0;
  Index columns = 0;
  Status status = Status::converged;
};

Found clusters_of(const Args& args, const std::optional<DatasetSamples>& data) {
  if (args.method == "gw-kmeans") {
    GraphClusters found = cluster_by_graphs(*data, args.clusters, args.learning, args.common);
    return {std::move(found.labels), found.inertia, found.values.cols(), found.status};
  }
  const Points points = points_of(args, data);
  if (!is_first_rank()) return {{}, 0, 0, points.status};
  KMeansResult found = kmeans(points.rows, {.clusters = args.clusters,
                                            .tries = args.tries,
                                            .max_iterations = 300,
                                            .seed = args.learning.seed,
                                            .threads = args.common.threads});
  return {std::move(found.labels), found.inertia, points.rows.cols(), points.status};
}

int run(const Args& args) {
  if (!args.output.empty()) check_folder_of(args.output);
  const bool by_graphs = args.method == "gw-kmeans";
  if (by_graphs && !args.embeddings.empty()) {
    fail_usage("--embeddings with --method gw-kmeans, which clusters graphs");
  }
  const bool learns = args.embeddings.empty();
  if (!learns && !is_first_rank()) return exit_fine;  // k-means alone does not spread
  if (by_graphs) refuse_on_ranks("--method gw-kmeans");
  if (is_rival(args.rival)) refuse_on_ranks("--model " + args.rival.model);
  Ranks* const spread = learns ? ranks() : nullptr;
  std::optional<DatasetSamples> data;
  if (learns || args.truth == "auto") {
    data = read_samples(args.input, args.common, spread);
  }
  const std::optional<Assignment> truth = truth_of(args, data ? &data->dataset : nullptr, spread);
  const Found found = clusters_of(args, data);
  if (!is_first_rank()) return exit_code(found.status, args.learning, args.common);
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
  if (truth) add_agreement(json, *truth, found.labels);
  if (args.common.json) {
    print_json(json);
    return exit_code(found.status, args.learning, args.common);
  }
  for (const char* key : {"graphs", "inertia", "largest_cluster", "ri", "ari", "ami"}) {
    if (json.contains(key)) fmt::print("{:<16}  {:.6g}\n", key, json[key].get<double>());
  }
  return exit_code(found.status, args.learning, args.common);
}

}  // namespace

Action add_cluster(CLI::App& app) {
  auto args = std::make_shared<Args>();
  app.footer("Example: srgw cluster MUTAG/ -k 2 --truth auto");
  add_dataset_path(app, args->input);
  app.add_option("-k,--clusters", args->clusters, "Clusters of graphs")
      ->type_name("N")
      ->check(silent(CLI::Range(1, 1000000)))
      ->required();
  app.add_option("--embeddings", args->embeddings,
                 "Rows to cluster, as embed has written them; nothing is learned then")
      ->type_name("FILE.npy");
  app.add_option("--coordinates", args->coordinates, coordinates_help())
      ->type_name("WORD,...")
      ->capture_default_str();
  app.add_option("--scale", args->scale,
                 "Of several coordinates or atoms: each to variance 1, or as they are")
      ->type_name("blocks|none")
      ->check(silent(CLI::IsMember({"blocks", "none"})))
      ->capture_default_str();
  app.add_option("--random-starts", args->random_starts,
                 "Of the embedding, tried besides the product start")
      ->type_name("N")
      ->check(silent(CLI::Range(0, 1000000)))
      ->capture_default_str();
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
  add_learning(app, args->learning);
  app.get_option("--size")->description(
      fmt::format("Nodes of an atom; of srgw by default {}", default_size));
  add_rivals(app, args->rival);
  add_dataset_problem(app, args->input);
  add_reading(app, args->input.reading);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
