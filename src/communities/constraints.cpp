// SPDX-License-Identifier: MIT
#include "communities/constraints.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/message.hpp"

namespace srgw::detail {

namespace {

using Ids = std::vector<std::int64_t>;

void check_sizes(const WeightedGraph& graph, const Ids& fixed, const PartitionOptions& options) {
  Index clustered = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const bool is_fixed = !fixed.empty() && fixed[i] != no_id;
    clustered += graph.degree(i) > 0 || is_fixed ? 1 : 0;
  }
  const Index smallest = options.min_size.value_or(1);
  const Index largest = options.max_size.value_or(std::numeric_limits<Index>::max() / 2);
  const auto least_of = [&](Index clusters) { return (clustered - 1) / clusters + 1; };
  if (options.clusters && largest < least_of(*options.clusters)) {
    fail_argument(
        "max-size {} with {} clusters holds {} nodes, expected at least the {} nodes with edges or "
        "fixed labels",
        largest, *options.clusters, largest * *options.clusters, clustered);
  }
  if (smallest > clustered) {
    fail_argument("min-size is {}, expected at most the {} nodes with edges or fixed labels",
                  smallest, clustered);
  }
  if (least_of(largest) > clustered / smallest) {
    fail_argument(
        "min-size {} and max-size {} for {} nodes: no number of clusters has such sizes, expected "
        "limits that are further apart",
        smallest, largest, clustered);
  }
  std::unordered_map<std::int64_t, Index> counts;
  for (const std::int64_t id : fixed) {
    if (id != no_id && ++counts[id] > largest) {
      fail_argument("max-size is {}, but more nodes have the fixed label {}", largest, id);
    }
  }
  if (options.clusters && std::ssize(counts) > *options.clusters) {
    fail_argument("fixed has {} labels for {} clusters, expected at most as many", counts.size(),
                  *options.clusters);
  }
}

/// Previous ids that pull: where clusters are bounded, only as many as there can be, those of the
/// most nodes.
Ids pulling_ids(const Ids& previous, const Ids& fixed, const PartitionOptions& options) {
  if (!options.clusters) return previous;
  std::unordered_map<std::int64_t, Index> counts, anchored;
  for (const std::int64_t id : fixed) {
    if (id != no_id) anchored.emplace(id, 0);
  }
  for (const std::int64_t id : previous) {
    if (id != no_id && !anchored.contains(id)) ++counts[id];
  }
  std::vector<std::pair<Index, std::int64_t>> order;
  order.reserve(counts.size());
  for (const auto& [id, count] : counts) order.emplace_back(-count, id);
  std::ranges::sort(order);
  const auto room = static_cast<std::size_t>(*options.clusters) - anchored.size();
  for (std::size_t k = 0; k < std::min(room, order.size()); ++k)
    anchored.emplace(order[k].second, 0);
  Ids result = previous;
  for (std::int64_t& id : result) {
    if (!anchored.contains(id)) id = no_id;
  }
  return result;
}

}  // namespace

Constraints::Constraints(const Layers& layers, const PartitionOptions& options, int threads)
    : previous(options.previous.value_or(Ids())),
      fixed(options.fixed.value_or(Ids())),
      graph(layers, threads) {
  const WeightedGraph& weighted = graph.weighted();
  check_sizes(weighted, fixed, options);
  hard = anchor_fixed(weighted, fixed, threads);
  pulled = options.keep > 0
               ? anchor_previous(weighted, fixed, pulling_ids(previous, fixed, options),
                                 options.keep, threads)
               : hard;
}

}  // namespace srgw::detail
