// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <variant>

#include "csr_rows.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

/// C_ij of a scaled CSR from its stored a_ij. In this order of the factors, left = right and
/// a_ij = a_ji make C symmetric to the last bit.
[[nodiscard]] inline double scaled_entry(const CsrStorage& form, Index row, Index column,
                                         double a) {
  const double left = form.left.size() == 0 ? 1.0 : form.left[row];
  const double right = form.right.size() == 0 ? 1.0 : form.right[column];
  return form.factor * (a * (left * right));
}

/// C_ij and C_ji at a place of a and its transpose; what is not stored is 0, however it is scaled.
[[nodiscard]] inline std::pair<double, double> scaled_entries(const CsrStorage& form,
                                                              const EntryPair& pair) {
  const auto [row, column, entry, mirrored] = pair;
  return {entry ? scaled_entry(form, row, column, *entry) : 0.0,
          mirrored ? scaled_entry(form, column, row, *mirrored) : 0.0};
}

[[nodiscard]] inline double diagonal_entry(const DiagonalStorage& form, Index row) {
  return form.entries.size() == 0 ? form.scale : form.scale * form.entries[row];
}

template <class Visit>
void for_each_entry(const DenseStorage& form, Index size, Visit visit) {
  for (Index row = 0; row < size; ++row) {
    for (Index column = 0; column < size; ++column) visit(row, column, form.matrix(row, column));
  }
}

template <class Visit>
void for_each_entry(const CsrStorage& form, Index, Visit visit) {
  for_each_entry(form.csr, [&](Index row, Index column, double a) {
    visit(row, column, scaled_entry(form, row, column, a));
  });
}

template <class Visit>
void for_each_entry(const DiagonalStorage& form, Index size, Visit visit) {
  for (Index row = 0; row < size; ++row) visit(row, row, diagonal_entry(form, row));
}

/// Calls `visit(row, column, C_ij)` for each stored entry, row by row: all that most operations
/// need to know about a storage.
template <class Visit>
void for_each_entry(const StructureStorage& storage, Visit visit) {
  std::visit([&](const auto& form) { for_each_entry(form, storage.size, visit); }, storage.form);
}

}  // namespace srgw::detail
