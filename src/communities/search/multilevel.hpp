// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "communities/search/merge.hpp"
#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// A hard plan: labels from 0 on. With a bound on their number, labels from the bound on are
/// components put aside (merge.hpp), which count for nothing.
struct Clustering {
  Assignment labels;
  std::size_t count = 0;  ///< clusters, without those put aside
  double quality = 0;     ///< modularity at the resolution searched at
};

/// Told of clusterings on the way, each better than the one before, and of their resolution; on any
/// thread.
using TellFound = std::function<void(const Clustering&, double resolution)>;

struct Multilevel {
  double resolution = 1;
  std::size_t most_clusters = 0;  ///< 0: any number
  /// Mass of nodes put aside before (merge.hpp); if there are such, those put aside are one more
  /// cluster in the quality, else they count for nothing.
  std::optional<double> aside = {};
  std::uint64_t seed = 0;
  Linkage linkage = Linkage::density;
  int v_cycles = 10;
  int patience = 3;  ///< V-cycles without gain before it ends
  /// Stored entries from which nodes are moved in batches, on all threads.
  std::size_t batched_from = 5'000'000;
  int threads = 1;
  TellFound found = {};
};

/// Local moves from single nodes, contraction, again, and back with local moves at each level; then
/// merged down to the allowed number; then V-cycles.
[[nodiscard]] Clustering multilevel(const WeightedGraph& graph, const Multilevel& rules);

/// V-cycles from given labels: inside each cluster nodes form sub-clusters, which are contracted,
/// and so on; then from coarse to fine local moves between the clusters. The quality never falls.
[[nodiscard]] Clustering v_cycles(const WeightedGraph& graph, Assignment labels,
                                  const Multilevel& rules);

/// Labels found on a contracted graph and carried over to this one: local moves, then V-cycles
/// where these moved more than a share `settled` of the nodes, and one where there are fewer
/// clusters than allowed: the contraction may have joined two. Otherwise single nodes and
/// contracted ones are content, and what lies between them is seldom worth whole passes.
[[nodiscard]] Clustering settle(const WeightedGraph& graph, Assignment labels,
                                const Multilevel& rules, double settled = 0.01);

/// Groups of the nodes that two clusterings both join.
struct Intersection {
  Assignment labels;
  std::size_t count = 0;
};
[[nodiscard]] Intersection intersect(const Assignment& a, const Assignment& b);

/// Nodes that two clusterings both join are contracted and searched anew, then refined by V-cycles.
[[nodiscard]] Clustering combine(const WeightedGraph& graph, const Clustering& a,
                                 const Clustering& b, const Multilevel& rules);

}  // namespace srgw::detail
