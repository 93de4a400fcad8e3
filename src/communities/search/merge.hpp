// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// Which pair of clusters is merged next.
enum class Linkage {
  density,  ///< largest weight_ab total / (mass_a mass_b)
  quality,  ///< largest weight_ab - resolution mass_a mass_b / total
};

/// Merges clusters that are linked until at most `most` are left. A cluster without links to others
/// is put aside instead, with a label from `most` on, where that costs less quality than the next
/// merge: it is one of the components that do not count. `aside` is the mass of nodes that have
/// been put aside before. Where there are such, a component that is lighter than clusters are on
/// average costs what it costs to join them in one more cluster; else what is lost inside it.
/// Labels are compact below `most`. Returns how many clusters there are below it.
std::size_t merge_down(const WeightedGraph& graph, Assignment& labels, std::size_t most,
                       double resolution, Linkage linkage, std::optional<double> aside = {});

struct MergeRules {
  std::size_t most = 0;  ///< 0: any number is fine
  double resolution = 1;
  int threads = 1;
};

/// Merges the linked pair that gains most while it gains or there are more clusters than `most`.
/// Labels are below `count`, one for each place of the graph; returns how many are left, and labels
/// are compact. Ranks merge the same quotient each for itself.
std::size_t merge_while_gaining(const WeightedGraph& graph, Assignment& labels, std::size_t count,
                                const MergeRules& rules);

/// Limits on the nodes of clusters.
struct SizeRules {
  double smallest = 0;
  double largest = std::numeric_limits<double>::infinity();
  std::size_t most = 0;  ///< clusters; 0: any number is fine
  double resolution = 1;
  bool gains = true;  ///< merges pairs that gain
};

/// Merges the linked pair that gains most and fits into the largest size, while it gains or there
/// are too many clusters; then each cluster that is too small into the linked one that gains most
/// and fits. Some that are too small, or too many, may be left. `nodes` are those behind each node
/// (empty: 1). Returns how many clusters are left; labels are compact.
std::size_t merge_within(const WeightedGraph& graph, Assignment& labels,
                         const std::vector<double>& nodes, const SizeRules& rules);

}  // namespace srgw::detail
