// SPDX-License-Identifier: MIT
#include "cli/baselines.hpp"

#include <algorithm>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace srgw::cli {

namespace {

/// Refuses options of srgw dictionaries.
void refuse_foreign(const BaselineOptions& baseline, const LearningOptions& options) {
  const std::pair<const char*, bool> given[] = {{"--sparsity", options.sparsity != 0},
                                                {"--learner", options.learner != "closed-form"},
                                                {"--atom-start", options.start.has_value()},
                                                {"--checkpoint", !options.checkpoint.empty()},
                                                {"--resume", !options.resume.empty()}};
  for (const auto& [flag, is_given] : given) {
    if (is_given)
      fail_usage("{} is an option of srgw dictionaries, not of {}", flag, baseline.model);
  }
  for (const auto& [flag, text] : options.flags) {
    if (baseline.model == "gwf" && flag == "epsilon") continue;
    std::string word = flag;
    std::ranges::replace(word, '_', '-');
    fail_usage("--{} is an option of srgw dictionaries, not of {}", word, baseline.model);
  }
}

Watched watched(const LearningOptions& options, const Common& common, int epochs) {
  return {common, options.seed, {.iterations = epochs, .unit = ProgressBar::Unit::epoch}};
}

void note_origin(AtomModel& model, const DatasetSamples& data, const DatasetInput& input) {
  model.features = data.features;
  model.structure = input.structure;
  model.node_weights = input.weights;
}

/// Sets epochs, batch size and learning rate if they were given.
template <class Scheme>
Scheme scheme_of(const LearningOptions& options) {
  Scheme scheme;
  scheme.epochs = options.epochs.value_or(scheme.epochs);
  scheme.batch = options.batch.value_or(scheme.batch);
  scheme.patience = options.early_stopping.value_or(scheme.patience);
  scheme.steps.learning_rate = options.learning_rate.value_or(scheme.steps.learning_rate);
  return scheme;
}

Unmixing unmixing_of(const BaselineOptions& baseline, const LearningOptions& options,
                     double alpha) {
  if (options.size == 0) fail_usage("--size is required: the nodes of an atom");
  return {.alpha = alpha, .regularisation = baseline.regularisation};
}

Factoring factoring_of(const BaselineOptions& baseline, const LearningOptions& options,
                       double alpha) {
  if (baseline.regularisation != 0) fail_usage("--regularisation is an option of gdl, not of gwf");
  Factoring factoring{.alpha = alpha};
  if (const auto epsilon = options.flags.find("epsilon"); epsilon != options.flags.end()) {
    const auto number = to_number(epsilon->second);
    if (!number || !(*number > 0)) {
      fail_usage("--epsilon '{}', expected a number above 0", epsilon->second);
    }
    factoring.epsilon = *number;
  }
  return factoring;
}

}  // namespace

void add_baselines(CLI::App& app, BaselineOptions& options) {
  Options(app).choice("--model", options.model, {"srgw", "gdl", "gwf"},
                      "srgw: one target graph; gdl: mixtures of --atoms atoms; gwf: barycenters of "
                      "--atoms atoms, which without --size have the sizes of graphs");
  Options(app, "Problem")
      .number("--regularisation", options.regularisation,
              "Only with --model gdl: above 0 graphs are mixtures of fewer atoms");
}

AnyLearned learn_baseline(const DatasetSamples& data, const DatasetInput& input,
                          const BaselineOptions& baseline, const LearningOptions& options,
                          const Common& common) {
  refuse_foreign(baseline, options);
  const double alpha = alpha_of(options, data, common);
  const auto learned = [&](const auto& how, const auto& scheme) {
    const Watched watch = watched(options, common, scheme.epochs);
    auto result = learn(data.samples, how, options.atoms, options.size, scheme, watch.run());
    note_origin(result.model, data, input);
    return result;
  };
  if (baseline.model == "gdl") {
    return learned(unmixing_of(baseline, options, alpha), scheme_of<LinearScheme>(options));
  }
  return learned(factoring_of(baseline, options, alpha), scheme_of<FactorScheme>(options));
}

GraphClusters cluster_by_graphs(const DatasetSamples& data, int clusters,
                                const LearningOptions& options, const Common& common) {
  refuse_foreign({.model = "gw-kmeans"}, options);
  const GraphKMeansOptions method{.clusters = clusters,
                                  .size = static_cast<int>(options.size),
                                  .alpha = alpha_of(options, data, common)};
  const Watched watch = watched(options, common, method.max_rounds);
  return learn(data.samples, method, watch.run());
}

}  // namespace srgw::cli
