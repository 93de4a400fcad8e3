// SPDX-License-Identifier: MIT
#include "solve/starts/alignment.hpp"

#include <utility>

#include "solve/closed_form.hpp"
#include "srgw/transport.hpp"

namespace srgw::detail {

namespace {

Matrix row_distances(const Matrix& A, const Matrix& B) {
  Matrix cost(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index k = 0; k < B.rows(); ++k) cost(i, k) = (A.row(i) - B.row(k)).norm();
  }
  return cost;
}

// Rows of `parts` handed on: node i of part k sends its mass where row k of S goes.
Matrix through_parts(const Plan& parts, const Matrix& S) {
  const Vector q = parts.target_weights();
  Matrix shares = S;
  for (Index k = 0; k < S.rows(); ++k) {
    if (q[k] > 0) shares.row(k) /= q[k];
  }
  return parts.dense() * shares;
}

}  // namespace

Plan aligned_plan(const Problem& problem, const Partition& partition) {
  const Index n = problem.rows(), m = problem.columns();
  const Vector h = problem.weights;
  const auto target_masses = [&](const Vector& free) {
    return problem.balanced() ? Vector(*problem.target_weights) : free;
  };
  if (n == m) {
    const Matrix cost = row_distances(problem.source.dense(), problem.target.dense());
    return transport(cost, h, target_masses(h)).plan;
  }
  if (n > m) {
    const Plan parts = Plan::from_labels(h, partition(problem.source, h, m), m);
    const Vector q = parts.target_weights();
    const Matrix cost =
        row_distances(best_target(problem.source, parts, 1), problem.target.dense());
    const Matrix S = transport(cost, q, target_masses(q)).plan.dense();
    return Plan::from_dense(h, through_parts(parts, S));
  }
  const Vector w = target_masses(Vector::Constant(m, 1.0 / static_cast<double>(m)));
  const Plan parts = Plan::from_labels(w, partition(problem.target, w, n), n);
  const Matrix cost = row_distances(best_target(problem.target, parts, 1), problem.source.dense());
  const Matrix S = transport(cost, parts.target_weights(), h).plan.dense();
  return Plan::from_dense(h, through_parts(parts, S).transpose());
}

}  // namespace srgw::detail
