// SPDX-License-Identifier: MIT
#include "solve/starts/starts.hpp"

#include <utility>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "solve/closed_form.hpp"
#include "srgw/transport.hpp"

namespace srgw::detail {

namespace {

Matrix row_distances(const Matrix& A, const Matrix& B, int threads) {
  Matrix cost(A.rows(), B.rows());
  parallel_for(A.rows(), threads, [&](Index i, int) {
    StopCounter stop(64);
    for (Index k = 0; k < B.rows(); ++k) {
      stop.throw_if_stopped();
      cost(i, k) = (A.row(i) - B.row(k)).norm();
    }
  });
  return cost;
}

// Rows of `parts` handed on: node i of part k sends its mass where row k of S goes.
Matrix through_parts(const Plan& parts, const Matrix& S) {
  const Vector q = parts.target_weights();
  Matrix shares = S;
  for (Index k = 0; k < S.rows(); ++k) {
    if (q[k] > 0) shares.row(k) /= q[k];
  }
  Matrix T(parts.rows(), S.cols());
  const Assignment labels = parts.labels();
  for (Index i = 0; i < T.rows(); ++i) T.row(i) = parts.weights()[i] * shares.row(labels[i]);
  return T;
}

}  // namespace

Plan align_plan(const Problem& problem, const Partition& partition, int threads) {
  const Index n = problem.rows(), m = problem.columns();
  const Vector h = problem.weights;
  const auto target_masses = [&](const Vector& free) {
    return problem.balanced() ? Vector(*problem.target_weights) : free;
  };
  if (n == m) {
    const Matrix cost = row_distances(problem.source.dense(), problem.target.dense(), threads);
    return transport(cost, h, target_masses(h)).plan;
  }
  if (n > m) {
    const Plan parts = Plan::from_labels(h, partition(problem.source, h, m), m);
    const Vector q = parts.target_weights();
    const Matrix cost =
        row_distances(best_target(problem.source, parts, 1), problem.target.dense(), threads);
    const Matrix S = transport(cost, q, target_masses(q)).plan.dense();
    return Plan::from_dense(h, through_parts(parts, S));
  }
  const Vector w = target_masses(Vector::Constant(m, 1.0 / static_cast<double>(m)));
  const Plan parts = Plan::from_labels(w, partition(problem.target, w, n), n);
  const Matrix cost =
      row_distances(best_target(problem.target, parts, 1), problem.source.dense(), threads);
  const Matrix S = transport(cost, parts.target_weights(), h).plan.dense();
  return Plan::from_dense(h, through_parts(parts, S).transpose());
}

Plan part_of(const Plan& plan, double share) {
  const Vector sums = share * plan.weights();
  return Plan::from_dense(sums, share * plan.dense());
}

Plan soften(const Plan& plan) {
  Matrix T = plan.dense();
  const Vector q = plan.target_weights();
  for (Index i = 0; i < T.rows(); ++i) {
    T.row(i) = 0.5 * (T.row(i) + plan.weights()[i] * q.transpose());
  }
  return Plan::from_dense(plan.weights(), std::move(T));
}

}  // namespace srgw::detail
