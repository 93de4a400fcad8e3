// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/message.hpp"
#include "baselines/gdl/unmixer.hpp"
#include "baselines/learning.hpp"
#include "baselines/simplex_quadratic.hpp"
#include "dictionary/sample_scale.hpp"
#include "srgw/baselines.hpp"
#include "structure/eigen.hpp"

namespace srgw::detail {

namespace {

ConditionalGradient plan_method(const Unmixing& unmixing) {
  return {.max_iterations = unmixing.max_steps,
          .tolerance = unmixing.step_tolerance,
          .stopping = Stopping::change,
          .polish_sweeps = 0};
}

bool is_symmetric(const Matrix& B) { return B == B.transpose(); }

}  // namespace

Unmixing times_power_of_two(const Unmixing& unmixing, int exponent) {
  Unmixing scaled = unmixing;
  scaled.regularisation = std::ldexp(unmixing.regularisation, 2 * exponent);
  return scaled;
}

LinearDictionary times_power_of_two(LinearDictionary dictionary, int exponent) {
  multiply(dictionary.atoms, exponent);
  dictionary.unmixing = times_power_of_two(dictionary.unmixing, exponent);
  dictionary.unit = std::ldexp(dictionary.unit, exponent);
  return dictionary;
}

void Unmixer::set_dictionary(const LinearDictionary& dictionary) {
  dictionary_ = &dictionary;
  alpha_ = dictionary.columns() > 0 ? dictionary.unmixing.alpha : 1.0;
  form_ = gram(dictionary);
  form_.diagonal().array() -= dictionary.unmixing.regularisation;
  symmetric_ = true;
  for (const Atom& atom : dictionary.atoms) symmetric_ = symmetric_ && is_symmetric(atom.structure);
  for (Worker& worker : workers_) {
    if (!worker.solver) worker.solver.emplace(plan_method(dictionary.unmixing), Run{.threads = 1});
  }
}

// c_s = alpha <B_s, T'C T> + (1 - alpha) <X_s, T'F>
Vector Unmixer::linear_part(const AtomSums& sums) const {
  Vector c(std::ssize(dictionary_->atoms));
  for (Index s = 0; s < c.size(); ++s) {
    const Atom& atom = dictionary_->atoms[s];
    c[s] = alpha_ * atom.structure.cwiseProduct(sums.cross).sum();
    if (alpha_ < 1 && atom.features.cols() > 0) {
      c[s] += (1 - alpha_) * atom.features.cwiseProduct(sums.features).sum();
    }
  }
  return c;
}

Mixture Unmixer::unmix(int worker, const Sample& sample) {
  return unmix(worker, sample,
               {uniform_weights(std::ssize(dictionary_->atoms)),
                Plan::from_product(sample.source.weights, dictionary_->weights)});
}

Mixture Unmixer::unmix(int worker, const Sample& sample, Start start) {
  const LinearDictionary& dictionary = *dictionary_;
  const Unmixing& options = dictionary.unmixing;
  Worker& own = workers_[worker];
  Mixture mixture;
  auto& [shares, plan, value, turns, status] = mixture.unmixed;
  shares = std::move(start.shares);
  plan = std::move(start.plan);
  for (turns = 1; turns <= options.max_turns; ++turns) {
    // T <- plan of C onto sum_s w_s B_s, from the last T
    Atom model = srgw::mixture(dictionary, shares);
    const Structure target = Structure::dense(std::move(model.structure), symmetric_);
    const Problem problem =
        balanced_problem(sample, target, dictionary.weights, model.features, alpha_, own.cost);
    const Solution& solution = own.solver->solve(problem, plan);
    plan = solution.plan;

    // w <- argmin of the quadratic that T leaves
    mixture.sums = AtomSums(dictionary.size(), dictionary.columns());
    mixture.sums.add_plan(sample, plan);
    const Vector c = linear_part(mixture.sums);
    const double former = value;
    const double after_plan = solution.value - options.regularisation * shares.squaredNorm();
    value = minimise({form_, c}, {options.max_steps, options.step_tolerance}, after_plan, shares);
    if (turns > 1 && std::abs(former - value) <= options.turn_tolerance * std::abs(former)) {
      status = Status::converged;
      break;
    }
  }
  turns = std::min(turns, options.max_turns);
  return mixture;
}

}  // namespace srgw::detail

namespace srgw {

using detail::fail_argument;

void check(const LinearDictionary& dictionary) {
  check(static_cast<const AtomModel&>(dictionary));
  const Index m = dictionary.size();
  for (std::size_t s = 0; s < dictionary.atoms.size(); ++s) {
    if (dictionary.atoms[s].size() != m) {
      fail_argument("atom {} has {} nodes, expected {} as atom 0", s, dictionary.atoms[s].size(),
                    m);
    }
  }
  const Vector& hbar = dictionary.weights;
  if (hbar.size() != m || !hbar.allFinite() || hbar.minCoeff() < 0 ||
      std::abs(hbar.sum() - 1) > 1e-8) {
    fail_argument("weights of the atoms are {} numbers, expected {} that are >= 0 and sum to 1",
                  hbar.size(), m);
  }
  check_fields(dictionary.unmixing);
}

Atom mixture(const LinearDictionary& dictionary, VectorView shares) {
  if (shares.size() != std::ssize(dictionary.atoms)) {
    fail_argument("{} shares for {} atoms, expected one for each", shares.size(),
                  dictionary.atoms.size());
  }
  const Index m = dictionary.size();
  Atom result{Matrix::Zero(m, m), Matrix::Zero(m, dictionary.columns())};
  for (Index s = 0; s < shares.size(); ++s) {
    if (shares[s] == 0) continue;
    const Atom& atom = dictionary.atoms[s];
    result.structure += shares[s] * atom.structure;
    if (dictionary.columns() > 0) result.features += shares[s] * atom.features;
  }
  return result;
}

Matrix gram(const LinearDictionary& dictionary) {
  const Vector& hbar = dictionary.weights;
  const double alpha = dictionary.columns() > 0 ? dictionary.unmixing.alpha : 1.0;
  const Index atoms = std::ssize(dictionary.atoms);
  Matrix M(atoms, atoms);
  for (Index s = 0; s < atoms; ++s) {
    const auto& [B, X] = dictionary.atoms[s];
    const Matrix weighted = hbar.asDiagonal() * B * hbar.asDiagonal();
    for (Index t = 0; t <= s; ++t) {
      const auto& [B_t, X_t] = dictionary.atoms[t];
      M(s, t) = alpha * weighted.cwiseProduct(B_t).sum();
      if (alpha < 1) M(s, t) += (1 - alpha) * (X.cwiseProduct(X_t).rowwise().sum().dot(hbar));
      M(t, s) = M(s, t);
    }
  }
  return M;
}

Matrix metric_rows(const LinearDictionary& dictionary, MatrixView shares) {
  if (shares.cols() != std::ssize(dictionary.atoms)) {
    fail_argument("{} columns of shares for {} atoms, expected one for each", shares.cols(),
                  dictionary.atoms.size());
  }
  const detail::EigenPairs pairs = detail::eigen_pairs(gram(dictionary));
  const Vector roots = pairs.values.cwiseMax(0.0).cwiseSqrt();
  return shares * (pairs.vectors * roots.asDiagonal() * pairs.vectors.transpose());
}

namespace {

int exponent_of(const LinearDictionary& dictionary, std::span<const Sample> samples) {
  const int exponent = detail::extreme_exponent(dictionary, dictionary.unmixing.alpha);
  detail::check_scale(samples, exponent);
  return exponent;
}

}  // namespace

Unmixed unmix(const LinearDictionary& dictionary, const Sample& sample) {
  check(dictionary);
  check(std::span(&sample, 1), dictionary.columns());
  if (const int exponent = exponent_of(dictionary, {&sample, 1}); exponent != 0) {
    Unmixed found = unmix(detail::times_power_of_two(dictionary, -exponent),
                          detail::times_power_of_two(std::span(&sample, 1), -exponent).front());
    found.value = std::ldexp(found.value, 2 * exponent);
    return found;
  }
  detail::Unmixer unmixer(1);
  unmixer.set_dictionary(dictionary);
  return unmixer.unmix(0, sample).unmixed;
}

Embedding embed(const LinearDictionary& dictionary, std::span<const Sample> samples,
                const Run& run) {
  const StopScope scope(run);
  check(dictionary);
  check(samples, dictionary.columns());
  if (const int exponent = exponent_of(dictionary, samples); exponent != 0) {
    Embedding found = embed(detail::times_power_of_two(dictionary, -exponent),
                            detail::times_power_of_two(samples, -exponent), run);
    detail::bring_back(found, exponent);
    return found;
  }
  detail::Unmixer unmixer(detail::resolve_threads(run.threads));
  unmixer.set_dictionary(dictionary);
  return detail::embed_each(samples, std::ssize(dictionary.atoms), unmixer.threads(),
                            [&](int worker, const Sample& sample) {
                              const Unmixed found = unmixer.unmix(worker, sample).unmixed;
                              return std::pair(found.shares, found.value);
                            });
}

}  // namespace srgw
