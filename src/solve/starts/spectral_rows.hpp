// SPDX-License-Identifier: MIT
#pragma once

#include "base/kmeans.hpp"
#include "srgw/problem.hpp"

namespace srgw::detail {

/// Clusters of the source's nodes by k-means on leading eigenvectors. With
/// M_ij = h_i C_ij h_j and v_i = sum_j |M_ij| the matrix is N = V^-1/2 M V^-1/2 (for adjacency and
/// for modularity alike the normalised adjacency). A block of random vectors is filtered by a
/// Chebyshev polynomial that is small below the bulk of the spectrum, and rotated to Ritz vectors.
[[nodiscard]] Assignment spectral_labels(const Problem& problem, const KMeansOptions& options);

}  // namespace srgw::detail
