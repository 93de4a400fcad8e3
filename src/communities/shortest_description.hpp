// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "communities/search/multilevel.hpp"
#include "communities/search/weighted_graph.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// Description length, in nats, of an unweighted graph and its clusters under the degree-corrected
/// block model (Peixoto 2017, microcanonical, uniform priors), up to a constant of the graph. With
/// n_r nodes, e_r edge ends and m_r edges inside of cluster r, e_rs edges between r and s, E edges,
/// N nodes and B clusters:
///     sum_r ln e_r! - sum_{r<s} ln e_rs! - sum_r (m_r ln 2 + ln m_r!)    edges
///   + sum_r ln C(n_r + e_r - 1, e_r)                                     degrees
///   + ln C(B (B+1)/2 + E - 1, E)                                         counts of edges
///   + ln N + ln C(N-1, B-1) + ln N! - sum_r ln n_r!                      labels
struct BlockModelLength {
  double general = 0;
  /// With E - M edges between clusters, the counts of edges as ln C(B + E, E), how many are inside
  /// of each cluster, and ln C(B (B-1)/2 + E - M - 1, E - M), how the others are distributed; the
  /// general form where that is shorter. It allows for more than sqrt(N) clusters.
  double assortative = 0;
};
/// A contracted graph needs the number of nodes behind each of its own (`nodes`; empty: 1).
[[nodiscard]] BlockModelLength block_model_length(const WeightedGraph& graph,
                                                  const Assignment& labels,
                                                  const std::vector<double>& nodes);

struct DescribedResolution {
  double resolution = 1;
  bool decided = true;                 ///< false: no partition is shorter than one cluster
  std::vector<PartitionLength> curve;  ///< resolutions that were tried, sorted
  Assignment labels = {};              ///< of the trial at the resolution
};

/// The resolution for a free number of clusters. Modularity at resolution 1 splits large sparse
/// clusters and merges small ones. Lower resolutions are taken where they shorten the assortative
/// description. From there on a higher one has to save more than 2.5 % of what the clusters save
/// against a single one, or than four times the share of modularity that it loses, if that is less:
/// to part clusters below the resolution limit costs almost none, to part a cluster does. The
/// general description decides, or the assortative one where that saves another 10 % so, or 15
/// times the share of modularity that is lost. The resolution stays 1 if no partition is shorter
/// than a single cluster: then the graph is too sparse for this criterion. `rules` are those of a
/// trial.
[[nodiscard]] DescribedResolution choose_by_description(const WeightedGraph& graph,
                                                        const std::vector<double>& nodes,
                                                        const Multilevel& rules, int threads);

}  // namespace srgw::detail
