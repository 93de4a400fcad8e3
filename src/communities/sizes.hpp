// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

struct SizeLimits {
  std::size_t smallest = 1;
  std::size_t largest = std::numeric_limits<std::size_t>::max();
  std::size_t most_clusters = 0;  ///< 0: any number
  double resolution = 1;
  std::uint64_t seed = 0;
  int threads = 1;
  bool searches = true;  ///< false: clusters are cut along a walk, without a search inside
  bool polishes = true;  ///< single nodes move afterwards where that gains
};

/// Splits clusters of more than `largest` nodes: a search inside, at rising resolutions, until all
/// parts fit; parts are merged again while that gains. Then merges clusters that are too many.
/// `nodes` are those behind each node (empty: 1); no node may have more than `largest`, and
/// most_clusters * largest may not be less than all of them. Returns whether labels changed.
bool limit_largest(const WeightedGraph& graph, const std::vector<double>& nodes,
                   const SizeLimits& limits, Assignment& labels);

/// Merges clusters of fewer than `smallest` nodes into the best neighbour that stays within
/// `largest`. Where none does, their nodes go to clusters with room one by one, or they take nodes
/// from clusters that can spare some. Throws where neither is possible. Returns whether labels
/// changed.
bool limit_smallest(const WeightedGraph& graph, const std::vector<double>& nodes,
                    const SizeLimits& limits, Assignment& labels);

}  // namespace srgw::detail
