// SPDX-License-Identifier: MIT
#include "baselines/learning.hpp"
#include "solve/closed_form.hpp"

namespace srgw::detail {

Problem balanced_problem(const Sample& source, const Structure& target, const Vector& weights,
                         const Matrix& target_features, double alpha, Matrix& cost) {
  Problem problem{.source = source.source.structure,
                  .weights = source.source.weights,
                  .target = target,
                  .target_weights = weights};
  if (target_features.cols() > 0) {
    cost = squared_distances(source.features, target_features);
    problem.features.emplace(FusedTerm{cost, alpha});
  }
  return problem;
}

double product_value(const Sample& sample, const Atom& target, const Vector& weights,
                     double alpha) {
  Matrix cost;
  const Structure structure = Structure::dense(target.structure);
  return value(balanced_problem(sample, structure, weights, target.features, alpha, cost),
               Plan::from_product(sample.source.weights, weights))
      .total();
}

}  // namespace srgw::detail
