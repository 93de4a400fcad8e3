// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "srgw/types.hpp"

namespace srgw {

/// One target column for each row, as narrow as the number of columns allows.
using Labels =
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

/// Rows of a plan as short lists of (column, mass); columns of a row are sorted and unique.
struct ShortRows {
  std::vector<std::uint64_t> offsets;  ///< rows + 1
  std::vector<NodeId> columns;
  std::vector<double> masses;
};

/// The plan h r', which has rank one.
struct ProductRows {
  Vector shares;  ///< r: non-negative, sums to 1
};

/// A transport plan T (n x m): non-negative, rows sum to the weights h. One value, four storages,
/// so that a million nodes on a thousand blocks never become an n x m array by accident.
class Plan {
 public:
  using Storage = std::variant<Labels, ShortRows, ProductRows, Matrix>;

  /// T_ik = h_i [k = labels_i]. Throws when a label is not below `columns`.
  static Plan from_labels(const Vector& weights, std::span<const NodeId> labels, Index columns);
  /// T_ik = h_i r_k. Throws unless `shares` are non-negative with sum 1 (to 1e-8; then normalised).
  static Plan from_product(const Vector& weights, Vector shares);
  /// Throws unless entries are non-negative and each row sums to its weight (to 1e-8, or to
  /// a millionth of the mean weight where that is less).
  static Plan from_rows(const Vector& weights, ShortRows rows, Index columns);
  static Plan from_dense(const Vector& weights, Matrix plan);

  Plan() = default;

  [[nodiscard]] Index rows() const { return static_cast<Index>(weights_.size()); }
  [[nodiscard]] Index columns() const { return columns_; }
  [[nodiscard]] VectorSpan weights() const { return {weights_.data(), rows()}; }
  /// True when no row is spread over several columns by its storage.
  [[nodiscard]] bool is_assignment() const { return std::holds_alternative<Labels>(storage_); }

  /// The column with the most mass in each row, the first of several.
  [[nodiscard]] Assignment labels() const;
  /// Column sums q (m): the weights that the plan gives to the target.
  [[nodiscard]] Vector target_weights() const;
  /// The n x m array. Throws a resource error when its size overflows.
  [[nodiscard]] Matrix dense() const;
  [[nodiscard]] ShortRows short_rows() const;

  [[nodiscard]] const Storage& storage() const { return storage_; }

  /// Solvers write plans whose rows are right by construction.
  struct Trusted {
    std::vector<double> weights;
    Index columns = 0;
    Storage storage;
  };
  explicit Plan(Trusted parts)
      : weights_(std::move(parts.weights)),
        columns_(parts.columns),
        storage_(std::move(parts.storage)) {}
  /// Gives the parts back, to write the next plan into.
  [[nodiscard]] Trusted release() {
    return {std::move(weights_), std::exchange(columns_, 0), std::move(storage_)};
  }

 private:
  std::vector<double> weights_;
  Index columns_ = 0;
  Storage storage_;
};

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
