// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

struct EmbeddingRules {
  Index wanted = 1;  ///< eigenvectors
  /// The second half of the nodes are the first half as targets of edges: each node gets the
  /// columns of both.
  bool bipartite = false;
  /// Divides the matrix by the roots of degrees, to which the mean is added (Chaudhuri, Chung and
  /// Tsiatas 2012), so that single large degrees do not dominate.
  bool normalised = false;
  std::uint64_t seed = 0;
  int threads = 1;
};

/// Nodes described by leading eigenvectors of a symmetric matrix, each times its eigenvalue and the
/// less the closer that is to what noise makes of entries whose variances sum to `variances` in
/// each row.
[[nodiscard]] Matrix embed_rows(const Csr& rows, const Vector& degrees, const Vector& variances,
                                const EmbeddingRules& rules);

/// Labels of k-means; of very many rows the centres are those of a sample.
[[nodiscard]] Assignment cluster_rows(const Matrix& rows, std::size_t count, std::uint64_t seed,
                                      int threads);

}  // namespace srgw::detail
