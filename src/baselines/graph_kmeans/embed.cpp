// SPDX-License-Identifier: MIT
#include <optional>

#include "base/message.hpp"
#include "baselines/learning.hpp"
#include "solve/closed_form.hpp"

namespace srgw {

void check(const GraphCentres& centres) {
  check(static_cast<const AtomModel&>(centres));
  if (!(centres.alpha >= 0 && centres.alpha <= 1)) {
    detail::fail_argument("alpha is {}, expected a number in [0, 1]", centres.alpha);
  }
}

Embedding embed(const GraphCentres& centres, std::span<const Sample> samples, const Run& run) {
  const StopScope scope(run);
  check(centres);
  check(samples, centres.columns());
  if (const int exponent = detail::extreme_exponent(centres, centres.alpha); exponent != 0) {
    GraphCentres scaled = centres;
    detail::multiply(scaled.atoms, -exponent);
    Embedding found = embed(scaled, detail::times_power_of_two(samples, -exponent), run);
    found.coordinates *= std::ldexp(1.0, 2 * exponent);
    detail::bring_back(found, exponent);
    return found;
  }
  std::vector<Structure> structures;
  std::vector<Vector> weights;
  for (const Atom& atom : centres.atoms) {
    structures.push_back(Structure::dense(atom.structure));
    weights.push_back(uniform_weights(atom.size()));
  }
  const int threads = detail::resolve_threads(run.threads);
  std::vector<Solver> solvers;
  solvers.reserve(threads);
  for (int t = 0; t < threads; ++t) solvers.emplace_back(ConditionalGradient{}, Run{.threads = 1});
  return detail::embed_each(
      samples, std::ssize(centres.atoms), threads, [&](int worker, const Sample& sample) {
        Vector values(std::ssize(centres.atoms));
        for (std::size_t k = 0; k < structures.size(); ++k) {
          Problem problem{.source = sample.source.structure,
                          .weights = sample.source.weights,
                          .target = structures[k],
                          .target_weights = weights[k]};
          Matrix cost;
          if (centres.columns() > 0) {
            cost = detail::squared_distances(sample.features, centres.atoms[k].features);
            problem.features.emplace(FusedTerm{cost, centres.alpha});
          }
          const Plan start = Plan::from_product(sample.source.weights, weights[k]);
          values[static_cast<Index>(k)] = solvers[worker].solve(problem, start).value;
        }
        return std::pair(values, values.minCoeff());
      });
}

}  // namespace srgw
