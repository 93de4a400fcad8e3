// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/sampling.hpp"
#include "baselines/gdl/start.hpp"
#include "baselines/gwf/factorer.hpp"
#include "dictionary/adam.hpp"
#include "dictionary/batches.hpp"
#include "dictionary/training_set.hpp"
#include "solve/watch.hpp"
#include "srgw/factorization.hpp"

namespace srgw {

using detail::fail_argument;

namespace {

std::vector<Atom> graphs_of_all_sizes(std::span<const Sample> samples, Index atoms,
                                      std::uint64_t seed) {
  detail::Random random = detail::stream(seed, detail::Draw::start, 0);
  std::vector<Atom> result;
  for (Index s = 0; s < atoms; ++s) {
    const Sample& sample = samples[random.below(samples.size())];
    result.push_back({sample.source.structure.dense(), sample.features});
  }
  return result;
}

/// Atoms as the optimiser sees them: logits of the structures, features as they are.
class AtomLogits {
 public:
  AtomLogits(std::vector<Atom> start, double top, const FactorScheme& scheme)
      : logits_(std::move(start)), top_(top), steps_(scheme.steps) {
    for (Atom& atom : logits_) {
      moments_.emplace_back(atom.size(), atom.features.cols());
      atom.structure /= top_;  // the author starts from the matrices of graphs themselves
    }
  }

  [[nodiscard]] std::vector<Atom> atoms() const {
    std::vector<Atom> result = logits_;
    for (Atom& atom : result) atom.structure = top_ * logistic(atom.structure);
    return result;
  }

  void step(std::vector<Atom>& gradients) {
    for (std::size_t s = 0; s < logits_.size(); ++s) {
      const Matrix sigma = logistic(logits_[s].structure);
      const Matrix slope = top_ * sigma.cwiseProduct(Matrix((1 - sigma.array()).matrix()));
      gradients[s].structure = gradients[s].structure.cwiseProduct(slope).eval();
      detail::adam_step(steps_, gradients[s], false, moments_[s], logits_[s]);
    }
  }

 private:
  static Matrix logistic(const Matrix& z) { return (1 / (1 + (-z.array()).exp())).matrix(); }

  std::vector<Atom> logits_;
  double top_;
  AdamSteps steps_;
  std::vector<detail::AdamMoments> moments_;
};

/// The sum of the values of a batch; gradients are means.
double batch_gradients(std::span<const Sample> samples, std::span<const std::size_t> batch,
                       double alpha, detail::Factorer& factorer, std::vector<Atom>& gradients) {
  std::vector<detail::FactoredGraph> factored(batch.size());
  detail::parallel_for(std::ssize(batch), factorer.threads(), [&](Index b, int worker) {
    const std::size_t place = b;
    factored[place] = factorer.factor(worker, samples[batch[place]]);
  });
  for (Atom& gradient : gradients) {
    gradient.structure.setZero();
    gradient.features.setZero();
  }
  double sum = 0;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    detail::add_gradients(samples[batch[b]], factored[b], alpha, gradients);
    sum += factored[b].value;
  }
  for (Atom& gradient : gradients) {
    gradient.structure /= static_cast<double>(batch.size());
    gradient.features /= static_cast<double>(batch.size());
  }
  return sum;
}

}  // namespace

LearnedFactorization learn_factorization(std::span<const Sample> samples, Index atoms, Index size,
                                         const Factoring& factoring, const FactorScheme& scheme,
                                         const Run& run) {
  if (atoms < 1) fail_argument("there are to be {} atoms, expected at least 1", atoms);
  if (size < 0) fail_argument("size of the atoms is {}, expected 0 or more", size);
  check_fields(factoring);
  check_fields(scheme);
  const detail::TrainingSet set =
      detail::checked_training_set(samples, std::max<Index>(size, 1), {.alpha = factoring.alpha});
  if (!set.non_negative) {
    fail_argument(
        "structures have entries below 0, which atoms of a factorization cannot have; "
        "expected adjacency or another non-negative structure");
  }
  double top = 0;
  for (const Sample& sample : samples) {
    top = std::max(top, sample.source.structure.largest_entry());
  }
  AtomLogits logits(
      size == 0 ? graphs_of_all_sizes(samples, atoms, run.seed)
                : detail::starting_atoms(samples, atoms, size, LinearStart::graphs, run.seed),
      top > 0 ? top : 1.0, scheme);
  detail::Factorer factorer(factoring, detail::resolve_threads(run.threads));
  const std::size_t batch = std::min(samples.size(), static_cast<std::size_t>(scheme.batch));
  const std::size_t batches = (samples.size() + batch - 1) / batch;

  LearnedFactorization result;
  result.model.factoring = factoring;
  double best = std::numeric_limits<double>::infinity();
  detail::Watch watch(run);
  std::vector<Progress> trace;
  std::optional<Status> stopped;
  for (std::uint64_t number = 0; !stopped && result.epochs < scheme.epochs; ++result.epochs) {
    double sum = 0;
    for (std::size_t b = 0; b < batches; ++b, ++number) {
      std::vector<Atom> gradients = logits.atoms();
      factorer.set_atoms(gradients);
      sum += batch_gradients(samples, detail::drawn_batch(samples.size(), batch, run.seed, number),
                             factoring.alpha, factorer, gradients);
      logits.step(gradients);
    }
    const double loss = sum / static_cast<double>(batches * batch);
    result.losses.push_back(loss);
    if (loss < best) {
      best = loss;
      result.model.atoms = logits.atoms();
    }
    stopped = watch.report({.iteration = result.epochs + 1, .value = loss}, trace);
  }
  result.factored = factor(result.model, samples, run);
  result.status = stopped.value_or(Status::iteration_limit);
  return result;
}

}  // namespace srgw
