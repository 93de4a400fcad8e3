// SPDX-License-Identifier: MIT
#include "completion/fitting.hpp"

#include "completion/label_search.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

namespace {

// A descent of labels costs a small part of what a solve does.
constexpr int descents_of_start = 5;

}  // namespace

AtomFitting::AtomFitting(const Atom& atom, const Projection& projection)
    : atom_(atom), projection_(projection), projector_(projection, 1) {
  projector_.set_atom(atom);
}

Fitting::Fit AtomFitting::fit(const Sample& sample, const Plan* start) {
  const Solution& solution = projector_.solve(0, sample, start);
  return {solution.plan, solution.value};
}

// The best of many hard plans, from which the solver goes on; or the best of its own ends where
// plans are not hard, or other terms count.
Solution AtomFitting::best_of_seen(const Sample& part, const Projection& projection,
                                   const Alternation& scheme, std::uint64_t seed) const {
  Projector projector(projection, 1);
  projector.set_atom(atom_);
  const bool hard = std::holds_alternative<ConditionalGradient>(projection.method) &&
                    projection.sparsity == 0 && projection.entropy == 0;
  if (!hard) {
    return projector.best(0, part, {.random = scheme.random_starts, .seed = seed, .item = 2});
  }
  Random random(seed, 2);
  LabelSearch search(part.source.structure.dense(), part.features, atom_, projection.alpha);
  const Assignment labels = search.best(descents_of_start * scheme.random_starts, random);
  const Plan start = Plan::from_labels(part.source.weights, labels, atom_.size());
  return projector.best(0, part, {.warm = &start});
}

/// The best plan of the seen nodes, with the rows of `first` for all others: where it is hard, the
/// value of the whole is what the seen part has, whatever the others do (spec 7.12).
std::optional<Plan> AtomFitting::second_start(const PartialGraph& graph, const FilledGraph& start,
                                              const Plan& first, const Alternation& scheme,
                                              std::uint64_t seed) {
  const std::vector<Index> seen = graph.seen();
  const double share = static_cast<double>(seen.size()) / static_cast<double>(graph.size());
  Sample part{{Structure::dense(start.structure(seen, seen), is_symmetric(graph)),
               uniform_weights(std::ssize(seen))},
              {}};
  if (start.features.cols() > 0) part.features = start.features(seen, Eigen::all);
  // alpha E + (1 - alpha) L of all nodes is alpha share^2 E + (1 - alpha) share L of these.
  Projection projection = projection_;
  const double alpha = projection_.alpha;
  if (alpha > 0) projection.alpha = alpha * share / (alpha * share + 1 - alpha);
  const Solution best = best_of_seen(part, projection, scheme, seed);
  // The others go to one target node each where plans are hard: what is spread costs.
  const Vector weights = uniform_weights(graph.size());
  const bool hard = std::holds_alternative<ConditionalGradient>(projection_.method);
  Matrix T =
      hard ? Plan::from_labels(weights, first.labels(), first.columns()).dense() : first.dense();
  const Matrix of_seen = share * best.plan.dense();
  for (Index s = 0; s < std::ssize(seen); ++s) {
    T.row(seen[static_cast<std::size_t>(s)]) = of_seen.row(s);
  }
  return Plan::from_dense(weights, std::move(T));
}

MixtureFitting::MixtureFitting(const LinearDictionary& dictionary)
    : dictionary_(dictionary), unmixer_(1), shares_(uniform_weights(std::ssize(dictionary.atoms))) {
  unmixer_.set_dictionary(dictionary);
  mixed_ = mixture(dictionary, shares_);
}

Fitting::Fit MixtureFitting::fit(const Sample& sample, const Plan* start) {
  Unmixed found = start != nullptr ? unmixer_.unmix(0, sample, {shares_, *start}).unmixed
                                   : unmixer_.unmix(0, sample).unmixed;
  shares_ = found.shares;
  mixed_ = mixture(dictionary_, shares_);
  return {std::move(found.plan), found.value};
}

}  // namespace srgw::detail
