// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cli/dataset_input.hpp"
#include "cli/learning.hpp"
#include "srgw/embedding.hpp"
#include "srgw/factorization.hpp"
#include "srgw/graph_kmeans.hpp"
#include "srgw/linear_dictionary.hpp"

namespace srgw::cli {

/// What --model and --method name besides srgw: mixtures (gdl), factorizations (gwf) and k-means
/// on graphs (gw-kmeans), options as they were given.
struct RivalOptions {
  std::string model = "srgw";
  double regularisation = 0;
};
void add_rivals(CLI::App& app, RivalOptions& options);
[[nodiscard]] inline bool is_rival(const RivalOptions& options) { return options.model != "srgw"; }

using RivalModel = std::variant<LinearDictionary, Factorization, GraphCentres>;

struct LearnedRival {
  RivalModel model;
  Matrix rows;  ///< shares of the atoms
  double loss = 0;
  std::vector<double> losses = {};
  int epochs = 0;
  Status status = Status::iteration_limit;
};
/// Throws a usage error for options of srgw alone; Ctrl-C and the time limit end the run.
[[nodiscard]] LearnedRival learn_rival(const DatasetSamples& data, const DatasetInput& input,
                                       const RivalOptions& rival, const LearningOptions& options,
                                       const Common& common);
[[nodiscard]] GraphClusters cluster_by_graphs(const DatasetSamples& data, int clusters,
                                              const LearningOptions& options, const Common& common);

void save(const RivalModel& model, const std::string& file);
/// The model of a file when it is one of these; nothing when it is an srgw dictionary. Throws when
/// it is neither.
[[nodiscard]] std::optional<RivalModel> load_rival(const std::string& file);
/// Words that read_samples knows, without atoms.
[[nodiscard]] Dictionary data_words(const RivalModel& model);

/// Rows are shares (metric: with the distances of mixtures), or divergences to centres.
[[nodiscard]] Embedding embed_rival(const RivalModel& model, const std::vector<Sample>& samples,
                                    const std::string& coordinates, const Common& common);

}  // namespace srgw::cli
