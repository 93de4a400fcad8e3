// SPDX-License-Identifier: MIT
#include "srgw/plan.hpp"

#include <algorithm>
#include <cmath>

#include "base/masses.hpp"
#include "base/message.hpp"
#include "base/span_of.hpp"
#include "transport/basis.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

constexpr double mass_tolerance = 1e-8;
constexpr double largest_cost = 1e300;

void check_cost(MatrixView cost) {
  if (cost.size() == 0) {
    fail_argument("cost is {} x {}, expected at least one row and column", cost.rows(),
                  cost.cols());
  }
  for (Index i = 0; i < cost.rows(); ++i) {
    for (Index k = 0; k < cost.cols(); ++k) {
      if (!(std::abs(cost(i, k)) <= largest_cost)) {
        fail_argument("cost({}, {}) is {}, expected a number of size at most {}", i, k, cost(i, k),
                      largest_cost);
      }
    }
  }
}

/// Checks all of it and returns b, scaled to the sum of a.
Vector balanced_masses(MatrixView cost, VectorView a, VectorView b) {
  check_cost(cost);
  const double mass = detail::positive_sum_of_masses("row masses", a, cost.rows(), " as the cost");
  const double other =
      detail::positive_sum_of_masses("column masses", b, cost.cols(), " as the cost");
  if (!(std::abs(mass - other) <= mass_tolerance * mass)) {
    fail_argument("row masses sum to {}, column masses to {}, expected the same; scale one of them",
                  mass, other);
  }
  return b * (mass / other);
}

Plan plan_of(std::span<const detail::TransportBasis::Flow> flows, VectorView weights,
             Index columns) {
  ShortRows rows;
  rows.offsets.assign(weights.size() + 1, 0);
  for (const auto& flow : flows) {
    ++rows.offsets[flow.row + 1];
    rows.columns.push_back(static_cast<NodeId>(flow.column));
    rows.masses.push_back(flow.mass);
  }
  for (std::size_t i = 1; i < rows.offsets.size(); ++i) rows.offsets[i] += rows.offsets[i - 1];
  return Plan({.weights = {weights.begin(), weights.end()},
               .columns = columns,
               .storage = std::move(rows)});
}

}  // namespace

struct TransportSolver::Impl {
  detail::TransportBasis basis;
};

TransportSolver::TransportSolver() : impl_(std::make_unique<Impl>()) {}
TransportSolver::TransportSolver(TransportSolver&&) noexcept = default;
TransportSolver& TransportSolver::operator=(TransportSolver&&) noexcept = default;
TransportSolver::~TransportSolver() = default;

Transport TransportSolver::solve(MatrixView cost, VectorView row_masses, VectorView column_masses) {
  const Vector b = balanced_masses(cost, row_masses, column_masses);
  detail::TransportBasis& basis = impl_->basis;
  basis.set_masses(detail::span_of(row_masses), detail::span_of(b));
  Transport result;
  result.converged = basis.solve(cost.data(), cost.outerStride(), max_pivots);
  result.steps = basis.pivots();
  for (const auto& flow : basis.flows()) result.cost += flow.mass * cost(flow.row, flow.column);
  basis.potentials(cost.data(), cost.outerStride(), result.row_potentials,
                   result.column_potentials);
  const double dual = row_masses.dot(result.row_potentials) + b.dot(result.column_potentials);
  result.gap = std::max(0.0, result.cost - dual);
  result.plan = plan_of(basis.flows(), row_masses, cost.cols());
  return result;
}

Transport transport(MatrixView cost, VectorView row_masses, VectorView column_masses) {
  return TransportSolver().solve(cost, row_masses, column_masses);
}

}  // namespace srgw
