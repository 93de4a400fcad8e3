// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <variant>

#include "srgw/types.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

/// The rows of a source structure as plain pointers: what inner loops read. Left and right scalings
/// of a CSR are not in them.
class SourceRows {
 public:
  struct Entries {
    std::span<const NodeId> columns;
    const double* values = nullptr;  ///< null: ones
  };

  SourceRows() = default;
  /// The storage must be dense or CSR, and outlive the rows.
  explicit SourceRows(const StructureStorage& storage) : size_(storage.size) {
    if (const auto* dense = std::get_if<DenseStorage>(&storage.form)) {
      dense_ = dense->matrix.data();
      return;
    }
    set(std::get<CsrStorage>(storage.form).csr);
  }
  /// Some rows of a matrix; their columns may lie past the last row.
  explicit SourceRows(const Csr& csr) : size_(csr.rows()) { set(csr); }

  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] bool dense() const { return dense_ != nullptr; }
  [[nodiscard]] bool unit() const { return dense_ == nullptr && values_ == nullptr; }
  [[nodiscard]] const double* dense_row(Index row) const { return dense_ + row * size_; }
  [[nodiscard]] Entries sparse_row(Index row) const {
    const std::uint64_t begin = offset(row);
    return {{columns_ + begin, offset(row + 1) - begin},
            values_ != nullptr ? values_ + begin : nullptr};
  }
  [[nodiscard]] std::uint64_t offset(Index row) const {
    return narrow_offsets_ != nullptr ? narrow_offsets_[row] : wide_offsets_[row];
  }
  [[nodiscard]] const NodeId* columns() const { return columns_; }

  /// Calls `visit(column, value)` for the stored entries of a row.
  template <class Visit>
  void for_each(Index row, const Visit& visit) const {
    if (dense()) {
      const double* c = dense_row(row);
      for (Index i = 0; i < size_; ++i) visit(i, c[i]);
      return;
    }
    const Entries entries = sparse_row(row);
    if (entries.values == nullptr) {
      for (const NodeId i : entries.columns) visit(static_cast<Index>(i), 1.0);
    } else {
      for (std::size_t e = 0; e < entries.columns.size(); ++e) {
        visit(static_cast<Index>(entries.columns[e]), entries.values[e]);
      }
    }
  }

 private:
  void set(const Csr& csr) {
    columns_ = csr.columns.data();
    values_ = csr.has_values() ? csr.values.data() : nullptr;
    if (const auto* narrow = std::get_if<SharedArray<std::uint32_t>>(&csr.offsets)) {
      narrow_offsets_ = narrow->data();
    } else {
      wide_offsets_ = std::get<SharedArray<std::uint64_t>>(csr.offsets).data();
    }
  }

  Index size_ = 0;
  const double* dense_ = nullptr;
  const NodeId* columns_ = nullptr;
  const double* values_ = nullptr;
  const std::uint32_t* narrow_offsets_ = nullptr;
  const std::uint64_t* wide_offsets_ = nullptr;
};

}  // namespace srgw::detail
