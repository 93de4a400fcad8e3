// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "dictionary/batches.hpp"
#include "dictionary/epochs.hpp"
#include "dictionary/sample_scale.hpp"
#include "srgw/baselines.hpp"
#include "srgw/problem.hpp"

namespace srgw::detail {

// Code that the baselines share.

constexpr double embedding_time = 0.3;  // seconds to express graphs in, once a run was stopped

/// The problem with given target weights. Features, where there are some, cost what is written to
/// `cost`, which must outlive the problem.
[[nodiscard]] Problem balanced_problem(const Sample& source, const Structure& target,
                                       const Vector& weights, const Matrix& target_features,
                                       double alpha, Matrix& cost);

/// The value of a balanced problem at the product plan, which needs no search.
[[nodiscard]] double product_value(const Sample& sample, const Atom& target, const Vector& weights,
                                   double alpha);

/// All graphs in parallel: `express(worker, sample)` gives the coordinates and the value of one.
template <class Express>
[[nodiscard]] Embedding embed_each(std::span<const Sample> samples, Index columns, int threads,
                                   const Express& express) {
  Embedding result{.coordinates = Matrix(std::ssize(samples), columns),
                   .values = Matrix(std::ssize(samples), 1)};
  parallel_for(std::ssize(samples), threads, [&](Index g, int worker) {
    const std::pair<Vector, double> found = express(worker, samples[g]);
    result.coordinates.row(g) = found.first.transpose();
    result.values(g, 0) = found.second;
  });
  throw_if_stopped();  // a solve that was cut short would leave a trace
  if (samples.empty()) return result;
  const double* values = result.values.data();
  result.mean_value =
      std::accumulate(values, values + samples.size(), 0.0) / static_cast<double>(samples.size());
  return result;
}

/// Scales a model that was learned at size 1 back by 2^exponent.
template <class Model>
void bring_back(LearnedBaseline<Model>& learned, int exponent) {
  multiply(learned.model.atoms, exponent);
  learned.model.unit = std::ldexp(1.0, exponent);
  bring_back(learned.embedding, exponent);
  multiply(learned.losses, 2 * exponent);
}

/// Passes over a dataset in batches drawn at random. `steps.step(batch)` moves the atoms and gives
/// the sum of the values of the batch before; `steps.atoms()` are the atoms now.
template <class Steps>
class Epochs {
 public:
  struct Options {
    int epochs, batch;
    bool keep_best = true;  ///< the atoms after the epoch of the lowest loss, else the last ones
    int evaluate_every = 1, patience = 0;  ///< as in LinearScheme
  };
  /// The mean value of all graphs with these atoms.
  using Evaluate = std::function<double(const std::vector<Atom>&)>;

  Epochs(Steps& steps, std::size_t graphs, const Options& options, std::uint64_t seed,
         Evaluate evaluate)
      : steps_(steps),
        options_(options),
        evaluate_(std::move(evaluate)),
        graphs_(graphs),
        batch_(std::min(graphs, static_cast<std::size_t>(options.batch))),
        seed_(seed) {}

  /// The next epoch; false: all were made, or evaluations brought no gain.
  bool advance() {
    if (epoch() == options_.epochs || converged()) return false;
    const std::size_t batches = (graphs_ + batch_ - 1) / batch_;
    double sum = 0;
    for (std::size_t b = 0; b < batches; ++b) {
      sum += steps_.step(drawn_batch(graphs_, batch_, seed_, number_++));
    }
    const double loss = sum / static_cast<double>(batches * batch_);
    if (options_.patience == 0) {
      keep_if_better(loss);
    } else if (epoch() % options_.evaluate_every == 0 || epoch() + 1 == options_.epochs) {
      keep_if_better(evaluate_(steps_.atoms()));
    }
    losses_.push_back(loss);
    return true;
  }
  [[nodiscard]] bool converged() const {
    return options_.patience > 0 && failures_ >= options_.patience;
  }
  [[nodiscard]] int epoch() const { return static_cast<int>(losses_.size()); }
  [[nodiscard]] const std::vector<double>& losses() const { return losses_; }
  /// After the best epoch; of the batches so far, when not even one was finished.
  [[nodiscard]] std::vector<Atom> atoms() const {
    return losses_.empty() ? std::vector<Atom>(steps_.atoms()) : atoms_;
  }

 private:
  void keep_if_better(double loss) {
    if (loss < best_ || !options_.keep_best) {
      atoms_ = steps_.atoms();
    }
    failures_ = loss < best_ ? 0 : failures_ + 1;
    best_ = std::min(best_, loss);
  }

  Steps& steps_;
  Options options_;
  Evaluate evaluate_;
  std::size_t graphs_, batch_;
  std::uint64_t seed_, number_ = 0;  // of the batch
  std::vector<double> losses_ = {};
  std::vector<Atom> atoms_ = {};
  double best_ = std::numeric_limits<double>::infinity();
  int failures_ = 0;  // evaluations since the best one
};

/// Fills in the atoms of the model and the rest of the result. After a stop graphs are embedded if
/// that takes no time to speak of; else `trivial(model)` gives shares and values without a search.
template <class Model, class Steps, class Trivial>
[[nodiscard]] LearnedBaseline<Model> learn_epochs(Model model, std::span<const Sample> samples,
                                                  Steps& steps,
                                                  const typename Epochs<Steps>::Options& options,
                                                  const Run& run, const Trivial& trivial) {
  const Run inner{.threads = run.threads, .seed = run.seed};
  Epochs<Steps> epochs(steps, samples.size(), options, run.seed,
                       [&](const std::vector<Atom>& atoms) {
                         model.atoms = atoms;
                         return embed(model, samples, inner).mean_value;
                       });
  std::optional<Embedding> embedding;
  std::optional<Status> early;
  const std::optional<Status> cut = run_until_stopped(run, [&](StopScope&) {
    early = advance_to_end(epochs, run);
    model.atoms = epochs.atoms();
    if (!early) embedding = embed(model, samples, inner);
  });
  if (!embedding) {
    const StopShield shield;
    model.atoms = epochs.atoms();
    (void)run_until_stopped(Run{.time_limit = embedding_time},
                            [&](StopScope&) { embedding = embed(model, samples, inner); });
    if (!embedding) embedding = trivial(model);
  }
  return {.model = std::move(model),
          .embedding = std::move(*embedding),
          .losses = epochs.losses(),
          .epochs = epochs.epoch(),
          .status = early ? *early
                          : cut.value_or(epochs.converged() ? Status::converged
                                                            : Status::iteration_limit)};
}

}  // namespace srgw::detail
