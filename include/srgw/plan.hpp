// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

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

}  // namespace srgw
