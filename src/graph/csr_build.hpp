// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "graph/csr_rows.hpp"
#include "srgw/graph.hpp"

namespace srgw::detail {

/// Throws unless 1 <= rows < 2^32, so that a NodeId can name each of them.
void check_row_count(Index rows);

/// By how much the two weights of an undirected edge may differ, of the larger one.
inline constexpr double symmetry_tolerance = 1e-12;

/// The checks of check() for the rows [begin, end) alone: first the offsets of all rows, then
/// what they lead to.
void check_offsets(const Csr& csr, Index begin, Index end);
void check_entries(const Csr& csr, Index begin, Index end);

/// Puts a matrix together from offsets in full width, which are narrowed when they are small.
[[nodiscard]] inline Csr assemble(std::vector<std::uint64_t> offsets, std::vector<NodeId> columns,
                                  std::vector<double> values) {
  Csr csr;
  csr.columns = std::move(columns);
  csr.values = std::move(values);
  if (csr.columns.size() <= std::numeric_limits<std::uint32_t>::max()) {
    std::vector<std::uint32_t> narrow(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      narrow[i] = static_cast<std::uint32_t>(offsets[i]);
    }
    csr.offsets = SharedArray<std::uint32_t>(std::move(narrow));
  } else {
    csr.offsets = SharedArray<std::uint64_t>(std::move(offsets));
  }
  return csr;
}

/// The rows of a matrix with the entries for which `keep(row, column, value)` is true; arrays are
/// shared where that is all of them.
template <class Keep>
[[nodiscard]] Csr keep_entries(const Csr& matrix, const Keep& keep) {
  return with_rows(matrix, [&](const auto& rows) {
    bool all = true;
    for (Index i = 0; i < rows.size() && all; ++i) {
      for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
        all = all && keep(i, Index{rows.columns[e]}, rows.value(e));
      }
    }
    if (all) return matrix;
    std::vector<std::uint64_t> offsets{0};
    std::vector<NodeId> columns;
    std::vector<double> values;
    offsets.reserve(rows.offsets.size());
    columns.reserve(rows.columns.size());
    for (Index i = 0; i < rows.size(); ++i) {
      for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
        if (!keep(i, Index{rows.columns[e]}, rows.value(e))) continue;
        columns.push_back(rows.columns[e]);
        if (!rows.values.empty()) values.push_back(rows.values[e]);
      }
      offsets.push_back(columns.size());
    }
    return Csr{SharedArray<std::uint64_t>(std::move(offsets)), std::move(columns),
               std::move(values)};
  });
}

/// Writes a matrix row by row, columns in order. Values are stored from the first that is not 1 on,
/// so that an unweighted graph never pays for them.
class CsrBuilder {
 public:
  CsrBuilder(Index rows, Index expected_entries) : expected_entries_(expected_entries) {
    offsets_.reserve(rows + 1);
    offsets_.push_back(0);
    columns_.reserve(expected_entries_);
  }

  /// Appends an entry to `row`, which is the last one or a later one.
  void add(Index row, Index column, double value) {
    end_rows_before(row);
    if (value != 1 && !has_values_) start_values();
    if (has_values_) values_.push_back(value);
    columns_.push_back(static_cast<NodeId>(column));
  }

  [[nodiscard]] Csr finish(Index rows) && {
    end_rows_before(rows);
    return assemble(std::move(offsets_), std::move(columns_), std::move(values_));
  }

 private:
  void end_rows_before(Index row) {
    while (std::ssize(offsets_) <= row) offsets_.push_back(columns_.size());
  }
  void start_values() {
    has_values_ = true;
    values_.reserve(expected_entries_);
    values_.assign(columns_.size(), 1.0);
  }

  std::size_t expected_entries_;
  std::vector<std::uint64_t> offsets_;
  std::vector<NodeId> columns_;
  std::vector<double> values_;
  bool has_values_ = false;
};

/// The matrix of `value(row, column, a)` at the places that `csr` stores. The pattern is shared.
template <class Value>
[[nodiscard]] Csr map_values(const Csr& csr, const Value& value) {
  std::vector<double> values;
  values.reserve(csr.columns.size());
  for_each_entry(
      csr, [&](Index row, Index column, double a) { values.push_back(value(row, column, a)); });
  return {.offsets = csr.offsets, .columns = csr.columns, .values = std::move(values)};
}

/// The larger weight of both directions.
[[nodiscard]] inline double larger_weight(const EntryPair& pair) {
  if (!pair.first || !pair.second) return pair.first ? *pair.first : *pair.second;
  return std::max(*pair.first, *pair.second);
}

/// Throws unless each weight of some rows, the first of which is `first_row` of the whole matrix,
/// equals, up to rounding, that in the same rows of the transposed matrix.
void check_symmetric(const Csr& rows, const Csr& transposed, Index first_row = 0);

/// The matrix of `combine(pair)` over all places that `a` or `b` stores; both have the same size.
template <class Combine>
[[nodiscard]] Csr unite(const Csr& a, const Csr& b, Combine combine) {
  CsrBuilder builder(a.rows(), a.entries() + b.entries());
  for_each_pair(a, b,
                [&](const EntryPair& pair) { builder.add(pair.row, pair.column, combine(pair)); });
  return std::move(builder).finish(a.rows());
}

}  // namespace srgw::detail
