// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/sampling.hpp"
#include "base/stop.hpp"
#include "baselines/gdl/start.hpp"
#include "baselines/gwf/factorer.hpp"
#include "baselines/learning.hpp"
#include "dictionary/adam.hpp"
#include "dictionary/batches.hpp"
#include "dictionary/training_set.hpp"
#include "srgw/baselines.hpp"

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

/// FactorSteps on the atoms as the optimiser sees them: logits of the structures, features as they
/// are.
class FactorSteps {
 public:
  FactorSteps(std::span<const Sample> samples, std::vector<Atom> start, double top,
              const Factoring& factoring, const AdamSteps& steps, int threads)
      : samples_(samples),
        logits_(std::move(start)),
        top_(top),
        alpha_(factoring.alpha),
        steps_(steps),
        factorer_(factoring, threads) {
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

  /// Gives the sum of the values of the batch before the step.
  double step(std::span<const std::size_t> batch) {
    std::vector<Atom> gradients = atoms();
    factorer_.set_atoms(gradients);
    const double sum = set_gradients(batch, gradients);
    for (std::size_t s = 0; s < logits_.size(); ++s) {
      const Matrix sigma = logistic(logits_[s].structure);
      const Matrix slope = top_ * sigma.cwiseProduct(Matrix((1 - sigma.array()).matrix()));
      gradients[s].structure = gradients[s].structure.cwiseProduct(slope).eval();
      detail::adam_step(steps_, gradients[s], false, moments_[s], logits_[s]);
    }
    return sum;
  }

 private:
  static Matrix logistic(const Matrix& z) { return (1 / (1 + (-z.array()).exp())).matrix(); }

  /// Gradients are means over the batch; gives the sum of its values.
  double set_gradients(std::span<const std::size_t> batch, std::vector<Atom>& gradients) {
    std::vector<detail::FactoredGraph> factored(batch.size());
    detail::parallel_for(std::ssize(batch), factorer_.threads(), [&](Index b, int worker) {
      const std::size_t place = b;
      factored[place] = factorer_.factor(worker, samples_[batch[place]]);
    });
    detail::throw_if_stopped();  // a solve that was cut short would leave a trace
    for (Atom& gradient : gradients) {
      gradient.structure.setZero();
      gradient.features.setZero();
    }
    double sum = 0;
    for (std::size_t b = 0; b < batch.size(); ++b) {
      detail::add_gradients(samples_[batch[b]], factored[b], alpha_, gradients);
      sum += factored[b].value;
    }
    for (Atom& gradient : gradients) {
      gradient.structure /= static_cast<double>(batch.size());
      gradient.features /= static_cast<double>(batch.size());
    }
    return sum;
  }

  std::span<const Sample> samples_;
  std::vector<Atom> logits_;
  double top_, alpha_;
  AdamSteps steps_;
  std::vector<detail::AdamMoments> moments_;
  detail::Factorer factorer_;
};

}  // namespace

LearnedBaseline<Factorization> learn(std::span<const Sample> samples, const Factoring& factoring,
                                     Index atoms, Index size, const FactorScheme& scheme,
                                     const Run& run) {
  if (atoms < 1) fail_argument("there are to be {} atoms, expected at least 1", atoms);
  if (size < 0) fail_argument("size of the atoms is {}, expected 0 or more", size);
  check_fields(factoring);
  check_fields(scheme);
  const StopScope scope(run);
  if (const int exponent = detail::scale_exponent(samples, factoring.alpha); exponent != 0) {
    auto found = learn(detail::times_power_of_two(samples, -exponent), factoring, atoms, size,
                       scheme, detail::with_values_times(run, 2 * exponent));
    detail::bring_back(found, exponent);
    return found;
  }
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
  FactorSteps steps(
      samples,
      size == 0 ? graphs_of_all_sizes(samples, atoms, run.seed)
                : detail::starting_atoms(samples, atoms, size, LinearStart::graphs, run.seed),
      top > 0 ? top : 1.0, factoring, scheme.steps, detail::resolve_threads(run.threads));
  // With product plans the barycenter has one entry, the mean of the atoms.
  const auto trivial = [&](const Factorization& model) {
    const Vector shares = uniform_weights(atoms);
    Atom mean{Matrix::Zero(1, 1), Matrix::Zero(1, model.columns())};
    for (const Atom& atom : model.atoms) {
      mean.structure.array() += shares[0] * atom.structure.mean();
      if (model.columns() > 0) mean.features += shares[0] * atom.features.colwise().mean();
    }
    return detail::embed_each(
        samples, atoms, detail::resolve_threads(run.threads), [&](int, const Sample& sample) {
          return std::pair(
              shares, detail::product_value(sample, mean, uniform_weights(1), factoring.alpha));
        });
  };
  return detail::learn_epochs(
      Factorization{{}, factoring}, samples, steps,
      {scheme.epochs, scheme.batch, true, scheme.evaluate_every, scheme.patience}, run, trivial);
}

}  // namespace srgw
