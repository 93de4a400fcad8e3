// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "srgw/plan.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// How error messages name the nodes of both sides; by default by their numbers.
struct PairNames {
  std::function<std::string(Index)> row, column;
};

/// The columns that each row of a plan may use. By default all of them, which costs nothing. Copies
/// share their storage, whose size is that of the forbidden pairs and the rows.
class AllowedPairs {
 public:
  /// Everything is allowed.
  AllowedPairs() = default;
  /// All pairs but the forbidden ones; of a row with an anchor only that. Pairs may be repeated.
  /// Throws an argument error when a pair does not exist, when an anchor is forbidden or differs
  /// from another one of its row, and when a row has no column left.
  AllowedPairs(Index rows, Index columns, std::span<const NodePair> forbidden,
               std::span<const NodePair> anchors = {}, const PairNames& names = {});

  /// Whether no pair is forbidden.
  [[nodiscard]] bool everything() const { return data_ == nullptr; }
  [[nodiscard]] Index rows() const { return everything() ? 0 : data_->rows; }
  [[nodiscard]] Index columns() const { return everything() ? 0 : data_->columns; }

  // For a row of constrained problems:
  [[nodiscard]] bool allows(Index row, Index column) const;
  /// Whether all columns are.
  [[nodiscard]] bool allows_all(Index row) const;
  /// How many columns are allowed.
  [[nodiscard]] Index count(Index row) const;
  /// The allowed column number `place` of them, in ascending order.
  [[nodiscard]] Index nth(Index row, Index place) const;
  /// The column itself, or the next one that is allowed, the first after the last.
  [[nodiscard]] Index next(Index row, Index column) const;
  /// Calls visit(column) for what is forbidden, ascending.
  template <class Visit>
  void for_each_forbidden(Index row, const Visit& visit) const {
    if (everything()) return;
    if (const Index anchor = anchor_of(row); anchor >= 0) {
      for (Index k = 0; k < data_->columns; ++k) {
        if (k != anchor) visit(k);
      }
      return;
    }
    for (const NodeId k : forbidden_of(row)) visit(Index{k});
  }

  /// The plan with the mass of each row on allowed columns: that of forbidden ones is shared over
  /// the others in their proportions, or goes to the next allowed column where the row has no
  /// others. Rows that use allowed columns only stay as they are.
  [[nodiscard]] Plan project(const Plan& plan) const;

 private:
  struct Data {
    Index rows = 0, columns = 0;
    std::vector<std::uint64_t> offsets;  // rows + 1
    std::vector<NodeId> forbidden;       // ascending in each row
    std::vector<NodeId> anchors;         // `no_anchor` for none; empty: no row has one
  };
  static constexpr NodeId no_anchor = ~NodeId{0};

  [[nodiscard]] Index anchor_of(Index row) const {
    if (data_->anchors.empty() || data_->anchors[row] == no_anchor) return -1;
    return data_->anchors[row];
  }
  [[nodiscard]] std::span<const NodeId> forbidden_of(Index row) const {
    const auto i = static_cast<std::size_t>(row);
    return std::span(data_->forbidden)
        .subspan(data_->offsets[i], data_->offsets[i + 1] - data_->offsets[i]);
  }
  static void read_anchors(Data& data, std::span<const NodePair> anchors, const PairNames& names);
  static void read_forbidden(Data& data, std::span<const NodePair> forbidden);
  void check_rows(const PairNames& names) const;

  std::shared_ptr<const Data> data_;
};

}  // namespace srgw
