// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "communities/search/weighted_graph.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// What was done so that clusters are connected.
struct Connected {
  std::size_t disconnected = 0;  ///< clusters that were not connected
  std::size_t added = 0;         ///< components that became clusters
  std::size_t moved = 0;         ///< nodes of components that joined a neighbouring cluster
  std::size_t left = 0;          ///< components without a neighbouring cluster, which stay
};

/// Makes clusters connected; labels are below `count`, which grows. The largest component of a
/// cluster keeps its label. Others become clusters while there are fewer than `most` that are not
/// empty (absent: all), large ones first, and then join the linked cluster that gains most quality.
Connected connect_clusters(const WeightedGraph& graph, double resolution,
                           std::optional<std::size_t> most, Assignment& labels, std::size_t& count);

/// What was done so that clusters have no small cuts.
struct CutApart {
  std::size_t split = 0;  ///< clusters
  std::size_t added = 0;  ///< clusters
};

/// Splits clusters along cuts of less than `least` times log10(nodes) mean edge weights; labels are
/// below `count`, which grows. The largest part keeps the label.
CutApart split_clusters(const WeightedGraph& graph, double least, int threads, Assignment& labels,
                        std::size_t& count);

/// How each of the clusters below `count` hangs together.
[[nodiscard]] std::vector<PartitionCut> cuts_of(const WeightedGraph& graph,
                                                const Assignment& labels, std::size_t count,
                                                int threads);

/// The plan with hard rows where the label is another one than its own.
[[nodiscard]] Plan with_labels(const Plan& plan, const Assignment& labels, Index columns);

/// Sentences about both; `cost` is the modularity that the cuts took.
void explain_connectivity(const Connected& connected, const CutApart& apart, double least,
                          double cost, std::vector<std::string>& reasons);

}  // namespace srgw::detail
