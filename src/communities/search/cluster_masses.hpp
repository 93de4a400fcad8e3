// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// The masses of clusters, in each layer if there are several.
class ClusterMasses {
 public:
  /// Empty clusters.
  ClusterMasses(const WeightedGraph& graph, std::size_t clusters)
      : total_(graph.total),
        totals_(graph.layers.totals),
        mass_(clusters, 0),
        layers_(clusters * totals_.size(), 0) {}
  ClusterMasses(const WeightedGraph& graph, const Assignment& labels, std::size_t clusters)
      : ClusterMasses(graph, clusters) {
    for (std::size_t i = 0; i < graph.size(); ++i) add(graph, i, labels[i]);
  }
  /// Each node is a cluster.
  explicit ClusterMasses(const WeightedGraph& graph)
      : total_(graph.total),
        totals_(graph.layers.totals),
        mass_(graph.mass),
        layers_(graph.layers.masses) {}

  [[nodiscard]] std::size_t size() const { return mass_.size(); }
  [[nodiscard]] bool has_layers() const { return !totals_.empty(); }
  [[nodiscard]] const std::vector<double>& all() const { return mass_; }
  [[nodiscard]] double operator[](std::size_t cluster) const { return mass_[cluster]; }
  /// One for each layer, where there are several.
  [[nodiscard]] const double* of_layers(std::size_t cluster) const {
    return layers_.data() + cluster * totals_.size();
  }

  void add(const WeightedGraph& graph, std::size_t node, std::size_t cluster) {
    mass_[cluster] += graph.mass[node];
    for (std::size_t l = 0; l < totals_.size(); ++l) {
      layers_[cluster * totals_.size() + l] += graph.layers.of(node)[l];
    }
  }
  void remove(const WeightedGraph& graph, std::size_t node, std::size_t cluster) {
    mass_[cluster] -= graph.mass[node];
    for (std::size_t l = 0; l < totals_.size(); ++l) {
      layers_[cluster * totals_.size() + l] -= graph.layers.of(node)[l];
    }
  }
  /// The mass of `from` goes to `into` and is left where it is.
  void add_cluster(std::size_t from, std::size_t into) {
    mass_[into] += mass_[from];
    for (std::size_t l = 0; l < totals_.size(); ++l) {
      layers_[into * totals_.size() + l] += layers_[from * totals_.size() + l];
    }
  }

  /// `resolution` times the weight that is expected between a node and a cluster, or what else is
  /// in it if the node `is_inside`.
  [[nodiscard]] double expected(double resolution, const WeightedGraph& graph, std::size_t node,
                                std::size_t cluster, bool is_inside = false) const {
    if (totals_.empty()) {
      const double others = mass_[cluster] - (is_inside ? graph.mass[node] : 0);
      return resolution * graph.mass[node] * others / total_;
    }
    double sum = 0;
    for (std::size_t l = 0; l < totals_.size(); ++l) {
      const double own = graph.layers.of(node)[l];
      sum += resolution * own * (of_layers(cluster)[l] - (is_inside ? own : 0)) / totals_[l];
    }
    return sum;
  }
  /// The same between two clusters.
  [[nodiscard]] double expected(double resolution, std::size_t a, std::size_t b) const {
    if (totals_.empty()) return resolution * mass_[a] * mass_[b] / total_;
    double sum = 0;
    for (std::size_t l = 0; l < totals_.size(); ++l) {
      sum += resolution * of_layers(a)[l] * of_layers(b)[l] / totals_[l];
    }
    return sum;
  }

 private:
  double total_;
  std::vector<double> totals_;
  std::vector<double> mass_, layers_;
};

}  // namespace srgw::detail
