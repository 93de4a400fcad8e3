// SPDX-License-Identifier: MIT
#include "baselines/gwf/factorer.hpp"

#include <cmath>

#include "baselines/learning.hpp"
#include "baselines/simplex_quadratic.hpp"
#include "dictionary/sample_scale.hpp"

namespace srgw::detail {

namespace {

MirrorDescent proximal_steps(const Factoring& factoring) {
  return {.epsilon = factoring.epsilon,
          .max_iterations = factoring.plan_steps,
          .scaling_iterations = factoring.scaling_steps};
}

// 1 / h_i, and nothing for nodes without weight, which have no say.
Vector inverse(const Vector& h) {
  return h.unaryExpr([](double x) { return x > 0 ? 1 / x : 0.0; });
}

}  // namespace

Factorer::Factorer(const Factoring& factoring, int threads) : factoring_(factoring) {
  for (int t = 0; t < threads; ++t) {
    solvers_.emplace_back(proximal_steps(factoring), Run{.threads = 1});
  }
}

void Factorer::set_atoms(const std::vector<Atom>& atoms) {
  atoms_ = atoms;
  sources_.clear();
  for (const Atom& atom : atoms) {
    sources_.push_back(
        {{Structure::dense(atom.structure), uniform_weights(atom.size())}, atom.features});
  }
}

FactoredGraph Factorer::factor(int worker, const Sample& sample) {
  const auto& [structure, h] = sample.source;
  const bool fused = atoms_.front().features.cols() > 0;
  const double alpha = fused ? factoring_.alpha : 1.0;
  Solver& solver = solvers_[worker];
  FactoredGraph result;
  for (std::size_t s = 0; s < atoms_.size(); ++s) {
    Matrix cost;
    const Matrix T =
        solver.solve(balanced_problem(sources_[s], structure, h, sample.features, alpha, cost))
            .plan.dense();
    result.structures.emplace_back(T.transpose() * atoms_[s].structure * T);
    if (fused) result.features.emplace_back(T.transpose() * atoms_[s].features);
    result.plans.push_back(T);
  }

  // The value is constant + w'G w - 2 c'w.
  const Index atoms = std::ssize(atoms_);
  const Vector inverses = inverse(h);
  const Matrix C = structure.dense();
  Matrix form(atoms, atoms);
  Vector linear(atoms);
  for (Index s = 0; s < atoms; ++s) {
    const std::size_t a = s;
    const Matrix scaled = inverses.asDiagonal() * result.structures[a] * inverses.asDiagonal();
    linear[s] = alpha * C.cwiseProduct(result.structures[a]).sum();
    if (fused) linear[s] += (1 - alpha) * sample.features.cwiseProduct(result.features[a]).sum();
    for (Index t = 0; t <= s; ++t) {
      const std::size_t b = t;
      form(s, t) = alpha * scaled.cwiseProduct(result.structures[b]).sum();
      if (fused) {
        const Vector products = result.features[a].cwiseProduct(result.features[b]).rowwise().sum();
        form(s, t) += (1 - alpha) * products.dot(inverses);
      }
      form(t, s) = form(s, t);
    }
  }
  double constant = alpha * structure.square_form(h);
  if (fused) constant += (1 - alpha) * sample.features.rowwise().squaredNorm().dot(h);
  result.shares = uniform_weights(atoms);
  const SimplexQuadratic quadratic{form, linear};
  result.value = minimise(quadratic, {factoring_.max_steps, factoring_.step_tolerance},
                          constant + value(quadratic, result.shares), result.shares);
  return result;
}

void add_gradients(const Sample& sample, const FactoredGraph& factored, double alpha,
                   std::vector<Atom>& gradients) {
  const Vector inverses = inverse(sample.source.weights);
  const bool fused = !factored.features.empty();
  if (!fused) alpha = 1;
  Matrix structure = -sample.source.structure.dense();  // Bbar - C
  Matrix features = -sample.features;                   // Xbar - F
  for (std::size_t s = 0; s < gradients.size(); ++s) {
    const double w = factored.shares[static_cast<Index>(s)];
    structure += w * (inverses.asDiagonal() * factored.structures[s] * inverses.asDiagonal());
    if (fused) features += w * (inverses.asDiagonal() * factored.features[s]);
  }
  for (std::size_t s = 0; s < gradients.size(); ++s) {
    const double w = factored.shares[static_cast<Index>(s)];
    if (w == 0) continue;
    const Matrix& T = factored.plans[s];
    gradients[s].structure += 2 * alpha * w * (T * structure * T.transpose());
    if (fused) gradients[s].features += 2 * (1 - alpha) * w * (T * features);
  }
}

}  // namespace srgw::detail

namespace srgw {

void check(const Factorization& model) {
  check(static_cast<const AtomModel&>(model));
  check_fields(model.factoring);
}

Embedding embed(const Factorization& model, std::span<const Sample> samples, const Run& run) {
  const StopScope scope(run);
  check(model);
  check(samples, model.columns());
  const int exponent = std::ilogb(model.unit);
  detail::check_scale(samples, exponent);
  if (exponent != 0) {
    Factorization scaled = model;
    scaled.unit = 1;
    detail::multiply(scaled.atoms, -exponent);
    Embedding found = embed(scaled, detail::times_power_of_two(samples, -exponent), run);
    detail::bring_back(found, exponent);
    return found;
  }
  detail::Factorer factorer(model.factoring, detail::resolve_threads(run.threads));
  factorer.set_atoms(model.atoms);
  return detail::embed_each(samples, std::ssize(model.atoms), factorer.threads(),
                            [&](int worker, const Sample& sample) {
                              const detail::FactoredGraph found = factorer.factor(worker, sample);
                              return std::pair(found.shares, found.value);
                            });
}

}  // namespace srgw
