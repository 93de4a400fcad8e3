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

/// A dataset and what is to be made of its graphs, as it was given.
struct DatasetInput {
  std::string path;
  std::string structure = "adjacency", weights;
  FeatureOptions features;
  Reading reading;
};
void add_dataset_path(CLI::App& app, DatasetInput& input);
/// --structure, --weights, --features, --standardise: what a model knows already.
void add_dataset_problem(CLI::App& app, DatasetInput& input);

/// A dataset that was read, and its graphs as dictionaries see them.
struct DatasetSamples {
  Dataset dataset;
  FeatureMap features;
  std::vector<Sample> samples;
  io::Share share = {};  ///< which graphs these are
};
/// Of all ranks, where they are given, each its share.
[[nodiscard]] DatasetSamples read_samples(const DatasetInput& input, const Common& common,
                                          Ranks* ranks = nullptr);
/// Names of the graphs of all ranks, on the first rank; empty if they have none.
[[nodiscard]] std::vector<std::string> names_of_all(const DatasetSamples& data, Ranks* ranks);
/// Throws when the path is a file that holds no dataset.
void check_dataset_path(const std::string& path);
/// The same as the model wants it.
[[nodiscard]] DatasetSamples read_samples(const DatasetInput& input, const AtomModel& model,
                                          const Common& common);
/// What a model makes of graphs.
[[nodiscard]] Transform transform_of(const AtomModel& model);

/// .npy, or .csv or .tsv with the name of each row; without names its number.
void write_rows(const Matrix& rows, const std::string& file,
                const std::vector<std::string>& names = {});
/// A row for each graph, on several ranks for each graph of their share.
void write_rows(const Matrix& rows, const DatasetSamples& data, Ranks* ranks,
                const std::string& file);
/// Throws a usage error when the ending is another one.
void check_rows_file(const std::string& file);

/// Throws a usage error when there are several ranks; `what` is an option that does not spread.
void refuse_on_ranks(const std::string& what);

}  // namespace srgw::cli
