// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "ranks/exchange.hpp"
#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Masses of nodes in each of several layers. The weight that is expected between two nodes is
///     sum_l mass_il mass_jl / total_l    instead of    mass_i mass_j / total.
struct LayerMasses {
  std::vector<double> factors;  ///< of the weights of each layer in those of the graph
  std::vector<double> totals;   ///< sum of masses / factor; empty: `mass` is that of the one layer
  std::vector<double> masses;   ///< one for each layer, node after node

  [[nodiscard]] bool any() const { return !totals.empty(); }
  [[nodiscard]] const double* of(std::size_t node) const {
    return masses.data() + node * totals.size();
  }
  /// Those of some nodes, which are all that there is.
  [[nodiscard]] LayerMasses of_part(std::span<const NodeId> nodes) const;
};

/// The graph that searches for hard plans onto c I walk on, without self-loops. Putting the nodes i
/// and j together gains twice
///     weight_ij - resolution mass_i mass_j / total.
/// With the adjacency matrix, degrees and their sum this is modularity at a resolution; with
/// weight_ij = 2 h_i h_j C_ij, mass = h and total = 1 it is -E/c for any structure C (c the
/// resolution). Weights of an unweighted graph are whole numbers, whose sums are exact. With
/// several layers (layered_graph.hpp) masses are sums over all of them, and what is subtracted is
/// what `layers` expect.
struct WeightedGraph {
  SharedArray<std::uint64_t> offsets;  ///< nodes + 1
  SharedArray<NodeId> columns;
  SharedArray<double> weights;  ///< empty: all are 1
  std::vector<double> mass;
  std::vector<double> inside;  ///< weight between the parts of a contracted node, both directions
  double total = 1;
  LayerMasses layers = {};  ///< where there are several
  /// The first nodes are anchors: they keep their labels, and no two of them are ever in one
  /// cluster. Labels name anchor i before all nodes that are none, so that contraction keeps them
  /// first. Split and merge supports neither anchors nor layers.
  std::size_t anchors = 0;
  /// Where the other rows are, if some are on other ranks: nodes are those of this rank, and
  /// columns are places. Only split and merge, and its steps, support that.
  const Exchange* exchange = &alone;

  [[nodiscard]] std::size_t size() const { return mass.size(); }
  /// Entries of a node are [begin, end).
  [[nodiscard]] std::uint64_t begin(std::size_t node) const { return offsets[node]; }
  [[nodiscard]] std::uint64_t end(std::size_t node) const { return offsets[node + 1]; }
  [[nodiscard]] std::size_t degree(std::size_t node) const { return end(node) - begin(node); }
  [[nodiscard]] double weight(std::size_t entry) const {
    return weights.empty() ? 1.0 : weights[entry];
  }
  /// `sum` and the weight between a node and its own cluster.
  [[nodiscard]] double add_inside(double sum, const Assignment& labels, std::size_t node) const {
    if (!inside.empty()) sum += inside[node];
    for (std::uint64_t e = begin(node); e < end(node); ++e) {
      if (labels[columns[e]] == labels[node]) sum += weight(e);
    }
    return sum;
  }
  /// The same rows; arrays are shared.
  [[nodiscard]] Csr rows() const { return {offsets, columns, weights}; }
};

/// The rows of a matrix without its diagonal and zeros; arrays are shared where it has none. Masses
/// are left to the caller.
[[nodiscard]] WeightedGraph without_diagonal(const Csr& matrix);

/// The graph whose quality is the modularity of an undirected graph without its self-loops. Shares
/// the columns of the graph where it has none. Throws for negative weights.
[[nodiscard]] WeightedGraph modularity_graph(const Graph& graph);

/// How many labels there may be: the largest and one more.
[[nodiscard]] std::size_t label_bound(const Assignment& labels);

/// The nodes of each label below `count`, one label after the other; those of a label in the given
/// order of all nodes, or ascending.
struct Members {
  std::vector<std::uint64_t> offsets;
  std::vector<NodeId> nodes;

  Members(const Assignment& labels, std::size_t count, std::span<const NodeId> order = {});
  [[nodiscard]] std::span<const NodeId> of(std::size_t label) const {
    return std::span(nodes).subspan(offsets[label], offsets[label + 1] - offsets[label]);
  }
};

/// Makes labels 0, 1, ... in the order of first appearance; returns how many there are.
std::size_t compact(Assignment& labels);

/// One node for each label below `count`. Neighbours of a contracted node are in no order.
[[nodiscard]] WeightedGraph contract(const WeightedGraph& graph, const Assignment& labels,
                                     std::size_t count, int threads = 1);

/// The graph between the given nodes (sorted); mass and total are those of what is left. Anchors
/// stay anchors.
[[nodiscard]] WeightedGraph induced(const WeightedGraph& graph, const std::vector<NodeId>& nodes,
                                    int threads = 1);

/// Clusters that do not count: those with labels from `from` on. If nodes of mass `mass` were put
/// aside before, they are all one more cluster, else they count for nothing.
struct PutAside {
  NodeId from = std::numeric_limits<NodeId>::max();
  std::optional<double> mass = {};
};

/// (sum of weights inside clusters - resolution sum of squared masses / total) / total: modularity,
/// of several layers their weighted mean. PutAside::mass is for one layer only.
[[nodiscard]] double quality(const WeightedGraph& graph, const Assignment& labels,
                             double resolution, int threads = 1, const PutAside& aside = {});

/// Labels of coarse nodes become those of the nodes that they are made of.
[[nodiscard]] Assignment lift(const Assignment& coarse_of, const Assignment& coarse_labels);

}  // namespace srgw::detail
