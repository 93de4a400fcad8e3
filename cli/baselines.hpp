// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/learning.hpp"
#include "cli/stopping.hpp"
#include "srgw/baselines.hpp"

namespace srgw::cli {

/// Options of the baselines: mixtures (gdl), factorizations (gwf) and k-means on graphs
/// (gw-kmeans).
struct BaselineOptions {
  std::string model = "srgw";
  double regularisation = 0;
};
void add_baselines(CLI::App& app, BaselineOptions& options);
[[nodiscard]] inline bool is_baseline(const BaselineOptions& options) {
  return options.model != "srgw";
}

using AnyLearned = std::variant<LearnedBaseline<LinearDictionary>, LearnedBaseline<Factorization>>;
/// Throws a usage error for options of srgw dictionaries.
[[nodiscard]] AnyLearned learn_baseline(const DatasetSamples& data, const DatasetInput& input,
                                        const BaselineOptions& baseline,
                                        const LearningOptions& options, const Common& common);
[[nodiscard]] GraphClusters cluster_by_graphs(const DatasetSamples& data, int clusters,
                                              const LearningOptions& options, const Common& common);

/// Rows are shares (metric: with the distances of mixtures), or divergences to centres.
template <class Model>
[[nodiscard]] Embedding embed_baseline(const Model& model, const std::vector<Sample>& samples,
                                       const std::string& coordinates, const Common& common) {
  constexpr bool mixtures = std::is_same_v<Model, LinearDictionary>;
  const bool metric = coordinates == "metric" && mixtures;
  if (coordinates != "weights" && !metric) {
    fail_usage("--coordinates {} of this model, expected weights{}", coordinates,
               mixtures ? " or metric" : "");
  }
  Embedding found = embed(model, samples, Watched(common, 0, {}).run());
  if constexpr (mixtures) {
    if (metric) found.coordinates = metric_rows(model, found.coordinates);
  }
  return found;
}

}  // namespace srgw::cli
