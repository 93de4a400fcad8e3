// SPDX-License-Identifier: MIT
#include "structure/plain_rows.hpp"

#include <vector>

#include "base/message.hpp"
#include "graph/csr_build.hpp"
#include "structure/entries.hpp"

namespace srgw::detail {

namespace {

Structure diagonal_as_csr(const DiagonalStorage& diagonal, Index size) {
  std::vector<Entry> entries(size);
  for (Index i = 0; i < size; ++i) {
    const auto node = static_cast<NodeId>(i);
    entries[i] = {node, node, diagonal_entry(diagonal, i)};
  }
  return Structure::csr(make_csr(size, entries, Duplicates::refuse), true);
}

bool is_scaled(const CsrStorage& csr) {
  return csr.left.size() > 0 || csr.right.size() > 0 || csr.factor != 1;
}

Structure without_scaling(const CsrStorage& scaled, bool symmetric) {
  const auto entry = [&](Index i, Index j, double a) { return scaled_entry(scaled, i, j, a); };
  return Structure::csr(map_values(scaled.csr, entry), symmetric);
}

}  // namespace

Structure with_plain_rows(const Structure& structure, bool keep_scaling) {
  const auto& form = storage_of(structure).form;
  if (!structure.has_rows()) {
    fail_argument(
        "a structure of size {} known through products only (low rank or implicit), "
        "expected one that has rows",
        structure.size());
  }
  if (const auto* diagonal = std::get_if<DiagonalStorage>(&form)) {
    return diagonal_as_csr(*diagonal, structure.size());
  }
  if (const auto* csr = std::get_if<CsrStorage>(&form);
      csr != nullptr && !keep_scaling && is_scaled(*csr)) {
    return without_scaling(*csr, structure.symmetric());
  }
  return structure;
}

}  // namespace srgw::detail
