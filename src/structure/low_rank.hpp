// SPDX-License-Identifier: MIT
#pragma once

#include "structure/storage.hpp"

namespace srgw::detail {

/// C X in O(n r) for each column.
[[nodiscard]] Matrix multiply(const LowRankStorage& form, MatrixView X, int threads);

/// h'(C o C)h = sum_kl values_k values_l (F'diag(h)F)_kl^2, in O(n r^2).
[[nodiscard]] double square_form(const LowRankStorage& form, VectorView h);

/// |C_ij| is at most the larger of its two diagonal entries, taken with |values|.
[[nodiscard]] double largest_entry_bound(const LowRankStorage& form);

}  // namespace srgw::detail
