// SPDX-License-Identifier: MIT
#include "srgw/problem.hpp"

#include <algorithm>
#include <cmath>

#include "message.hpp"
#include "structure/entries.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

constexpr double mass_tolerance = 1e-8;

constexpr double largest_entry = detail::largest_entry_to_square;
constexpr double largest_cost = 1e300;  // its square

void check_entries(const char* name, const Structure& structure) {
  if (!(structure.largest_entry() <= largest_entry)) {
    fail_argument("{} has an entry of size {}, expected at most {}, or squares overflow", name,
                  structure.largest_entry(), largest_entry);
  }
}

void check_weights(VectorView weights, Index rows) {
  if (weights.size() != rows) {
    fail_argument("weights has {} entries, expected {}, one for each source node", weights.size(),
                  rows);
  }
  for (Index i = 0; i < rows; ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i]))) {
      fail_argument("weights[{}] is {}, expected a finite number >= 0", i, weights[i]);
    }
  }
  if (const double sum = weights.sum(); !(std::abs(sum - 1) <= mass_tolerance)) {
    fail_argument("weights sum to {}, expected 1", sum);
  }
}

void check_features(const FusedTerm& features, Index rows, Index columns) {
  const auto& [cost, alpha] = features;
  if (!(alpha >= 0 && alpha <= 1)) {
    fail_argument("alpha is {}, expected a number in [0, 1]", alpha);
  }
  if (cost.rows() != rows || cost.cols() != columns) {
    fail_argument("cost is {} x {}, expected {} x {}", cost.rows(), cost.cols(), rows, columns);
  }
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < columns; ++k) {
      if (!(std::abs(cost(i, k)) <= largest_cost)) {
        fail_argument("cost({}, {}) is {}, expected a number of size at most {}", i, k, cost(i, k),
                      largest_cost);
      }
    }
  }
}

double inner(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

/// (1 - alpha) M, or zeros.
Matrix linear_cost(const Problem& problem) {
  if (!problem.features) return Matrix::Zero(problem.rows(), problem.columns());
  return (1 - problem.alpha()) * problem.features->cost;
}

/// P Cbar': each row of P is multiplied by Cbar.
Matrix times_transposed(Matrix P, const Structure& Cbar) {
  for (Index i = 0; i < P.rows(); ++i) P.row(i) = Cbar.product(Vector(P.row(i))).transpose();
  return P;
}

/// P Cbar.
Matrix times(Matrix P, const Structure& Cbar) {
  for (Index i = 0; i < P.rows(); ++i) {
    P.row(i) = Cbar.transposed_product(Vector(P.row(i))).transpose();
  }
  return P;
}

/// (C o C)x + (C o C)'x, the derivative of x'(C o C)x.
Vector square_form_gradient(const Structure& C, VectorView x) {
  Vector result = Vector::Zero(x.size());
  detail::for_each_entry(C.storage(), [&](Index i, Index j, double entry) {
    result[i] += entry * entry * x[j];
    result[j] += entry * entry * x[i];
  });
  return result;
}

/// The gradient without [(C o C)h + (C o C)'h]_i, which is constant along a row: where rows move
/// mass but do not gain any, it has no say, and its rounding would only hide small differences.
Matrix reduced_gradient(const Problem& problem, const Plan& plan) {
  const auto& [C, h, Cbar, features] = problem;
  const Vector column_part = square_form_gradient(Cbar, plan.target_weights());
  Matrix G =
      -2 * (times_transposed(C.product(plan), Cbar) + times(C.transposed_product(plan), Cbar));
  G.rowwise() += column_part.transpose();
  return problem.alpha() * G + linear_cost(problem);
}

void check_both(const Problem& problem, const Plan& plan) {
  check(problem);
  check(problem, plan);
}

}  // namespace

void check(const Problem& problem) {
  check_entries("source", problem.source);
  check_entries("target", problem.target);
  check_weights(problem.weights, problem.rows());
  if (problem.features) check_features(*problem.features, problem.rows(), problem.columns());
}

void check(const Problem& problem, const Plan& plan) {
  if (plan.rows() != problem.rows() || plan.columns() != problem.columns()) {
    fail_argument("plan is {} x {}, expected {} x {}", plan.rows(), plan.columns(), problem.rows(),
                  problem.columns());
  }
  for (Index i = 0; i < plan.rows(); ++i) {
    if (!(std::abs(plan.weights()[i] - problem.weights[i]) <= mass_tolerance)) {
      fail_argument("row {} of the plan sums to {}, expected its weight {}", i, plan.weights()[i],
                    problem.weights[i]);
    }
  }
}

Value value(const Problem& problem, const Plan& plan) {
  check_both(problem, plan);
  const auto& [C, h, Cbar, features] = problem;
  const Matrix T = plan.dense();
  const double kappa = C.square_form(h);
  const double target_part = Cbar.square_form(plan.target_weights());
  const double cross = inner(T, times_transposed(C.product(plan), Cbar));
  // E is a sum of squares: what is below zero is rounding.
  const double E = std::max(0.0, kappa + target_part - 2 * cross);
  return {.quad = problem.alpha() * E, .linear = inner(linear_cost(problem), T)};
}

Matrix gradient(const Problem& problem, const Plan& plan) {
  check_both(problem, plan);
  Matrix G = reduced_gradient(problem, plan);
  G.colwise() += problem.alpha() * square_form_gradient(problem.source, problem.weights);
  return G;
}

double Line::step() const {
  if (a > 0) return std::clamp(-b / a / 2, 0.0, 1.0);
  return a + b < 0 ? 1 : 0;
}

Line line(const Problem& problem, const Plan& from, const Plan& to) {
  check_both(problem, from);
  check(problem, to);
  const auto& [C, h, Cbar, features] = problem;
  const Matrix D = to.dense() - from.dense();
  const Matrix CD = C.product(to) - C.product(from);
  const Vector dq = to.target_weights() - from.target_weights();
  return {.a = problem.alpha() * (Cbar.square_form(dq) - 2 * inner(D, times_transposed(CD, Cbar))),
          .b = inner(reduced_gradient(problem, from), D)};
}

}  // namespace srgw
