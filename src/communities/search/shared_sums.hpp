// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed_point.hpp"
#include "base/row_blocks.hpp"
#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

// Sums over all nodes of a graph, on whichever ranks they are: in integers, so that the result does
// not depend on threads or ranks. Labels have one for each place, all below `count`.

/// The sum of value(i) over the rows of all ranks. Blocks are not cut by ranks, so that it is the
/// same on any number of them.
template <class Value>
[[nodiscard]] double sum_over_rows(const Exchange& exchange, std::size_t rows, int threads,
                                   const Value& value) {
  const std::vector<double> sums =
      block_sums(rows, threads, [&](double sum, std::size_t i) { return sum + value(i); });
  double largest = 0;
  for (const double sum : sums) largest = std::max(largest, std::abs(sum));
  const FixedPoint fixed(exchange.largest(largest));
  Fixed total = 0;
  for (const double sum : sums) total += fixed.from(sum);
  exchange.sum(std::span(&total, 1));
  return fixed.to(total);
}

/// Sum of |mass|, and of |weight| over all entries: bounds for Quanta.
[[nodiscard]] double sum_of_masses(const WeightedGraph& graph);
[[nodiscard]] double sum_of_weights(const WeightedGraph& graph, int threads);

/// The mass of each label.
[[nodiscard]] std::vector<std::int64_t> cluster_masses(const WeightedGraph& graph,
                                                       const Assignment& labels, std::size_t count,
                                                       const Quanta& quanta);

/// A random label below `count` for each place: those of a block of rows are drawn from (seed,
/// block).
[[nodiscard]] Assignment random_labels(const Exchange& exchange, Index rows, std::size_t count,
                                       std::uint64_t seed);

/// Makes labels 0, 1, ... in the order of first appearance in the whole graph; returns how many
/// there are.
std::size_t compact(const WeightedGraph& graph, Assignment& labels, std::size_t count);

/// The quotient: one node for each label, with neighbours in their order. All ranks have all of it.
[[nodiscard]] WeightedGraph quotient(const WeightedGraph& graph, const Assignment& labels,
                                     std::size_t count, int threads);

/// Modularity, as quality() of graph.hpp.
[[nodiscard]] double quality(const WeightedGraph& graph, const Assignment& labels,
                             std::size_t count, double resolution, int threads);

}  // namespace srgw::detail
