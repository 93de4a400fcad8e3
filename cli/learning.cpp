// SPDX-License-Identifier: MIT
#include "cli/learning.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "cli/exit_code.hpp"
#include "cli/job.hpp"
#include "cli/options.hpp"
#include "cli/solving.hpp"
#include "cli/stopping.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::cli {

Learner learner_of(const LearningOptions& options) {
  if (options.learner == "adam") {
    AdamScheme scheme;
    scheme.start = options.start.value_or(scheme.start);
    scheme.epochs = options.epochs.value_or(scheme.epochs);
    scheme.batch = options.batch.value_or(scheme.batch);
    scheme.steps.learning_rate = options.learning_rate.value_or(scheme.steps.learning_rate);
    scheme.patience = options.early_stopping.value_or(scheme.patience);
    return scheme;
  }
  if (options.learning_rate || options.early_stopping) {
    fail_usage("--learning-rate and --early-stopping require --learner adam or a baseline");
  }
  ClosedForm closed;
  closed.start = options.start.value_or(closed.start);
  closed.epochs = options.epochs.value_or(closed.epochs);
  closed.batch = options.batch.value_or(closed.batch);
  return closed;
}

int epochs_of(const Learner& learner) {
  const auto [trials, epochs] = std::visit(
      [](const auto& options) {
        return std::pair(options.start == AtomStart::both ? 2 : 1, options.epochs);
      },
      learner);
  return trials * epochs;
}

namespace {

/// By the clock of the first rank.
bool is_time_to_save(const LearningOptions& options, double saved) {
  if (options.checkpoint.empty()) return false;
  const bool is_due = seconds_so_far() >= saved + options.checkpoint_every;
  std::array<std::byte, 1> due{is_due ? std::byte{1} : std::byte{0}};
  if (ranks() != nullptr) ranks()->broadcast(due);
  return due[0] != std::byte{0};
}

/// Writes checkpoints. If one cannot be written, learning continues.
class Checkpoints {
 public:
  Checkpoints(const Learning& learning, const LearningOptions& options, const Common& common)
      : learning_(learning), options_(options), common_(common), saved_(seconds_so_far()) {}

  void save() {
    if (options_.checkpoint.empty()) return;
    const io::Archive archive = learning_.checkpoint();
    saved_ = seconds_so_far();
    if (!is_first_rank()) return;
    try {
      archive.write(options_.checkpoint);
      written_ = true;
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::stopped) throw;
      if (!failed_) note(common_, "no checkpoint: {}; learning continues", error.what());
      failed_ = true;
    }
  }
  void save_if_due() {
    if (is_time_to_save(options_, saved_)) save();
  }
  [[nodiscard]] bool never_worked() const { return failed_ && !written_; }

 private:
  const Learning& learning_;
  const LearningOptions& options_;
  const Common& common_;
  double saved_;
  bool written_ = false, failed_ = false;
};

/// One atom, with checkpoints on the way.
Learned learn_atom(const std::vector<Sample>& samples, const Projection& projection,
                   const LearningOptions& options, const Common& common, std::uint64_t seed,
                   bool& lacks_checkpoint) {
  const Learner learner = learner_of(options);
  const Watched watch(common, seed,
                      {.iterations = epochs_of(learner), .unit = ProgressBar::Unit::epoch});
  Run run = watch.run();
  run.ranks = ranks();
  set_task("checking the graphs");
  std::optional<StopScope> limits(std::in_place, run);  // also while the initial atom is made
  Learning learning(samples, options.size, projection, learner, run);
  if (!options.resume.empty()) {
    const io::Archive archive =
        io::Archive::read(options.resume, Learning::checkpoint_kind, Learning::checkpoint_version);
    try {
      learning.resume(archive);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("--resume {}: {}", options.resume, error.what()));
    }
  }
  Checkpoints checkpoints(learning, options, common);
  Learned learned = finish(learning, run, [&] {
    checkpoints.save_if_due();
    return !was_signalled();
  });
  limits.reset();
  if (learned.status == Status::interrupted || learned.status == Status::time_limit) {
    checkpoints.save();
  }
  lacks_checkpoint = checkpoints.never_worked();
  return learned;
}

}  // namespace

void add_learning(CLI::App& app, LearningOptions& options) {
  Options plain(app), problem(app, "Problem"), learning(app, "Learning");
  plain.number("-m,--size", options.size, "Number of nodes of an atom", 1, 100000)->default_str("");
  problem
      .text(
          "--alpha", options.alpha, "X|balanced",
          "Weight of the structure; features have weight 1 - X; balanced: both contribute equally")
      ->check(check_choice({"balanced"}) | check_number(0, 1, false));
  add_sparsity(app, options.sparsity);
  learning.number("--atoms", options.atoms,
                  "Number of atoms; atom i is learned with seed --seed + i", 1, 10000);
  learning.choice(
      "--learner", options.learner, {"closed-form", "adam"},
      "Updates of the atom: its minimum given the plans, or gradient steps as in the paper");
  learning.choice("--atom-start", options.start,
                  "Initial atom. Default: both with --learner closed-form, noise with adam");
  learning.number(
      "--epochs", options.epochs,
      "Maximum number of epochs of each start. Default: 20, 100 with --learner adam, 10 with "
      "--model gwf",
      1);
  learning.number("--batch", options.batch, "Graphs per batch. Default: 32, 100 with --model gwf",
                  1);
  learning.number("--learning-rate", options.learning_rate,
                  "Only with --learner adam or a baseline: step length. Default: 0.01, 0.1 with "
                  "--model gwf");
  learning.number(
      "--early-stopping", options.early_stopping,
      "Only with --learner adam or a baseline: stop after this many evaluations, 5 epochs apart, "
      "without improvement",
      1);
  learning.flag("--strict", options.strict, "Exit with code 4 if learning did not converge");
  add_method_flags(app, options.flags);
  add_seed(app, options.seed);
}

void add_checkpoint(CLI::App& app, LearningOptions& options) {
  Options learning(app, "Learning");
  learning.text("--checkpoint", options.checkpoint, "FILE.npz", "Checkpoint file to write");
  learning
      .number("--checkpoint-every", options.checkpoint_every, "Time between checkpoints in seconds")
      ->type_name("S");
  learning.text("--resume", options.resume, "FILE.npz",
                "Checkpoint file to continue from, with the same options");
}

std::optional<double> LearningOptions::given_alpha() const {
  return alpha == "balanced" ? std::nullopt : to_number(alpha);
}

double alpha_of(const LearningOptions& options, const DatasetSamples& data, const Common& common) {
  const std::optional<double> given = options.given_alpha();
  const Index columns = data.features.columns();
  if (columns == 0) return given.value_or(Projection{}.alpha);
  const FusedTerms terms = fused_terms(data.samples, columns, ranks());
  if (!given) return terms.balanced_alpha();
  if (const std::string found = drowned_term(terms, *given); !found.empty()) {
    note(common, "{}", found);
  }
  return *given;
}

double LearnedModel::loss() const {
  double sum = 0;
  for (const Learned& one : learned) sum += one.loss;
  return sum / static_cast<double>(learned.size());
}

LearnedModel learn_model(const DatasetSamples& data, const DatasetInput& input,
                         const LearningOptions& options, const Common& common) {
  if (options.atoms > 1 && !(options.checkpoint.empty() && options.resume.empty())) {
    fail_usage("--checkpoint and --resume with {} atoms, expected one", options.atoms);
  }
  if (!options.checkpoint.empty()) check_folder_of(options.checkpoint);
  const Projection projection{.alpha = alpha_of(options, data, common),
                              .sparsity = options.sparsity,
                              .method = method_from_flags(options.flags)};
  LearnedModel result{
      {{.features = data.features, .structure = input.structure, .node_weights = input.weights},
       projection,
       data.share.total},
      {}};
  for (std::uint64_t a = 0; a < static_cast<std::uint64_t>(options.atoms); ++a) {
    result.learned.push_back(learn_atom(data.samples, projection, options, common, options.seed + a,
                                        result.lacks_checkpoint));
    result.model.atoms.push_back(result.learned.back().atom);
    result.model.unit = result.learned.back().unit;
    if (was_signalled() || result.learned.back().status == Status::time_limit) break;
  }
  return result;
}

int exit_code(Status status, const LearningOptions& options, const Common& common) {
  return exit_code(common, status, options.strict,
                   status == Status::iteration_limit ? "more --epochs may lower the loss"
                                                     : "more time may lower the loss");
}

}  // namespace srgw::cli
