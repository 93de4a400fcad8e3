// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "io/formats/npy.hpp"
#include "srgw/graph.hpp"

namespace srgw::detail {

/// The three vectors of a CSR matrix of SciPy.
struct ScipyRows {
  NpyVector offsets, columns, values;
};

/// The rows of a matrix with `size` rows, and empty ones up to `nodes`; sorted where they are not.
/// Values are left out if all are 1. Nothing where numbers are out of range or not finite, or where
/// an entry is given twice.
[[nodiscard]] std::optional<Csr> rows_of_scipy(const ScipyRows& rows, Index size, Index nodes,
                                               int threads);

}  // namespace srgw::detail
