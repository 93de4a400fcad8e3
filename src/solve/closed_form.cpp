// SPDX-License-Identifier: MIT
#include "solve/closed_form.hpp"

#include <algorithm>

#include "base/zeros.hpp"

namespace srgw::detail {

namespace {

/// Calls `visit(row, column, mass)` for the entries of a plan that are not 0.
template <class Visit>
void for_each_mass(const Plan& plan, Visit visit) {
  const ShortRows rows = plan.short_rows();
  for (std::size_t i = 0; i + 1 < rows.offsets.size(); ++i) {
    for (std::uint64_t e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e) {
      if (rows.masses[e] != 0) visit(static_cast<Index>(i), Index{rows.columns[e]}, rows.masses[e]);
    }
  }
}

}  // namespace

Matrix best_target(const Structure& source, const Plan& plan, int threads) {
  const Vector q = plan.target_weights();
  const Matrix products = source.product(plan, threads);  // C T
  Matrix target = zeros(plan.columns(), plan.columns());
  for_each_mass(plan,
                [&](Index i, Index k, double mass) { target.row(k) += mass * products.row(i); });
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
  for_each_mass(plan,
                [&](Index i, Index k, double mass) { features.row(k) += mass * rows.row(i); });
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
