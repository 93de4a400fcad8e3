// SPDX-License-Identifier: MIT
#include "communities/levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "communities/log_counts.hpp"
#include "communities/search/cluster_graphs.hpp"
#include "communities/search/layered_graph.hpp"
#include "communities/search/multilevel.hpp"
#include "communities/shortest_description.hpp"

namespace srgw::detail {

namespace {

constexpr double level_step = 1.25;          // from one resolution to the next
constexpr double lowest_level = 1e-4;        // of the resolution of the clusters
constexpr Index tried_together = 4;          // on all threads
constexpr std::size_t least_split_size = 4;  // smaller clusters are not split

/// The graph with every edge counted once, whatever its weight.
WeightedGraph count_edges(const WeightedGraph& graph) {
  if (graph.weights.empty()) return graph;
  WeightedGraph counted = graph;
  counted.weights = {};
  counted.layers = {};
  counted.total = static_cast<double>(graph.columns.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    counted.mass[i] = static_cast<double>(graph.degree(i));
  }
  return counted;
}

/// Clusters by falling size, the first of equals first.
void number_clusters_by_size(Assignment& labels, std::size_t count) {
  std::vector<Index> sizes(count, 0);
  for (const NodeId label : labels) ++sizes[label];
  std::vector<NodeId> order(count), number(count);
  std::iota(order.begin(), order.end(), NodeId{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](NodeId c) { return sizes[c]; });
  for (std::size_t k = 0; k < count; ++k) number[order[k]] = static_cast<NodeId>(k);
  for (NodeId& label : labels) label = number[label];
}

class Levels {
 public:
  Levels(const WeightedGraph& graph, const LevelSearch& search)
      : graph_(graph), counted_(count_edges(graph)), search_(search) {}

  /// Groups of the clusters of a level; false where the clusters are described best without.
  bool find_coarser(const PartitionLevel& fine, PartitionLevel& coarse) const {
    const auto count = static_cast<std::size_t>(fine.clusters);
    const WeightedGraph clusters = contract(graph_, fine.labels, count, search_.threads);
    const WeightedGraph counted =
        graph_.weights.empty() ? clusters : contract(counted_, fine.labels, count, search_.threads);
    const std::size_t fewest = components_inside(clusters, Assignment(count, 0), 1).sizes.size();
    double shortest = length_without_groups(counted);
    bool found = false;
    std::size_t groups = count;
    for (double first = fine.resolution / level_step;
         groups > fewest && first > lowest_level * search_.resolution;
         first /= std::pow(level_step, static_cast<double>(tried_together))) {
      std::array<Assignment, tried_together> tried;
      parallel_for(tried_together, search_.threads, [&](Index k, int) {
        tried[k] = group_at(clusters, first / std::pow(level_step, static_cast<double>(k)));
      });
      for (Index k = 0; k < tried_together; ++k) {
        groups = label_bound(tried[k]);
        if (groups == count) continue;
        const double length = length_of_groups(counted, tried[k]);
        if (length >= shortest) continue;
        shortest = length;
        found = true;
        coarse = level_of(lift(fine.labels, tried[k]), groups,
                          first / std::pow(level_step, static_cast<double>(k)));
      }
    }
    return found;
  }

  /// Parts of the clusters of a level; false where all clusters are described best as they are.
  bool find_finer(const PartitionLevel& coarse, PartitionLevel& fine) const {
    const auto count = static_cast<std::size_t>(coarse.clusters);
    const ClusterGraphs clusters(graph_, coarse.labels, count);
    std::vector<ClusterGraphs> layers;
    for (const WeightedGraph& layer : search_.layers)
      layers.emplace_back(layer, coarse.labels, count);
    std::vector<Split> splits(count);
    parallel_for(static_cast<Index>(count), search_.threads, [&](Index c, int) {
      splits[c] = split(layers.empty() ? clusters.of(c) : combined(layers, c));
    });
    Assignment labels(graph_.size());
    std::size_t parts = 0;
    double resolution = coarse.resolution;
    for (std::size_t c = 0; c < count; ++c) {
      const std::span<const NodeId> nodes = clusters.nodes(c);
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        labels[nodes[k]] =
            static_cast<NodeId>(parts + (splits[c].count > 1 ? splits[c].labels[k] : 0));
      }
      parts += splits[c].count;
      if (splits[c].count > 1) resolution = std::max(resolution, splits[c].resolution);
    }
    if (parts == count) return false;
    fine = level_of(std::move(labels), parts, resolution);
    return true;
  }

  [[nodiscard]] PartitionLevel level_of(Assignment labels, std::size_t count,
                                        double resolution) const {
    number_clusters_by_size(labels, count);
    const double modularity = quality(graph_, labels, 1, search_.threads);
    return {.resolution = resolution,
            .clusters = static_cast<Index>(count),
            .modularity = modularity,
            .labels = std::move(labels)};
  }

 private:
  struct Split {
    Assignment labels = {};
    std::size_t count = 1;
    double resolution = 1;  ///< in the whole graph
  };

  /// The sum of the layers inside of a cluster.
  [[nodiscard]] WeightedGraph combined(const std::vector<ClusterGraphs>& layers, Index c) const {
    std::vector<WeightedGraph> inside;
    std::vector<double> weights;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      WeightedGraph layer = layers[l].of(c);
      if (!(layer.total > 0)) continue;
      inside.push_back(std::move(layer));
      weights.push_back(search_.weights[l]);
    }
    return inside.empty() ? layers[0].of(c) : combine_layers(inside, weights);
  }

  [[nodiscard]] Multilevel rules_at(double resolution) const {
    return {.resolution = resolution, .seed = search_.seed, .v_cycles = 3, .patience = 1};
  }

  /// Connected groups, compact.
  [[nodiscard]] Assignment group_at(const WeightedGraph& clusters, double resolution) const {
    const Clustering found = multilevel(clusters, rules_at(resolution));
    return components_inside(clusters, found.labels, label_bound(found.labels)).labels;
  }

  [[nodiscard]] Split split(const WeightedGraph& cluster) const {
    if (cluster.size() < least_split_size || cluster.columns.size() == 0) return {};
    const WeightedGraph counted = count_edges(cluster);
    Multilevel rules = rules_at(1);
    const DescribedResolution chosen = choose_by_description(counted, {}, rules, 1);
    if (!chosen.decided) return {};
    rules.resolution = chosen.resolution;
    const Clustering found = multilevel(cluster, rules);
    Split result{
        .labels = components_inside(cluster, found.labels, label_bound(found.labels)).labels,
        .resolution = chosen.resolution * graph_.total / cluster.total};
    result.count = label_bound(result.labels);
    const double whole = block_model_length(counted, Assignment(cluster.size(), 0), {}).general;
    if (block_model_length(counted, result.labels, {}).assortative >= whole) return {};
    return result;
  }

  const WeightedGraph& graph_;
  WeightedGraph counted_;
  const LevelSearch& search_;
};

/// The cluster of the next level that each cluster lies in.
std::vector<NodeId> parents_of(const PartitionLevel& fine, const PartitionLevel& coarse) {
  std::vector<NodeId> parents(fine.clusters);
  for (std::size_t i = 0; i < fine.labels.size(); ++i) {
    parents[fine.labels[i]] = coarse.labels[i];
  }
  return parents;
}

}  // namespace

double length_of_groups(const WeightedGraph& clusters, const Assignment& groups) {
  const std::size_t count = label_bound(groups);
  std::vector<double> sizes(count, 0), inside(count, 0);
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    ++sizes[groups[i]];
    for (std::uint64_t e = clusters.begin(i); e < clusters.end(i); ++e) {
      if (groups[clusters.columns[e]] == groups[i]) inside[groups[i]] += clusters.weight(e) / 2;
    }
  }
  const WeightedGraph quotient = contract(clusters, groups, count);
  const auto all = static_cast<double>(clusters.size());
  const auto number = static_cast<double>(count);
  double pairs = number * (number - 1) / 2, edges = 0;
  double length = std::log(all) + log_distributions(number, all - number) + log_factorial(all);
  for (std::size_t r = 0; r < count; ++r) {
    length -= log_factorial(sizes[r]);
    edges += inside[r];
    if (sizes[r] > 1) {
      pairs += 1;
      length += log_distributions(sizes[r] * (sizes[r] - 1) / 2, inside[r]);
    }
    for (std::uint64_t e = quotient.begin(r); e < quotient.end(r); ++e) {
      const std::size_t s = quotient.columns[e];
      if (s <= r) continue;
      edges += quotient.weight(e);
      length += log_distributions(sizes[r] * sizes[s], quotient.weight(e));
    }
  }
  return edges > 0 ? length + log_distributions(pairs, edges) : length;
}

double length_without_groups(const WeightedGraph& clusters) {
  double edges = 0;
  for (std::size_t e = 0; e < clusters.columns.size(); ++e) edges += clusters.weight(e) / 2;
  const auto count = static_cast<double>(clusters.size());
  return edges > 0 ? log_distributions(count * (count - 1) / 2, edges) : 0;
}

void find_levels(const WeightedGraph& graph, const Assignment& labels, std::size_t count,
                 const LevelSearch& search, std::vector<PartitionLevel>& levels) {
  const Levels found(graph, search);
  PartitionLevel given{.resolution = search.resolution,
                       .clusters = static_cast<Index>(count),
                       .modularity = quality(graph, labels, 1, search.threads),
                       .labels = labels,
                       .is_result = true};
  levels = {given};
  const auto link = [&] {
    for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
      levels[l].parents = parents_of(levels[l], levels[l + 1]);
    }
  };
  for (PartitionLevel next; found.find_coarser(levels.back(), next);) {
    levels.push_back(std::move(next));
    link();
  }
  for (PartitionLevel next; found.find_finer(levels.front(), next);) {
    levels.insert(levels.begin(), std::move(next));
    link();
  }
}

}  // namespace srgw::detail
