// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/common.hpp"
#include "cli/reading.hpp"
#include "srgw/dictionary.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

/// Options that describe a dataset.
struct DatasetInput {
  std::string path;
  std::string structure = "adjacency", weights;
  FeatureOptions features;
  Reading reading;
};
void add_dataset_path(CLI::App& app, DatasetInput& input);
/// --structure, --weights, --features and --standardise, which a model file already has.
void add_dataset_problem(CLI::App& app, DatasetInput& input);

/// A dataset and its graphs as samples.
struct DatasetSamples {
  Dataset dataset;
  FeatureMap features;
  std::vector<Sample> samples;
  io::Share share = {};  ///< the graphs of this rank
};
/// With ranks, each reads its share.
[[nodiscard]] DatasetSamples read_samples(const DatasetInput& input, const Common& common,
                                          Ranks* ranks = nullptr);
/// Names of the graphs of all ranks, on the first rank; empty if they have none.
[[nodiscard]] std::vector<std::string> names_of_all(const DatasetSamples& data, Ranks* ranks);
/// Throws when the path is a file that holds no dataset.
void check_dataset_path(const std::string& path);
/// Says which labels a model does not know.
void note_unknown_labels(const FeatureMap& map, const Dataset& dataset, const Common& common);
/// With the structure and features of a model.
[[nodiscard]] DatasetSamples read_samples(const DatasetInput& input, const AtomModel& model,
                                          const Common& common);
/// The structure and weights of a model.
[[nodiscard]] Transform transform_of(const AtomModel& model);

/// .npy, or .csv or .tsv with the name of each row; without names its number. `first_column` is the
/// header of the names.
void write_rows(const Matrix& rows, const std::string& file, const std::vector<std::string>& names,
                const std::string& first_column = "graph");
/// A row for each graph, on several ranks for each graph of their share.
void write_rows(const Matrix& rows, const DatasetSamples& data, Ranks* ranks,
                const std::string& file);
/// Throws a usage error for another file extension.
void check_rows_file(const std::string& file);

/// Throws a usage error on several ranks; `what` is an option that needs one process.
void refuse_on_ranks(const std::string& what);

}  // namespace srgw::cli
