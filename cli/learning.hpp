// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/dataset_input.hpp"
#include "cli/method_flags.hpp"
#include "srgw/clustering.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::cli {

/// How a dictionary is learned, as it was given.
struct LearningOptions {
  Index size = 0;
  int atoms = 1;
  std::string alpha = "0.5";  ///< a number, or `balanced`
  double sparsity = 0;
  std::string learner = "closed-form";
  std::optional<AtomStart> start;
  std::optional<int> epochs, batch, early_stopping;
  std::optional<double> learning_rate;
  std::string checkpoint, resume;
  bool strict = false;
  double checkpoint_every = 60;
  std::uint64_t seed = 0;
  MethodFlags flags;

  /// Nothing: balanced.
  [[nodiscard]] std::optional<double> given_alpha() const;
};
void add_learning(CLI::App& app, LearningOptions& options);
/// The value of --alpha for these graphs. Prints a note if features or structures hardly count.
[[nodiscard]] double alpha_of(const LearningOptions& options, const DatasetSamples& data,
                              const Common& common);
/// Throws a usage error for options of the other learner.
[[nodiscard]] Learner learner_of(const LearningOptions& options);
/// Epochs of all starts, without those after jumps.
[[nodiscard]] int epochs_of(const Learner& learner);
/// --checkpoint, --resume and how often.
void add_checkpoint(CLI::App& app, LearningOptions& options);

/// The atoms, one for each seed from --seed on.
struct LearnedModel {
  Dictionary model;
  std::vector<Learned> learned;   ///< of each atom
  bool lacks_checkpoint = false;  ///< none could be written
  [[nodiscard]] Status status() const { return worst_status(learned); }
  [[nodiscard]] double loss() const;  ///< mean of the atoms
};
/// Throws a usage error for options that no dataset fits. Ctrl-C and the time limit end the run
/// with the best result so far.
[[nodiscard]] LearnedModel learn_model(const DatasetSamples& data, const DatasetInput& input,
                                       const LearningOptions& options, const Common& common);

[[nodiscard]] int exit_code(Status status, const LearningOptions& options, const Common& common);

}  // namespace srgw::cli
