// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "baselines/gdl/start.hpp"
#include "baselines/gdl/unmixer.hpp"
#include "baselines/learning.hpp"
#include "dictionary/adam.hpp"
#include "dictionary/training_set.hpp"
#include "srgw/baselines.hpp"

namespace srgw {

using detail::fail_argument;
using detail::Mixture;

namespace {

/// Gradients in all atoms of the mean value with shares and plans held fixed:
///     B_s: 2 alpha / |b| sum_k w_ks (Bmix_k o hbar hbar' - T_k'C_k T_k)
///     X_s: 2 (1 - alpha) / |b| sum_k w_ks (diag(hbar) Xmix_k - T_k'F_k).
/// The mixtures are linear in the atoms: sum_k w_ks Bmix_k = sum_t (sum_k w_ks w_kt) B_t.
std::vector<Atom> atom_gradients(const LinearDictionary& dictionary, std::span<const Mixture> batch,
                                 bool alpha_once) {
  const Index m = dictionary.size(), d = dictionary.columns();
  const auto atoms = dictionary.atoms.size();
  const double alpha = d > 0 ? dictionary.unmixing.alpha : 1.0;
  const double factor = 2 / static_cast<double>(batch.size());
  Matrix together = Matrix::Zero(std::ssize(dictionary.atoms), std::ssize(dictionary.atoms));
  for (const Mixture& mixture : batch) {
    together += mixture.unmixed.shares * mixture.unmixed.shares.transpose();
  }
  const Vector& hbar = dictionary.weights;
  std::vector<Atom> gradients(atoms, Atom{Matrix::Zero(m, m), Matrix::Zero(m, d)});
  for (std::size_t s = 0; s < atoms; ++s) {
    Matrix mixed = Matrix::Zero(m, m), cross = mixed;
    Matrix mixed_features = Matrix::Zero(m, d), cross_features = mixed_features;
    for (std::size_t t = 0; t < atoms; ++t) {
      const double share = together(static_cast<Index>(s), static_cast<Index>(t));
      mixed += share * dictionary.atoms[t].structure;
      if (d > 0) mixed_features += share * dictionary.atoms[t].features;
    }
    for (const Mixture& mixture : batch) {
      const double share = mixture.unmixed.shares[static_cast<Index>(s)];
      cross += share * mixture.sums.cross;
      if (d > 0) cross_features += share * mixture.sums.features;
    }
    gradients[s].structure =
        factor * (alpha * (hbar.asDiagonal() * mixed * hbar.asDiagonal()).eval() -
                  (alpha_once ? 1.0 : alpha) * cross);
    if (d > 0) {
      gradients[s].features =
          factor * (1 - alpha) * (hbar.asDiagonal() * mixed_features - cross_features);
    }
  }
  return gradients;
}

struct LinearSteps {
  LinearLearning learning;

  double step(std::span<const std::size_t> batch) { return learning.step(batch); }
  [[nodiscard]] const std::vector<Atom>& atoms() const { return learning.dictionary().atoms; }
};

}  // namespace

struct LinearLearning::Impl {
  std::vector<Sample> own_samples = {};  // those that were moved here
  std::span<const Sample> samples;
  LinearDictionary dictionary;
  LinearScheme scheme;
  detail::Unmixer unmixer;
  std::vector<detail::AdamMoments> moments;

  Impl(std::span<const Sample> samples_, LinearDictionary dictionary_, const LinearScheme& scheme_,
       const Run& run)
      : samples(samples_),
        dictionary(std::move(dictionary_)),
        scheme(scheme_),
        unmixer(detail::resolve_threads(run.threads)) {
    check_fields(scheme);
    check(dictionary);
    if (samples.empty()) fail_argument("the dataset is empty, expected at least one graph");
    check(samples, dictionary.columns());
    moments.assign(dictionary.atoms.size(), {dictionary.size(), dictionary.columns()});
    for (Atom& atom : dictionary.atoms) detail::project(scheme, atom);
  }

  void move(std::size_t s, const Atom& gradient) {
    Atom& atom = dictionary.atoms[s];
    if (scheme.adam) {
      detail::adam_step(scheme.steps, gradient, false, moments[s], atom);
    } else {
      const auto& [rate, feature_rate, b1, b2, guard] = scheme.steps;
      atom.structure -= rate * gradient.structure;
      if (atom.features.cols() > 0) {
        atom.features -= (feature_rate > 0 ? feature_rate : rate) * gradient.features;
      }
    }
    detail::project(scheme, atom);
    if (!atom.structure.allFinite() || !atom.features.allFinite()) {
      fail_argument(
          "atom {} has entries that are not finite: learning_rate {} is too large for these graphs",
          s, scheme.steps.learning_rate);
    }
  }
};

LinearLearning::LinearLearning(std::span<const Sample> samples, LinearDictionary dictionary,
                               const LinearScheme& scheme, const Run& run)
    : impl_(std::make_unique<Impl>(samples, std::move(dictionary), scheme, run)) {}
LinearLearning::LinearLearning(std::vector<Sample>&& samples, LinearDictionary dictionary,
                               const LinearScheme& scheme, const Run& run)
    : LinearLearning(std::span<const Sample>(samples), std::move(dictionary), scheme, run) {
  impl_->own_samples = std::move(samples);  // the elements stay where they are
}
LinearLearning::LinearLearning(LinearLearning&&) noexcept = default;
LinearLearning& LinearLearning::operator=(LinearLearning&&) noexcept = default;
LinearLearning::~LinearLearning() = default;

const LinearDictionary& LinearLearning::dictionary() const { return impl_->dictionary; }

double LinearLearning::step(std::span<const std::size_t> batch) {
  if (batch.empty()) fail_argument("the batch is empty, expected at least one graph");
  for (const std::size_t g : batch) {
    if (g >= impl_->samples.size()) {
      fail_argument("graph {} of a batch, expected one below {}", g, impl_->samples.size());
    }
  }
  std::vector<Mixture> mixtures(batch.size());
  impl_->unmixer.set_dictionary(impl_->dictionary);
  detail::parallel_for(std::ssize(batch), impl_->unmixer.threads(), [&](Index b, int worker) {
    const std::size_t place = b;
    mixtures[place] = impl_->unmixer.unmix(worker, impl_->samples[batch[place]]);
  });
  detail::throw_if_stopped();  // a solve that was cut short would leave a trace
  double sum = 0;
  for (const Mixture& mixture : mixtures) sum += mixture.unmixed.value;
  const auto gradients = atom_gradients(impl_->dictionary, mixtures, impl_->scheme.alpha_once);
  for (std::size_t s = 0; s < gradients.size(); ++s) impl_->move(s, gradients[s]);
  return sum;
}

LearnedBaseline<LinearDictionary> learn(std::span<const Sample> samples, const Unmixing& unmixing,
                                        Index atoms, Index size, const LinearScheme& scheme,
                                        const Run& run) {
  if (atoms < 1) fail_argument("there are to be {} atoms, expected at least 1", atoms);
  const StopScope scope(run);
  if (const int exponent = detail::scale_exponent(samples, unmixing.alpha); exponent != 0) {
    auto found = learn(detail::times_power_of_two(samples, -exponent),
                       detail::times_power_of_two(unmixing, -exponent), atoms, size, scheme,
                       detail::with_values_times(run, 2 * exponent));
    found.model.unmixing = unmixing;
    detail::bring_back(found, exponent);
    return found;
  }
  const detail::TrainingSet set =
      detail::checked_training_set(samples, size, {.alpha = unmixing.alpha});
  LinearScheme fitting = scheme;
  fitting.non_negative = scheme.non_negative && set.non_negative;
  const LinearDictionary start{
      {.atoms = detail::starting_atoms(samples, atoms, size, scheme.start, run.seed)},
      uniform_weights(size),
      unmixing};
  LinearSteps steps{LinearLearning(samples, start, fitting, run)};
  return detail::learn_epochs(
      start, samples, steps,
      {scheme.epochs, scheme.batch, scheme.keep_best, scheme.evaluate_every, scheme.patience}, run,
      [&](const LinearDictionary& model) {
        const Vector shares = uniform_weights(atoms);
        const Atom mixed = mixture(model, shares);
        return detail::embed_each(
            samples, atoms, detail::resolve_threads(run.threads), [&](int, const Sample& sample) {
              return std::pair(shares,
                               detail::product_value(sample, mixed, model.weights, unmixing.alpha));
            });
      });
}

}  // namespace srgw
