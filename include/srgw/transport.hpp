// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <memory>

#include "srgw/fields.hpp"
#include "srgw/plan.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// A plan that moves masses a (n) onto masses b (m) at cost M (n x m).
struct Transport {
  Plan plan;        ///< T >= 0 with row sums a and column sums b
  double cost = 0;  ///< <M, T>
  /// Dual solution: u_i + v_k <= M_ik, and a'u + b'v = cost - gap. With entropy: T_ik =
  /// exp((u_i + v_k - M_ik) / epsilon).
  Vector row_potentials, column_potentials;
  double gap = 0;   ///< the cost is that close to the least one; 0 up to rounding when converged
  Index steps = 0;  ///< pivots, or scalings
  bool converged = false;
};

/// Exact optimal transport by the network simplex. Masses must not be negative, their sums equal to
/// 1e-8 (then b is scaled to a); zeros are allowed, and costs of any sign. Throws an argument error
/// otherwise. The plan has at most n + m - 1 entries.
[[nodiscard]] Transport transport(MatrixView cost, VectorView row_masses, VectorView column_masses);

/// Solves with a basis that is kept: where the masses are those of the last call, the search goes
/// on from its solution.
class TransportSolver {
 public:
  TransportSolver();
  TransportSolver(TransportSolver&&) noexcept;
  TransportSolver& operator=(TransportSolver&&) noexcept;
  ~TransportSolver();

  [[nodiscard]] Transport solve(MatrixView cost, VectorView row_masses, VectorView column_masses);
  /// Pivots at most, for each call; the plan is feasible but not optimal when they do not suffice.
  Index max_pivots = std::numeric_limits<Index>::max();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace srgw
