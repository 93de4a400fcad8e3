// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <variant>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "graph/csr_rows.hpp"
#include "structure/storage.hpp"
#include "structure/without_rows.hpp"

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
  StopCounter stop(16);
  for (Index row = 0; row < size; ++row) {
    stop.throw_if_stopped();
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

/// Throws when going through all entries of a structure without rows is out of reach.
inline void check_size_without_rows(Index size) {
  constexpr Index most = 20'000;
  if (size > most) {
    fail_resource(
        "all entries of a structure of size {} that has no rows, expected at most {}; use "
        "its products",
        size, most);
  }
}

/// Low rank and implicit kernels are symmetric: some rows are the product with some unit vectors.
template <class Form, class Visit>
requires(!form_has_rows<Form>) void for_each_entry(const Form& form, Index size, Visit visit) {
  constexpr Index panel = 16;
  check_size_without_rows(size);
  for (Index first = 0; first < size; first += panel) {
    const Index count = std::min(panel, size - first);
    Matrix unit = Matrix::Zero(size, count);
    unit.middleRows(first, count).setIdentity();
    const Matrix columns = multiply(form, unit, 1);
    for (Index row = 0; row < count; ++row) {
      for (Index column = 0; column < size; ++column) {
        visit(first + row, column, columns(column, row));
      }
    }
  }
}

/// Calls `visit(row, column, C_ij)` for each stored entry, row by row: all that most operations
/// need to know about a storage. All entries where none are stored.
template <class Visit>
void for_each_entry(const StructureStorage& storage, Visit visit) {
  std::visit([&](const auto& form) { for_each_entry(form, storage.size, visit); }, storage.form);
}
template <class Visit>
void for_each_entry(const Structure& structure, Visit visit) {
  for_each_entry(storage_of(structure), visit);
}

}  // namespace srgw::detail
