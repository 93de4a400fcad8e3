// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <variant>

#include "srgw/graph.hpp"

namespace srgw::detail {

/// The rows of a Csr, with the width of the offsets known.
template <class Offset>
struct CsrRows {
  std::span<const Offset> offsets;
  std::span<const NodeId> columns;
  std::span<const double> values;  ///< empty: ones

  [[nodiscard]] Index size() const { return static_cast<Index>(offsets.size()) - 1; }
  [[nodiscard]] std::size_t begin(Index row) const { return offsets[row]; }
  [[nodiscard]] std::size_t end(Index row) const { return offsets[row + 1]; }
  [[nodiscard]] double value(std::size_t entry) const {
    return values.empty() ? 1.0 : values[entry];
  }
};

/// Calls `work(rows)` with the rows of a matrix; the width of the offsets is looked up here, once.
template <class Work>
decltype(auto) with_rows(const Csr& csr, Work&& work) {
  return std::visit(
      [&]<class Offset>(const SharedArray<Offset>& offsets) -> decltype(auto) {
        return work(CsrRows<Offset>{offsets.view(), csr.columns.view(), csr.values.view()});
      },
      csr.offsets);
}

/// Calls `visit(row, column, value)` for each stored entry, row by row.
template <class Visit>
void for_each_entry(const Csr& csr, Visit visit) {
  with_rows(csr, [&](const auto& rows) {
    for (Index row = 0; row < rows.size(); ++row) {
      for (std::size_t entry = rows.begin(row); entry < rows.end(row); ++entry) {
        visit(row, Index{rows.columns[entry]}, rows.value(entry));
      }
    }
  });
}

/// One place of two matrices; what is not stored there is absent.
struct EntryPair {
  Index row = 0, column = 0;
  std::optional<double> first, second;
};

/// Reads a row from left to right.
template <class Offset>
class RowCursor {
 public:
  /// A column that no matrix has: there are at most 2^32 - 1 of them, numbered from 0.
  static constexpr NodeId past_the_end = std::numeric_limits<NodeId>::max();

  RowCursor(const CsrRows<Offset>& rows, Index row)
      : rows_(rows), entry_(rows.begin(row)), end_(rows.end(row)) {}

  [[nodiscard]] NodeId column() const {
    return entry_ < end_ ? rows_.columns[entry_] : past_the_end;
  }
  /// The value in `column` and a step beyond it, or nothing when the row stores no such column.
  std::optional<double> take(NodeId column) {
    if (this->column() != column) return std::nullopt;
    return rows_.value(entry_++);
  }

 private:
  const CsrRows<Offset>& rows_;
  std::size_t entry_, end_;
};

/// Calls `visit(pair)` for each place that one of two matrices of equal size stores, row by row and
/// in the order of columns.
template <class Visit>
void for_each_pair(const Csr& a, const Csr& b, Visit visit) {
  with_rows(a, [&](const auto& first_rows) {
    with_rows(b, [&](const auto& second_rows) {
      for (Index row = 0; row < first_rows.size(); ++row) {
        RowCursor first(first_rows, row);
        RowCursor second(second_rows, row);
        for (;;) {
          const NodeId column = std::min(first.column(), second.column());
          if (column == decltype(first)::past_the_end) break;
          visit(EntryPair{row, column, first.take(column), second.take(column)});
        }
      }
    });
  });
}

}  // namespace srgw::detail
