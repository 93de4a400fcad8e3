// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "base/kmeans.hpp"
#include "srgw/problem.hpp"

namespace srgw::detail {

/// Parts of the nodes of a structure: (structure, its node weights, number of parts) -> labels.
using Partition = std::function<Assignment(const Structure&, const Vector&, Index)>;

/// A plan from a partition of the larger side. The partitioned structure is averaged over its
/// parts. Where target weights are free and the source is the larger side, parts go to target nodes
/// one to one, whatever their masses: a permutation with a low objective, found by swaps from two
/// assignments. Otherwise they are split over nodes of the smaller side by an exact transport whose
/// costs are the distances between rows of the two matrices (a heuristic: rows are compared entry
/// by entry, in the order of nodes). With as many nodes on both sides there is nothing to
/// partition.
[[nodiscard]] Plan align_plan(const Problem& problem, const Partition& partition, int threads);

/// share T, a plan of the partial problem.
[[nodiscard]] Plan part_of(const Plan& plan, double share);

/// (T + h q')/2 with q the column sums of T, or equal ones where one column has all mass.
[[nodiscard]] Plan soften(const Plan& plan);

/// Asynchronous fluid communities (Parés et al. 2017) on the graph whose edges are the entries of C
/// that are not 0, weighted by their size: each community starts at a node with density 1, spreads
/// over neighbours, and gets thinner as it grows; a node joins the community with the most density
/// around it. Components that no fluid reaches join the smallest community.
[[nodiscard]] Assignment fluid_labels(const Structure& structure, Index communities,
                                      std::uint64_t seed);

/// Clusters of the source's nodes by k-means on leading eigenvectors. With
/// M_ij = h_i C_ij h_j and v_i = sum_j |M_ij| the matrix is N = V^-1/2 M V^-1/2 (for adjacency and
/// for modularity alike the normalised adjacency). A block of random vectors is filtered by a
/// Chebyshev polynomial that is small below the bulk of the spectrum, and rotated to Ritz vectors.
[[nodiscard]] Assignment spectral_labels(const Problem& problem, const KMeansOptions& options);

}  // namespace srgw::detail
