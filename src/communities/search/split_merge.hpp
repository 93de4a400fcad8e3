// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "communities/search/multilevel.hpp"

namespace srgw::detail {

struct SplitMerge {
  double resolution = 1;
  std::size_t most_clusters = 0;  ///< 0: any number
  /// Random labels to begin with; 0: as many as `most_clusters`, or one cluster where that is free.
  std::size_t first_labels = 0;
  std::uint64_t seed = 0;
  int products = 12;  ///< with the walk, for each split
  int most_rounds = 20;
  int threads = 1;
  TellFound found = {};
  /// Called after each pass over the graph, on ranks together: throws where all have to stop.
  std::function<void()> poll = {};
};

/// For large graphs in which single edges say little. In rounds: every cluster is cut in two by the
/// sign of a vector that the walk inside clusters amplifies, halves are tidied by sweeps, clusters
/// are merged while that gains or there are too many, and sweeps move nodes between all of them;
/// until the quality no longer rises. The result does not depend on threads or ranks; labels have
/// one for each place of the graph.
[[nodiscard]] Clustering split_merge(const WeightedGraph& graph, const SplitMerge& rules);

}  // namespace srgw::detail
