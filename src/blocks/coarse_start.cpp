// SPDX-License-Identifier: MIT
#include "blocks/coarse_start.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "base/stop.hpp"
#include "blocks/order_labels.hpp"
#include "communities/search/local_moves.hpp"
#include "communities/search/merge.hpp"
#include "communities/search/multilevel.hpp"

namespace srgw::detail {

namespace {

/// Communities without V-cycles; labels are compact.
Assignment communities_at(const WeightedGraph& graph, double resolution, std::uint64_t seed,
                          int threads) {
  Assignment labels =
      multilevel(graph, {.resolution = resolution, .seed = seed, .v_cycles = 0, .threads = threads})
          .labels;
  compact(labels);
  return labels;
}

/// Cuts the largest cluster into halves, in the order of its nodes, until there are `wanted`.
void split_largest(Assignment& labels, std::size_t count, std::size_t wanted) {
  if (count >= wanted) return;
  const Members members(labels, count);
  std::vector<std::vector<NodeId>> clusters(count);
  std::priority_queue<std::pair<std::size_t, std::size_t>> largest;
  for (std::size_t c = 0; c < count; ++c) {
    const auto own = members.of(c);
    clusters[c].assign(own.begin(), own.end());
    largest.emplace(own.size(), c);
  }
  while (clusters.size() < wanted) {
    const std::size_t c = largest.top().second;
    largest.pop();
    const auto middle = clusters[c].begin() + std::ssize(clusters[c]) / 2;
    std::vector<NodeId> half(middle, clusters[c].end());
    clusters[c].erase(middle, clusters[c].end());
    for (const NodeId i : half) labels[i] = static_cast<NodeId>(clusters.size());
    largest.emplace(clusters[c].size(), c);
    largest.emplace(half.size(), clusters.size());
    clusters.push_back(std::move(half));
  }
}

/// Merges the two smallest clusters until `wanted` are left: they are not linked.
void merge_smallest(Assignment& labels, std::size_t count, std::size_t wanted) {
  if (count <= wanted) return;
  const std::vector<Index> sizes = sizes_of(labels, count);
  std::vector<NodeId> into(count);
  std::iota(into.begin(), into.end(), NodeId{0});
  using Cluster = std::pair<Index, NodeId>;
  std::priority_queue<Cluster, std::vector<Cluster>, std::greater<>> smallest;
  for (std::size_t c = 0; c < count; ++c) smallest.emplace(sizes[c], static_cast<NodeId>(c));
  while (smallest.size() > wanted) {
    const Cluster a = smallest.top();
    smallest.pop();
    const Cluster b = smallest.top();
    smallest.pop();
    into[b.second] = a.second;
    smallest.emplace(a.first + b.first, a.second);
  }
  for (NodeId& label : labels) {
    while (into[label] != label) label = into[label];
  }
  compact(labels);
}

}  // namespace

Assignment communities_of_number(const WeightedGraph& graph, std::size_t count, std::uint64_t seed,
                                 int threads) {
  Assignment labels(graph.size());
  std::iota(labels.begin(), labels.end(), NodeId{0});
  if (graph.total > 0) {
    // Clusters of a share 1/count of the weight stop growing at about the resolution `count`. From
    // there it falls, on the clusters of the step before, as long as there are enough of them.
    constexpr double fall = 0.5;
    constexpr int most_rises = 4;
    double resolution = static_cast<double>(count);
    for (int rise = 0;; ++rise, resolution *= 4) {
      labels = communities_at(graph, resolution, seed, threads);
      if (label_bound(labels) >= count || rise == most_rises) break;
    }
    std::size_t many = label_bound(labels);
    WeightedGraph coarse = contract(graph, labels, many, threads);
    constexpr double near = 1.1, lowest = 1e-3;
    while (static_cast<double>(many) > near * static_cast<double>(count)) {
      throw_if_stopped();
      resolution *= fall;
      if (resolution < lowest) break;
      const Assignment next = communities_at(coarse, resolution, seed, threads);
      const std::size_t left = label_bound(next);
      if (left < count) break;
      if (left == many) continue;
      labels = lift(labels, next);
      many = left;
      coarse = contract(coarse, next, many, threads);
    }
    // Between two resolutions: the best pairs are merged.
    Assignment next(many);
    std::iota(next.begin(), next.end(), NodeId{0});
    std::vector<double> nodes(many, 0);
    for (const NodeId label : labels) ++nodes[label];
    if (many > count) {
      const double mean = static_cast<double>(graph.size()) / static_cast<double>(count);
      const double largest = std::max(2 * mean, *std::ranges::max_element(nodes));
      merge_within(coarse, next, nodes,
                   {.largest = largest, .most = count, .resolution = resolution, .gains = false});
      labels = lift(labels, next);
    }
  }
  std::size_t many = compact(labels);
  merge_smallest(labels, many, count);
  many = compact(labels);
  split_largest(labels, many, count);
  return labels;
}

}  // namespace srgw::detail
