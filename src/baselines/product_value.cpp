// SPDX-License-Identifier: MIT
#include "baselines/learning.hpp"
#include "solve/closed_form.hpp"
#include "srgw/problem.hpp"

namespace srgw::detail {

double product_value(const Sample& sample, const Atom& target, const Vector& weights,
                     double alpha) {
  Problem problem{.source = sample.source.structure,
                  .weights = sample.source.weights,
                  .target = Structure::dense(target.structure),
                  .target_weights = weights};
  Matrix cost;
  if (target.features.cols() > 0) {
    cost = squared_distances(sample.features, target.features);
    problem.features.emplace(FusedTerm{cost, alpha});
  }
  return value(problem, Plan::from_product(sample.source.weights, weights)).total();
}

}  // namespace srgw::detail
