// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/dataset_input.hpp"
#include "cli/learning.hpp"
#include "srgw/clustering.hpp"

namespace srgw::cli {

/// Options of the embedding that is clustered.
struct PointWords {
  DatasetInput input;
  LearningOptions learning;
  std::string coordinates = "weights", scale = "auto";
  int random_starts = 0;
};
/// --coordinates, --scale, --random-starts, and the options of datasets and learning.
void add_points(CLI::App& app, PointWords& words);
/// Shows the defaults of ClusterOptions in the help.
void show_cluster_defaults(CLI::App& app);
/// Sets those defaults for options that were not given.
void take_cluster_defaults(const CLI::App& app, PointWords& words);
/// `auto`: quantiles for graphs that are embedded here, blocks for rows of a file or a baseline.
[[nodiscard]] RowScaling scaling_of(const PointWords& words, bool embeds);
/// Options for the library.
[[nodiscard]] ClusterOptions cluster_options(const PointWords& words, int clusters, int tries);
/// The options in use, as JSON and as a line of text.
[[nodiscard]] nlohmann::ordered_json points_json(const PointWords& words, double alpha);
[[nodiscard]] std::string points_line(const PointWords& words);

}  // namespace srgw::cli
