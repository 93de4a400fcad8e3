// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "communities/search/weighted_graph.hpp"
#include "srgw/graph.hpp"
#include "srgw/solve.hpp"

namespace srgw::detail {

/// What is clustered: one undirected graph, or several on the same nodes with weights above 0.
struct Layers {
  std::vector<Graph> graphs;
  std::vector<double> weights;

  [[nodiscard]] bool several() const { return graphs.size() > 1; }
  [[nodiscard]] Index nodes() const { return graphs[0].nodes(); }
  /// Of several layers the weighted mean.
  [[nodiscard]] double modularity(const Assignment& labels) const;
};

/// The graph that a search walks on.
class SearchedGraph {
 public:
  /// Throws where the only edges are self-loops.
  SearchedGraph(const Layers& given, int threads);

  [[nodiscard]] const WeightedGraph& weighted() const { return weighted_; }
  /// Each layer, if there are several; on the nodes of weighted().
  [[nodiscard]] const std::vector<WeightedGraph>& layers() const { return layers_; }
  [[nodiscard]] const std::vector<double>& weights() const { return given_.weights; }
  [[nodiscard]] Index nodes() const { return given_.nodes(); }
  [[nodiscard]] double edges() const { return 0.5 * static_cast<double>(weighted_.columns.size()); }
  /// At resolution 1, with self-loops.
  [[nodiscard]] double modularity(const Assignment& labels, int threads) const;
  /// The layers between some nodes (sorted).
  [[nodiscard]] std::vector<WeightedGraph> layers_between(const std::vector<NodeId>& nodes,
                                                          int threads) const;
  /// A copy with rewired edges: the degrees are the same in each layer.
  [[nodiscard]] WeightedGraph rewired(std::uint64_t seed, int threads) const;

 private:
  const Layers& given_;
  WeightedGraph weighted_;
  std::vector<WeightedGraph> layers_;
};

/// The value of srGW with the modularity structure onto `resolution` I is
///     constant - resolution quality
/// for a hard plan; this is the constant, h'(C o C)h, of several layers their weighted mean.
[[nodiscard]] double source_constant(const WeightedGraph& graph, int threads);
[[nodiscard]] double source_constant(const std::vector<WeightedGraph>& layers,
                                     const std::vector<double>& weights, int threads);

/// Value and gap of a hard plan for several layers: the weighted mean of the values of all layers.
/// The gap is an upper bound where a node would gain most in a cluster that it has no edge to.
[[nodiscard]] Solution evaluate_layers(const WeightedGraph& graph, double constant,
                                       double resolution, const Plan& plan, int threads);

}  // namespace srgw::detail
