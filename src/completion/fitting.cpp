// SPDX-License-Identifier: MIT
#include "completion/fitting.hpp"

#include "base/stop.hpp"
#include "baselines/learning.hpp"
#include "completion/label_search.hpp"
#include "solve/method.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

namespace {

// Descents of labels cost a small part of what a solve does, the smaller the fewer edges there are.
int descents_of_start(const Matrix& structure) {
  const bool sparse = (structure.array() != 0).count() < 4 * structure.rows();
  return sparse ? 6 : 1;
}

/// The seen nodes alone. alpha E + (1 - alpha) L of all nodes is alpha share^2 E + (1 - alpha)
/// share L of these.
struct SeenPart {
  std::vector<Index> nodes;
  double share;
  Matrix structure, features;
  Projection projection;

  [[nodiscard]] Sample sample(bool symmetric) const {
    return {{Structure::dense(structure, symmetric), uniform_weights(std::ssize(nodes))}, features};
  }
};

SeenPart seen_part(const PartialGraph& graph, const Sample& filled, const Projection& projection) {
  SeenPart part{graph.seen(), 1, {}, {}, projection};
  part.share = static_cast<double>(part.nodes.size()) / static_cast<double>(graph.size());
  part.structure = filled.source.structure.dense()(part.nodes, part.nodes);
  if (filled.features.cols() > 0) part.features = filled.features(part.nodes, Eigen::all);
  const double alpha = projection.alpha;
  if (alpha > 0) part.projection.alpha = alpha * part.share / (alpha * part.share + 1 - alpha);
  return part;
}

}  // namespace

AtomFitting::AtomFitting(const Atom& atom, const Projection& projection)
    : atom_(atom), projection_(projection), projector_(projection, 1, true) {
  projector_.set_atom(atom);
}

Fitting::Fit AtomFitting::fit(const Sample& sample, const Plan* start) {
  const Solution& solution = projector_.solve(0, sample, start);
  return {solution.plan, solution.value};
}

double AtomFitting::product_value(const Sample& sample) {
  return projector_.value(0, sample,
                          Plan::from_product(sample.source.weights, uniform_weights(atom_.size())));
}

/// The labels of seen nodes, and for each hidden one that which fits them best as its entries are
/// filled.
Assignment AtomFitting::with_hidden(const std::vector<Index>& seen, const Assignment& of_seen,
                                    const Sample& filled) const {
  const Matrix C = filled.source.structure.dense();
  const Matrix &B = atom_.structure, &F = filled.features;
  const auto n = static_cast<double>(C.rows());
  const double alpha = F.cols() > 0 ? projection_.alpha : 1;
  Assignment labels(C.rows());
  for (Index u = 0; u < C.rows(); ++u) {
    throw_if_stopped();
    Eigen::ArrayXd costs = Eigen::ArrayXd::Zero(atom_.size());
    if (F.cols() > 0) {
      costs = (1 - alpha) * (atom_.features.rowwise() - F.row(u)).rowwise().squaredNorm().array();
    }
    for (std::size_t s = 0; s < seen.size(); ++s) {
      const NodeId k = of_seen[s];
      costs += alpha / n *
               ((B.col(k).array() - C(u, seen[s])).square() +
                (B.row(k).transpose().array() - C(seen[s], u)).square());
    }
    Index best = 0;
    costs.minCoeff(&best);
    labels[u] = static_cast<NodeId>(best);
  }
  for (std::size_t s = 0; s < seen.size(); ++s) {
    labels[seen[s]] = of_seen[s];
  }
  return labels;
}

// For a hard plan the value of the whole is what the seen part has, whatever the others do: the
// best of many hard plans of that, from which the solver goes on.
std::vector<Plan> AtomFitting::starts(const PartialGraph& graph, const Sample& filled,
                                      const Alternation& scheme, std::uint64_t seed) {
  const SeenPart part = seen_part(graph, filled, projection_);
  const Vector weights = uniform_weights(graph.size());
  const bool hard = detail::conditional_gradient_of(projection_.method) != nullptr;
  if (hard && projection_.sparsity == 0 && projection_.entropy == 0) {
    Random random(seed, 2);
    LabelSearch search(part.structure, part.features, atom_, part.projection.alpha);
    const RowDescent* rows = projector_.descend(0, part.sample(is_symmetric(graph)));
    const Assignment labels =
        search.best(rows != nullptr ? rows->labels() : std::span<const NodeId>(),
                    descents_of_start(part.structure) * scheme.random_starts, random);
    return {Plan::from_labels(weights, with_hidden(part.nodes, labels, filled), atom_.size())};
  }
  Projector projector(part.projection, 1);
  projector.set_atom(atom_);
  const Solution best = projector.best(0, part.sample(is_symmetric(graph)),
                                       {.random = scheme.random_starts, .seed = seed, .item = 2});
  const Matrix of_seen = part.share * best.plan.dense();
  const Plan first = fit(filled, nullptr).plan;
  // The others go to one target node each where plans are hard: what is spread costs.
  Matrix T =
      hard ? Plan::from_labels(weights, first.labels(), first.columns()).dense() : first.dense();
  for (Index s = 0; s < std::ssize(part.nodes); ++s) {
    T.row(part.nodes[s]) = of_seen.row(s);
  }
  return {first, Plan::from_dense(weights, std::move(T))};
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

double MixtureFitting::product_value(const Sample& sample) {
  return detail::product_value(sample, mixed_, dictionary_.weights, dictionary_.unmixing.alpha);
}

}  // namespace srgw::detail
