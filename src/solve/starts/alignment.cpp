// SPDX-License-Identifier: MIT
#include "solve/starts/starts.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "solve/closed_form.hpp"
#include "srgw/plan.hpp"

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

using Places = std::vector<Index>;  // the target node of each part

/// Sends parts to target nodes one to one. The plan of labels that results has the objective
/// sum_kl q_k q_l (B_kl - C_s(k)s(l))^2 up to a constant, where parts of mass q have the mean
/// structure B. Swaps of two parts descend on it.
class Placement {
 public:
  Placement(const Matrix& B, const Matrix& C, const Vector& q) : B_(B), C_(C), q_(q) {}

  [[nodiscard]] double objective(const Places& places) const {
    double sum = 0;
    for (Index k = 0; k < q_.size(); ++k) sum += row(places, k);
    return sum;
  }

  void descend(Places& places) const {
    constexpr int most_sweeps = 20;  // two or three are enough as a rule
    const Index m = q_.size();
    StopCounter stop(64);
    bool moved = true;
    for (int sweep = 0; moved && sweep < most_sweeps; ++sweep) {
      moved = false;
      for (Index a = 0; a < m; ++a) {
        for (Index b = a + 1; b < m; ++b) {
          stop.throw_if_stopped();
          const double before = around(places, a, b);
          std::swap(places[a], places[b]);
          if (around(places, a, b) < before * (1 - 1e-12)) {
            moved = true;
          } else {
            std::swap(places[a], places[b]);
          }
        }
      }
    }
  }

 private:
  [[nodiscard]] double term(const Places& places, Index k, Index l) const {
    const double gap = B_(k, l) - C_(places[k], places[l]);
    return q_[k] * q_[l] * gap * gap;
  }
  [[nodiscard]] double row(const Places& places, Index k) const {
    double sum = 0;
    for (Index l = 0; l < q_.size(); ++l) sum += term(places, k, l);
    return sum;
  }
  /// The terms that a swap of two parts changes.
  [[nodiscard]] double around(const Places& places, Index a, Index b) const {
    double sum = row(places, a) + row(places, b);
    for (Index l = 0; l < q_.size(); ++l) {
      if (l != a && l != b) sum += term(places, l, a) + term(places, l, b);
    }
    return sum;
  }

  const Matrix& B_;
  const Matrix& C_;
  const Vector& q_;
};

// The cheapest assignment: with equal masses transport ends at a permutation.
Places assign(const Matrix& cost) {
  const Vector ones = Vector::Ones(cost.rows());
  const Matrix S = transport(cost, ones, ones).plan.dense();
  Places places(cost.rows());
  for (Index k = 0; k < cost.rows(); ++k) {
    S.row(k).maxCoeff(&places[k]);
  }
  return places;
}

// The diagonal entry of each row, then the row from its largest entry on: the same for any order of
// the nodes.
Matrix profiles(const Matrix& A) {
  Matrix sorted(A.rows(), A.cols() + 1);
  sorted << A.diagonal(), A;
  for (Index i = 0; i < A.rows(); ++i) {
    double* const first = &sorted(i, 0);
    std::sort(first + 1, first + 1 + A.cols(), std::greater<>());
  }
  return sorted;
}

Places place_parts(const Matrix& B, const Matrix& C, const Vector& q, int threads) {
  const Placement placement(B, C, q);
  Places best;
  double least = 0;
  for (Places places : {assign(row_distances(B, C, threads)),
                        assign(row_distances(profiles(B), profiles(C), threads))}) {
    placement.descend(places);
    const double value = placement.objective(places);
    if (best.empty() || value < least) {
      best = std::move(places);
      least = value;
    }
  }
  return best;
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
    const Matrix B = best_target(problem.source, parts, 1), C = problem.target.dense();
    if (!problem.balanced()) {
      const Places places = place_parts(B, C, q, threads);
      Assignment labels = parts.labels();
      for (NodeId& label : labels) label = static_cast<NodeId>(places[label]);
      return Plan::from_labels(h, labels, m);
    }
    const Matrix S =
        transport(row_distances(B, C, threads), q, *problem.target_weights).plan.dense();
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
  Vector q = plan.target_weights();
  if ((q.array() > 0).count() == 1) q.fill(q.sum() / static_cast<double>(q.size()));
  for (Index i = 0; i < T.rows(); ++i) {
    T.row(i) = 0.5 * (T.row(i) + plan.weights()[i] * q.transpose());
  }
  return Plan::from_dense(plan.weights(), std::move(T));
}

}  // namespace srgw::detail
