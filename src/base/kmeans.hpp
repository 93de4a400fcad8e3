// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw {

struct KMeansOptions {
  int clusters = 2;
  int tries = 1;  ///< independent k-means++ starts; the smallest inertia is kept
  int max_iterations = 100;
  double tolerance = 1e-4;  ///< stop when centres move less, relative to the mean variance
  std::uint64_t seed = 0;
  int threads = 0;  ///< 0: all cores
};

struct KMeansResult {
  Assignment labels;   ///< every cluster is non-empty if there are enough distinct rows
  Matrix centres;      ///< clusters x columns
  double inertia = 0;  ///< sum of squared distances to the nearest centre
  int iterations = 0;
};

/// k-means with greedy k-means++ seeding on the rows of a matrix. Throws when there are no rows, no
/// clusters, or entries that are not finite. The result does not depend on `threads`.
[[nodiscard]] KMeansResult kmeans(MatrixView rows, const KMeansOptions& options);
/// k-means on sparse rows, never made dense.
[[nodiscard]] KMeansResult kmeans(const Csr& rows, const KMeansOptions& options);

}  // namespace srgw
