// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "communities/search/weighted_graph.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

struct CommunitySearch {
  std::optional<std::size_t> most_clusters = {};  ///< absent: any number
  std::optional<double> resolution = {};          ///< absent: chosen
  /// With a free number of clusters: the description length chooses the resolution, else it is 1.
  bool by_description = false;
  std::optional<int> starts = {};  ///< absent: by the effort and the size of the graph
  PartitionEffort effort = PartitionEffort::normal;
  bool is_copy = false;  ///< the graph is one of many rewired copies to compare with
  std::uint64_t seed = 0;
  int threads = 1;
  /// Of the values that the observer is told; absent: that of the graph (source_constant()).
  std::optional<double> constant = {};
  /// Labels to start from, of each node: compact, anchor i has the label i. Empty: single nodes.
  Assignment start = {};
  std::vector<double> nodes = {};         ///< behind each node; empty: 1
  std::size_t largest_whole = 5'000'000;  ///< stored entries: larger graphs are contracted first
  /// If it is stopped: whether the best result until then is returned, at least the connected
  /// components, instead of throwing.
  bool returns_best = false;
  /// With returns_best: told the value of srGW onto a scaled identity at the best labels so far, on
  /// any thread.
  std::function<void(double value)> observer = {};
};

/// How the clusters were found.
enum class Route {
  components,  ///< the connected components, which the number of clusters cannot split evenly, or
               ///< because the search was stopped too early
  multilevel,
  contracted,   ///< multilevel on a graph contracted once, for large graphs
  split_merge,  ///< for large graphs without local structure
};

struct Communities {
  Assignment labels;      ///< nodes that count for nothing have the label `count`
  std::size_t count = 0;  ///< clusters
  double resolution = 1;  ///< chosen
  double quality = 0;     ///< modularity at it, of the nodes that count
  bool complete = true;   ///< false: stopped, and the best so far
  Route route = Route::multilevel;
  std::vector<PartitionLength> lengths = {};  ///< by which the resolution was chosen, if it was
  bool decided_by_length = false;             ///< else the graph is too sparse for them
  std::size_t components = 0;                 ///< with edges
  std::size_t isolated = 0;                   ///< nodes without edges
  std::size_t unconnected = 0;                ///< nodes with the label `count`
  double unconnected_mass = 0;                ///< their share of the mass
  /// The searched part and its nodes, where some nodes were not searched; else empty.
  WeightedGraph part = {};
  std::vector<NodeId> nodes = {};

  /// The graph between some nodes, sorted: `part` where it is that one.
  [[nodiscard]] WeightedGraph between(const WeightedGraph& graph, const std::vector<NodeId>& some,
                                      int threads) const;
};

/// Communities of a graph at a resolution that the graph chooses, or from a start the one that fits
/// it. Anchors (weighted_graph.hpp) are never joined. `edges` is their number. The result does not
/// depend on threads.
[[nodiscard]] Communities find_communities(const WeightedGraph& graph, double edges,
                                           const CommunitySearch& search);

/// How often two steps from a node lead to a place that another two steps led to: the share of
/// such meetings, from a sample of nodes. Near 0 a graph looks like a tree from close by: single
/// edges say nothing about communities, and local moves from single nodes have nothing to go by.
[[nodiscard]] double meeting_share(const WeightedGraph& graph, std::uint64_t seed);

}  // namespace srgw::detail
