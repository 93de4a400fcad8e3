// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "communities/search/weighted_graph.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

struct LevelSearch {
  double resolution = 1;  ///< at which the clusters were found
  std::uint64_t seed = 0;
  int threads = 1;
  /// Where there are several: each of them, and their weights.
  std::vector<WeightedGraph> layers = {};
  std::vector<double> weights = {};
};

/// Length, in nats, of a description of the edges between clusters if the clusters are grouped:
/// with B clusters in G groups of n_R, and M edges between clusters, e_RS of them between the
/// groups R and S and e_RR inside of R,
///     ln C(P + M - 1, M)                                                P pairs of groups
///   + sum_{R<S} ln C(n_R n_S + e_RS - 1, e_RS)                          counts between groups
///   + sum_R ln C(n_R (n_R - 1)/2 + e_RR - 1, e_RR)                      counts inside of groups
///   + ln B + ln C(B-1, G-1) + ln B! - sum_R ln n_R!                     groups
/// as the upper levels of a nested block model (Peixoto 2014) without the counts inside of
/// clusters, which groups say nothing about. `clusters` is a contracted graph without weights.
[[nodiscard]] double length_of_groups(const WeightedGraph& clusters, const Assignment& groups);
/// The same for clusters that are not grouped: ln C(B (B-1)/2 + M - 1, M).
[[nodiscard]] double length_without_groups(const WeightedGraph& clusters);

/// Levels from the finest to the coarsest; the given labels (compact, below `count`) are one of
/// them. Coarser levels group clusters at lower resolutions while that shortens the description of
/// the edges between them, finer ones split clusters while that shortens the description of the
/// graph inside of them. If it is stopped, `levels` holds those found until then.
void find_levels(const WeightedGraph& graph, const Assignment& labels, std::size_t count,
                 const LevelSearch& search, std::vector<PartitionLevel>& levels);

}  // namespace srgw::detail
