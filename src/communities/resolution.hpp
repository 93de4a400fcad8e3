// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "communities/search/multilevel.hpp"
#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// Shares of a hard partition: a inside clusters, s the sum of squared masses.
struct Shares {
  double inside = 0;   ///< a: share of the weight inside clusters
  double squares = 0;  ///< s: what a would be without structure
};
[[nodiscard]] Shares shares(const WeightedGraph& graph, const Assignment& labels);

/// The resolution at which modularity is the likelihood of a planted partition (Newman 2016):
///     (x - y) / log(x / y),    x = a / s and y = (1 - a) / (1 - s).
/// At least 0; 1 for a partition without structure.
[[nodiscard]] double likely_resolution(const Shares& shares);

/// Description lengths saved by a partition against one block, in nats a node: more is
/// better, one block has -log(n)/n.
struct DescriptionLength {
  double planted = 0;   ///< one density inside all clusters, one between them
  double diagonal = 0;  ///< a density inside each cluster
};
/// `edges` is their number, whatever weights they have.
[[nodiscard]] DescriptionLength description_length(const WeightedGraph& graph,
                                                   const Assignment& labels, double edges,
                                                   int threads = 1);
/// DescriptionLength::planted of several layers, with densities of their own.
[[nodiscard]] double planted_length_of_layers(const std::vector<WeightedGraph>& layers,
                                              const Assignment& labels);
[[nodiscard]] double description_length_of_one_block(std::size_t nodes);

/// Which resolution makes the search give `most` clusters, without looking at labels: the smallest
/// that does, found by bisection; where none does, the one that the last partition makes likely. A
/// graph that has one cluster at that is split nevertheless.
/// `rules` are those of a trial.
[[nodiscard]] double choose_resolution(const WeightedGraph& graph, const Multilevel& rules,
                                       double edges);

}  // namespace srgw::detail
