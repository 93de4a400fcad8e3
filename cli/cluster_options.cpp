// SPDX-License-Identifier: MIT
#include "cli/cluster_options.hpp"

#include <fmt/format.h>

#include "cli/coordinates_word.hpp"
#include "cli/options.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::cli {

namespace {

std::string coordinates_text(const std::vector<Coordinate>& coordinates) {
  std::string text;
  for (const Coordinate coordinate : coordinates) {
    text += (text.empty() ? "" : ",") + std::string(name(coordinate));
  }
  return text;
}

AtomStart default_start() { return std::get<ClosedForm>(ClusterOptions{}.learner).start; }

}  // namespace

void add_points(CLI::App& app, PointWords& words) {
  std::vector<std::string> scalings{"auto"};
  for (const auto& row : names_of(RowScaling{})) scalings.emplace_back(row.name);
  Options options(app);
  options.text("--coordinates", words.coordinates, "NAME,...", coordinates_help());
  options.choice(
      "--scale", words.scale, scalings,
      "Scaling of the columns; blocks: total variance 1 for each coordinate of each atom; "
      "quantiles: columns are replaced by their quantiles first; auto: blocks with "
      "--embeddings, else quantiles");
  add_random_starts(app, words.random_starts);
  add_learning(app, words.learning);
  add_dataset_problem(app, words.input);
}

void show_cluster_defaults(CLI::App& app) {
  const ClusterOptions options;
  const std::pair<const char*, std::string> defaults[] = {
      {"--coordinates", coordinates_text(options.embedding.coordinates)},
      {"--alpha", "balanced"},
      {"--random-starts", std::to_string(options.embedding.random_starts)},
      {"--size", std::to_string(options.size)},
      {"--atoms", std::to_string(options.atoms)},
      {"--atom-start", std::string(name(default_start()))},
      {"--features", std::string(name(options.features.take))},
      {"--standardise", std::string(name(options.features.standardisation))}};
  for (const auto& [option, value] : defaults) app.get_option(option)->default_str(value);
  app.get_option("--atom-start")->description("Initial atom. With --learner adam: noise");
  app.footer(
      "Baselines (--model gdl, --model gwf and --method gw-kmeans) have the defaults of learn.\n"
      "Example: srgw cluster MUTAG/ -k 2 --truth auto");
}

void take_cluster_defaults(const CLI::App& app, PointWords& words) {
  const ClusterOptions options;
  const auto unsaid = [&](const char* option) { return app.count(option) == 0; };
  if (unsaid("--features")) words.input.features.take = options.features.take;
  if (unsaid("--standardise")) {
    words.input.features.standardisation = options.features.standardisation;
  }
  LearningOptions& learning = words.learning;
  if (unsaid("--size")) learning.size = options.size;
  if (unsaid("--atoms")) learning.atoms = options.atoms;
  if (unsaid("--alpha")) learning.alpha = "balanced";
  if (unsaid("--atom-start") && learning.learner != "adam") learning.start = default_start();
  if (unsaid("--coordinates")) {
    words.coordinates = coordinates_text(options.embedding.coordinates);
  }
  if (unsaid("--random-starts")) words.random_starts = options.embedding.random_starts;
}

RowScaling scaling_of(const PointWords& words, bool embeds) {
  if (words.scale != "auto") return from_name<RowScaling>(words.scale, "scale");
  return embeds ? ClusterOptions{}.scaling : PointOptions{}.scaling;
}

ClusterOptions cluster_options(const PointWords& words, int clusters, int tries) {
  const LearningOptions& learning = words.learning;
  return {
      .clusters = clusters,
      .tries = tries,
      .size = learning.size,
      .atoms = learning.atoms,
      .alpha = learning.given_alpha(),
      .projection = {.sparsity = learning.sparsity, .method = method_from_flags(learning.flags)},
      .learner = learner_of(learning),
      .embedding = {.coordinates = coordinates_from_text(words.coordinates),
                    .random_starts = words.random_starts},
      .scaling = scaling_of(words, true)};
}

nlohmann::ordered_json points_json(const PointWords& words, double alpha) {
  return {{"structure", words.input.structure},
          {"features", name(words.input.features.take)},
          {"alpha", alpha},
          {"standardise", name(words.input.features.standardisation)},
          {"size", words.learning.size},
          {"atoms", words.learning.atoms},
          {"coordinates", words.coordinates},
          {"scale", name(scaling_of(words, true))},
          {"random_starts", words.random_starts}};
}

std::string points_line(const PointWords& words) {
  return fmt::format("{} of {} atom{} of {} nodes, {}, features {}, scale {}", words.coordinates,
                     words.learning.atoms, words.learning.atoms == 1 ? "" : "s",
                     words.learning.size, words.input.structure, name(words.input.features.take),
                     name(scaling_of(words, true)));
}

}  // namespace srgw::cli
