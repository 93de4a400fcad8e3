// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/structure.hpp"
#include "structure/storage.hpp"

// Operations of the storages that are known through products only.

namespace srgw::detail {

/// C X in O(n r) for each column.
[[nodiscard]] Matrix multiply(const LowRankStorage& form, MatrixView X, int threads);

/// h'(C o C)h = sum_kl values_k values_l (F'diag(h)F)_kl^2, in O(n r^2).
[[nodiscard]] double square_form(const LowRankStorage& form, VectorView h);

/// |C_ij| is at most the larger of its two diagonal entries, taken with |values|.
[[nodiscard]] double largest_entry_bound(const LowRankStorage& form);

/// C X.
[[nodiscard]] Matrix multiply(const ImplicitKernelStorage& form, MatrixView X, int threads);

/// Up to so many nodes h'(C o C)h is summed over all entries, a panel of columns at a time.
inline constexpr Index most_nodes_squared = 5000;

/// h'(C o C)h: exact or estimated, by the number of nodes.
[[nodiscard]] SquareForm square_form(const ImplicitKernelStorage& form, VectorView h, int threads);
[[nodiscard]] double exact_square_form(const ImplicitKernelStorage& form, VectorView h,
                                       int threads);
/// With M = diag(h)^1/2 C diag(h)^1/2 the form is tr(M^2) = |M Q|^2 + tr((I - QQ') M^2 (I - QQ')).
/// Q spans M times 16 random vectors and takes what is large and would make an estimate vary; the
/// rest is the mean of |M (I - QQ')z|^2 over 32 random vectors of signs z.
[[nodiscard]] SquareForm estimate_square_form(const ImplicitKernelStorage& form, VectorView h,
                                              int threads);

/// |C_ij| <= factor outer_i outer_j, since no entry of the exponential is above its norm, 1.
[[nodiscard]] double largest_entry_bound(const ImplicitKernelStorage& form);
[[nodiscard]] double error_bound(const ImplicitKernelStorage& form);

/// Y = C X of a storage without rows; x and y are row-major n x columns arrays.
void multiply_whole(const StructureStorage& storage, const double* x, Index columns, double* y,
                    int threads);

}  // namespace srgw::detail
