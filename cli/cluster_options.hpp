// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/dataset_input.hpp"
#include "cli/learning.hpp"
#include "srgw/clustering.hpp"

namespace srgw::cli {

/// How graphs become points, as it was given.
struct PointWords {
  DatasetInput input;
  LearningOptions learning;
  std::string coordinates = "weights", scale = "auto";
  int random_starts = 0;
};
/// --coordinates, --scale, --random-starts, and all that a dataset and its learning ask for.
void add_points(CLI::App& app, PointWords& words);
/// Prints in the help the defaults in which ClusterOptions differs from `learn`.
void show_cluster_defaults(CLI::App& app);
/// Those defaults where nothing was given.
void take_cluster_defaults(const CLI::App& app, PointWords& words);
/// `auto` is quantiles for graphs that are embedded here, and blocks for rows of a file or of
/// another model.
[[nodiscard]] RowScaling scaling_of(const PointWords& words, bool embeds);
/// Options for the library.
[[nodiscard]] ClusterOptions cluster_options(const PointWords& words, int clusters, int tries);
/// What became of it: for the result, and as a line.
[[nodiscard]] nlohmann::ordered_json points_json(const PointWords& words, double alpha);
[[nodiscard]] std::string points_line(const PointWords& words);

}  // namespace srgw::cli
