// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

// The objective of srGW for hard plans whose target is the block means. With pair weights
// w_ij = m_i m_j C_ij, block sums s_kl and block masses M_k it is, up to the square of the mass,
//     E = sum_ij m_i m_j C_ij^2 - F,   F = sum_kl s_kl^2 / (M_k M_l),
// so a plan is the better the larger F is. The diagonal of w is in WeightedGraph::inside.

/// F of labels below `count`, all of which have nodes.
[[nodiscard]] double explained(const WeightedGraph& pairs, const Assignment& labels,
                               std::size_t count, int threads);
/// F of the quotient graph itself.
[[nodiscard]] double explained(const WeightedGraph& quotient);

struct ReassignRules {
  int sweeps = 50;  ///< at most
  std::uint64_t seed = 0;
  int threads = 1;
  /// Up to this many blocks, in graphs that are not too large, their sums are a dense matrix, and
  /// moves are judged exactly, one after the other. Else nodes move in batches by the means of the
  /// last round.
  std::size_t largest_dense = 2000;
};

/// Moves single nodes to other blocks while F rises; no block becomes empty. The result does not
/// depend on threads. If it is stopped, labels are those of the last completed sweep.
void reassign(const WeightedGraph& pairs, Assignment& labels, std::size_t count,
              const ReassignRules& rules);

/// Merges the pair of nodes that lowers F least, again and again, until `count` are left. Looks at
/// pairs that share an edge or a neighbour; for up to 2,000 nodes.
[[nodiscard]] Assignment merge_by_loss(const WeightedGraph& pairs, std::size_t count);

}  // namespace srgw::detail
