// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>

#include "base/message.hpp"
#include "baselines/gdl/unmixer.hpp"
#include "baselines/learning.hpp"
#include "srgw/baselines.hpp"
#include "structure/eigen.hpp"

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

Unmixed unmix(const LinearDictionary& dictionary, const Sample& sample) {
  check(dictionary);
  check(std::span(&sample, 1), dictionary.columns());
  detail::Unmixer unmixer(1);
  unmixer.set_dictionary(dictionary);
  return unmixer.unmix(0, sample).unmixed;
}

Embedding embed(const LinearDictionary& dictionary, std::span<const Sample> samples,
                const Run& run) {
  const StopScope scope(run);
  check(dictionary);
  check(samples, dictionary.columns());
  detail::Unmixer unmixer(detail::resolve_threads(run.threads));
  unmixer.set_dictionary(dictionary);
  return detail::embed_each(samples, std::ssize(dictionary.atoms), unmixer.threads(),
                            [&](int worker, const Sample& sample) {
                              const Unmixed found = unmixer.unmix(worker, sample).unmixed;
                              return std::pair(found.shares, found.value);
                            });
}

}  // namespace srgw
