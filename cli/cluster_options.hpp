// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/dataset_input.hpp"
#include "cli/learning.hpp"
#include "srgw/cluster_recipe.hpp"

namespace srgw::cli {

/// How graphs become points, as it was given.
struct PointOptions {
  DatasetInput input;
  LearningOptions learning;
  std::string coordinates = "weights", scale = "blocks";
  int random_starts = 0;
};
/// --coordinates, --scale, --random-starts, and all that a dataset and its learning ask
/// for.
void add_points(CLI::App& app, PointOptions& options);
/// What the help says of options that the recipe has a say in.
void tell_of_recipe(CLI::App& app, const ClusterRecipe& recipe);
/// The recipe where nothing was said.
void take_recipe(const CLI::App& app, const ClusterRecipe& recipe, PointOptions& options);
/// The same for alpha, which depends on the graphs.
void take_alpha(const CLI::App& app, const ClusterRecipe& recipe, const DatasetSamples& data,
                PointOptions& options);
/// What became of it: for the result, and as a line.
[[nodiscard]] nlohmann::ordered_json points_json(const PointOptions& options);
[[nodiscard]] std::string points_line(const PointOptions& options);

}  // namespace srgw::cli
