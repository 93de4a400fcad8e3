// SPDX-License-Identifier: MIT
#include "baselines/gwf/factorer.hpp"
#include "baselines/learning.hpp"

namespace srgw {

void check(const Factorization& model) {
  check(static_cast<const AtomModel&>(model));
  check_fields(model.factoring);
}

Embedding embed(const Factorization& model, std::span<const Sample> samples, const Run& run) {
  const StopScope scope(run);
  check(model);
  check(samples, model.columns());
  if (const int exponent = std::ilogb(model.unit); exponent != 0) {
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
