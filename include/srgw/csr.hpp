// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <variant>

#include "srgw/types.hpp"

namespace srgw {

/// A square sparse pattern in compressed rows, with or without values. Columns of a row are sorted
/// and unique. Offsets are 32 bits wide while that suffices.
struct Csr {
  std::variant<SharedArray<std::uint32_t>, SharedArray<std::uint64_t>> offsets;  ///< rows + 1
  SharedArray<NodeId> columns;
  SharedArray<double> values;  ///< empty: every stored entry is 1

  [[nodiscard]] Index rows() const;
  [[nodiscard]] Index entries() const { return static_cast<Index>(columns.size()); }
  [[nodiscard]] bool has_values() const { return !values.empty(); }
};

/// One entry of a matrix, for building.
struct Entry {
  NodeId row = 0, column = 0;
  double value = 1;
};

/// What to do with entries that name the same place.
enum class Duplicates { refuse, sum, maximum, first };

/// Sorts entries into rows. Throws when an index is not below `rows`, a value is not finite, or a
/// place is named twice and `duplicates` refuses that. Values are dropped when all are 1.
[[nodiscard]] Csr make_csr(Index rows, std::span<const Entry> entries, Duplicates duplicates);

/// Throws unless offsets rise from 0 to entries(), columns are below rows(), sorted and unique in
/// each row, and values (if any) are finite and as many as columns.
void check(const Csr& csr);

/// The same entries, by column. This and what follows expects a matrix that check() accepts.
[[nodiscard]] Csr transpose(const Csr& csr);

/// (C + C')/2, on the union of both patterns.
[[nodiscard]] Csr symmetrize(const Csr& csr);

/// Whether C equals C' up to `tolerance` times the largest entry.
[[nodiscard]] bool is_symmetric(const Csr& csr, double tolerance);

}  // namespace srgw
