// SPDX-License-Identifier: MIT
#include "cli/rivals.hpp"

#include <algorithm>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_bar.hpp"
#include "cli/solving.hpp"

namespace srgw::cli {

namespace {

/// What only srgw dictionaries read.
void refuse_foreign(const RivalOptions& rival, const LearningOptions& options) {
  const std::pair<const char*, bool> given[] = {
      {"--sparsity", options.sparsity != 0},
      {"--learner", options.learner != "closed-form"},
      {"--atom-start", !options.start.empty()},
      {"--early-stopping", options.early_stopping.has_value()},
      {"--checkpoint", !options.checkpoint.empty()},
      {"--resume", !options.resume.empty()}};
  for (const auto& [flag, is_given] : given) {
    if (is_given) fail_usage("{} is an option of srgw dictionaries, not of {}", flag, rival.model);
  }
  for (const auto& [flag, text] : options.flags) {
    if (rival.model == "gwf" && flag == "epsilon") continue;
    std::string word = flag;
    std::ranges::replace(word, '_', '-');
    fail_usage("--{} is an option of srgw dictionaries, not of {}", word, rival.model);
  }
}

/// Epochs are shown, and Ctrl-C ends them.
class WatchedEpochs {
 public:
  WatchedEpochs(const LearningOptions& options, const Common& common, int epochs)
      : bar_(when_from_text(options.progress, common.quiet), 1, epochs, ProgressBar::Unit::epoch),
        run_{.threads = common.threads,
             .seed = options.seed,
             .time_limit = time_left(options.time_limit),
             .observer = [this](const Progress& progress) {
               bar_.show(progress);
               return !InterruptGuard::interrupted();
             }} {}

  [[nodiscard]] const Run& run() const { return run_; }

 private:
  InterruptGuard guard_;
  ProgressBar bar_;
  Run run_;
};

template <class Model>
void note_words(Model& model, const DatasetSamples& data, const DatasetInput& input) {
  model.features = data.features;
  model.structure = input.structure;
  model.node_weights = input.weights;
}

LearnedRival learn_mixtures(const DatasetSamples& data, const DatasetInput& input,
                            const RivalOptions& rival, const LearningOptions& options,
                            const Common& common) {
  if (options.size == 0) fail_usage("--size is missing, the nodes of the atoms");
  LinearScheme scheme;
  scheme.epochs = options.epochs.value_or(scheme.epochs);
  scheme.batch = options.batch.value_or(scheme.batch);
  scheme.steps.learning_rate = options.learning_rate.value_or(scheme.steps.learning_rate);
  const Unmixing unmixing{.alpha = options.alpha, .regularisation = rival.regularisation};
  const WatchedEpochs watched(options, common, scheme.epochs);
  LearnedLinear learned =
      learn_linear(data.samples, options.atoms, options.size, unmixing, scheme, watched.run());
  note_words(learned.dictionary, data, input);
  return {std::move(learned.dictionary),
          std::move(learned.unmixed.shares),
          learned.unmixed.mean_value,
          std::move(learned.losses),
          learned.epochs,
          learned.status};
}

LearnedRival learn_factors(const DatasetSamples& data, const DatasetInput& input,
                           const RivalOptions& rival, const LearningOptions& options,
                           const Common& common) {
  if (rival.regularisation != 0) fail_usage("--regularisation is an option of gdl, not of gwf");
  FactorScheme scheme;
  scheme.epochs = options.epochs.value_or(scheme.epochs);
  scheme.batch = options.batch.value_or(scheme.batch);
  scheme.steps.learning_rate = options.learning_rate.value_or(scheme.steps.learning_rate);
  Factoring factoring{.alpha = options.alpha};
  if (const auto epsilon = options.flags.find("epsilon"); epsilon != options.flags.end()) {
    const auto number = to_number(epsilon->second);
    if (!number || !(*number > 0)) {
      fail_usage("--epsilon '{}', expected a number above 0", epsilon->second);
    }
    factoring.epsilon = *number;
  }
  const WatchedEpochs watched(options, common, scheme.epochs);
  LearnedFactorization learned = learn_factorization(data.samples, options.atoms, options.size,
                                                     factoring, scheme, watched.run());
  note_words(learned.model, data, input);
  return {std::move(learned.model),
          std::move(learned.factored.shares),
          learned.factored.mean_value,
          std::move(learned.losses),
          learned.epochs,
          learned.status};
}

}  // namespace

void add_rivals(CLI::App& app, RivalOptions& options) {
  app.add_option("--model", options.model,
                 "What is learned: one target graph (srgw), mixtures of --atoms atoms (gdl) or "
                 "barycenters of them (gwf; without --size of the sizes of graphs)")
      ->type_name("srgw|gdl|gwf")
      ->check(silent(CLI::IsMember({"srgw", "gdl", "gwf"})))
      ->capture_default_str();
  app.add_option("--regularisation", options.regularisation,
                 "Of gdl: above 0 graphs are mixtures of fewer atoms")
      ->type_name("X")
      ->check(silent(CLI::NonNegativeNumber))
      ->capture_default_str()
      ->group("Problem");
}

LearnedRival learn_rival(const DatasetSamples& data, const DatasetInput& input,
                         const RivalOptions& rival, const LearningOptions& options,
                         const Common& common) {
  refuse_foreign(rival, options);
  tell_of_drowned_term(data, options.alpha, common);
  return rival.model == "gdl" ? learn_mixtures(data, input, rival, options, common)
                              : learn_factors(data, input, rival, options, common);
}

GraphClusters cluster_by_graphs(const DatasetSamples& data, int clusters,
                                const LearningOptions& options, const Common& common) {
  refuse_foreign({.model = "gw-kmeans"}, options);
  tell_of_drowned_term(data, options.alpha, common);
  const GraphKMeans method{
      .clusters = clusters, .size = static_cast<int>(options.size), .alpha = options.alpha};
  const WatchedEpochs watched(options, common, method.max_rounds);
  return cluster_graphs(data.samples, method, watched.run());
}

void save(const RivalModel& model, const std::string& file) {
  std::visit([&](const auto& one) { srgw::save(one, file); }, model);
}

std::optional<RivalModel> load_rival(const std::string& file) {
  const io::Archive archive = io::Archive::read(file, "", 1);
  const std::string& kind = archive.kind();
  if (kind == "linear_dictionary") return linear_dictionary_from(archive);
  if (kind == "factorization") return factorization_from(archive);
  if (kind == "graph_centres") return graph_centres_from(archive);
  return {};
}

Dictionary data_words(const RivalModel& model) {
  return std::visit(
      [](const auto& one) {
        return Dictionary{
            .features = one.features, .structure = one.structure, .node_weights = one.node_weights};
      },
      model);
}

Embedding embed_rival(const RivalModel& model, const std::vector<Sample>& samples,
                      const std::string& coordinates, const Common& common) {
  const Run run{.threads = common.threads};
  const auto* mixtures = std::get_if<LinearDictionary>(&model);
  const bool metric = coordinates == "metric" && mixtures != nullptr;
  if (coordinates != "weights" && !metric) {
    fail_usage("--coordinates {} of this model, expected weights{}", coordinates,
               mixtures != nullptr ? " or metric" : "");
  }
  const auto column = [](const std::vector<double>& values) {
    return Matrix(Eigen::Map<const Vector>(values.data(), std::ssize(values)));
  };
  if (mixtures != nullptr) {
    UnmixedSet found = unmix(*mixtures, samples, run);
    return {metric ? metric_rows(*mixtures, found.shares) : std::move(found.shares),
            column(found.values), found.mean_value};
  }
  if (const auto* factors = std::get_if<Factorization>(&model)) {
    Factored found = factor(*factors, samples, run);
    return {std::move(found.shares), column(found.values), found.mean_value};
  }
  Matrix rows = divergences(std::get<GraphCentres>(model), samples, run);
  const Matrix values = rows.rowwise().minCoeff();
  return {std::move(rows), values, values.rows() > 0 ? values.mean() : 0.0};
}

}  // namespace srgw::cli
