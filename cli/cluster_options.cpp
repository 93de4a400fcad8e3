// SPDX-License-Identifier: MIT
#include "cli/cluster_options.hpp"

#include <fmt/format.h>

#include "cli/coordinates_word.hpp"
#include "cli/job.hpp"
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

}  // namespace

void add_points(CLI::App& app, PointOptions& options) {
  std::vector<std::string> scalings;
  for (const RowScalingName& row : row_scaling_names()) scalings.emplace_back(row.name);
  app.add_option("--coordinates", options.coordinates, coordinates_help())->type_name("WORD,...");
  app.add_option(
         "--scale", options.scale,
         "Each coordinate of each atom to variance 1 (blocks), and each column to its ranks "
         "before that, or all as they are")
      ->type_name("blocks|ranks|none")
      ->check(silent(CLI::IsMember(scalings)));
  app.add_option("--random-starts", options.random_starts,
                 "Of the embedding, tried besides the product start")
      ->type_name("N")
      ->check(silent(CLI::Range(0, 1000000)));
  add_learning(app, options.learning);
  add_dataset_problem(app, options.input);
}

void tell_of_recipe(CLI::App& app, const ClusterRecipe& recipe) {
  const std::pair<const char*, std::string> defaults[] = {
      {"--coordinates", coordinates_text(recipe.coordinates)},
      {"--scale", std::string(name(recipe.scaling))},
      {"--alpha", recipe.balanced_alpha ? "balanced" : "0.5"},
      {"--random-starts", std::to_string(recipe.random_starts)},
      {"--size", std::to_string(recipe.size)},
      {"--atoms", std::to_string(recipe.atoms)},
      {"--atom-start", std::string(name(recipe.start))},
      {"--features", std::string(name(recipe.features.take))},
      {"--standardise", std::string(name(recipe.features.standardisation))}};
  for (const auto& [option, value] : defaults) app.get_option(option)->default_str(value);
  app.footer(
      "Rivals (--model) and gw-kmeans have the defaults of learn instead.\n"
      "Example: srgw cluster MUTAG/ -k 2 --truth auto");
}

void take_alpha(const CLI::App& app, const ClusterRecipe& recipe, const DatasetSamples& data,
                PointOptions& options) {
  const Index columns = data.features.columns();
  if (columns == 0 || !recipe.balanced_alpha || app.count("--alpha") > 0) return;
  options.learning.alpha = fused_terms(data.samples, columns, ranks()).balanced_alpha();
}

void take_recipe(const CLI::App& app, const ClusterRecipe& recipe, PointOptions& options) {
  const auto unsaid = [&](const char* option) { return app.count(option) == 0; };
  if (unsaid("--features")) options.input.features = name(recipe.features.take);
  if (unsaid("--standardise")) {
    options.input.standardise = name(recipe.features.standardisation);
  }
  LearningOptions& learning = options.learning;
  if (unsaid("--size")) learning.size = recipe.size;
  if (unsaid("--atoms")) learning.atoms = recipe.atoms;
  if (unsaid("--atom-start") && learning.learner != "adam") {
    learning.start = name(recipe.start);
  }
  if (unsaid("--coordinates")) options.coordinates = coordinates_text(recipe.coordinates);
  if (unsaid("--scale")) options.scale = name(recipe.scaling);
  if (unsaid("--random-starts")) options.random_starts = recipe.random_starts;
}

nlohmann::ordered_json points_json(const PointOptions& options) {
  return {{"structure", options.input.structure},  {"features", options.input.features},
          {"alpha", options.learning.alpha},       {"standardise", options.input.standardise},
          {"size", options.learning.size},         {"atoms", options.learning.atoms},
          {"coordinates", options.coordinates},    {"scale", options.scale},
          {"random_starts", options.random_starts}};
}

std::string points_line(const PointOptions& options) {
  return fmt::format("{} of {} atom{} of {} nodes, {}, features {}, scale {}", options.coordinates,
                     options.learning.atoms, options.learning.atoms == 1 ? "" : "s",
                     options.learning.size, options.input.structure, options.input.features,
                     options.scale);
}

}  // namespace srgw::cli
