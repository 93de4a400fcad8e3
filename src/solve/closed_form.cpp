// SPDX-License-Identifier: MIT
#include "solve/closed_form.hpp"

#include "base/zeros.hpp"
#include "structure/plan_rows.hpp"

namespace srgw::detail {

Matrix best_target(const Structure& source, const Plan& plan, int threads) {
  const Vector q = plan.target_weights();
  const Matrix products = source.product(plan, threads);  // C T
  Matrix target = zeros(plan.columns(), plan.columns());
  for_each_mass(plan, [&](Index i, Index k, double mass) {
    if (mass != 0) target.row(k) += mass * products.row(i);
  });
  for (Index k = 0; k < target.rows(); ++k) {
    for (Index l = 0; l < target.cols(); ++l) {
      const double mass = q[k] * q[l];
      target(k, l) = mass > 0 ? target(k, l) / mass : 0;
    }
  }
  return target;
}

Matrix best_features(const Matrix& rows, const Plan& plan, const Matrix& former) {
  const Vector q = plan.target_weights();
  Matrix features = zeros(plan.columns(), rows.cols());
  for_each_mass(plan, [&](Index i, Index k, double mass) {
    if (mass != 0) features.row(k) += mass * rows.row(i);
  });
  for (Index k = 0; k < features.rows(); ++k) {
    if (q[k] > 0) {
      features.row(k) /= q[k];
    } else {
      features.row(k) = former.row(k);
    }
  }
  return features;
}

Matrix squared_distances(MatrixView rows, MatrixView centres) {
  Matrix distances = zeros(rows.rows(), centres.rows());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < centres.rows(); ++k) {
      distances(i, k) = (rows.row(i) - centres.row(k)).squaredNorm();
    }
  }
  return distances;
}

}  // namespace srgw::detail
