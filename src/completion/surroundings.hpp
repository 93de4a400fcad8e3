// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// The seen part of a graph, to which nodes may be added.
struct SeenGraph {
  std::vector<std::vector<NodeId>> neighbours;  ///< of each node, without itself
  Matrix features;                              ///< n x d; no columns: none
  Assignment roles;                             ///< target nodes of the plan onto the atom
  double fit = 0;                               ///< value of that plan
  Matrix remembered;                            ///< what is known of such nodes (recall)
  Index hidden = 0;                             ///< nodes that are not seen

  [[nodiscard]] Index size() const { return std::ssize(neighbours); }
  /// Adds a hidden node with its edges; it is seen then.
  void add(const std::vector<NodeId>& its_neighbours, const Vector& its_features, NodeId role);
};

/// Numbers that tell nodes, pairs and graphs apart whatever the order of nodes: degrees, distances,
/// cycles, features around, and what the atom says about roles.
class Surroundings {
 public:
  Surroundings(const SeenGraph& graph, const Atom& atom);

  [[nodiscard]] static Index graph_columns(Index features);
  [[nodiscard]] static Index node_columns(Index features);
  [[nodiscard]] static Index pair_columns(Index features);

  void write_graph(double* row) const;
  void write_node(Index node, double* row) const;
  /// A node as seen from another one: what write_node() writes, then the view.
  void write_pair(Index node, Index from, double* row) const;
  void write_view(Index node, Index from, double* row) const;

  /// Whether two nodes have the same closed neighbourhood.
  [[nodiscard]] bool twins(Index i, Index j) const { return closed_[i] == closed_[j]; }

 private:
  void measure_distances();
  void count_triangles();
  void compare_neighbourhoods();
  void describe_graph();

  [[nodiscard]] std::uint8_t distance(Index i, Index j) const { return distances_[i * n_ + j]; }
  [[nodiscard]] Index common_neighbours(Index i, Index j) const;

  const SeenGraph& graph_;
  const Atom& atom_;
  Index n_;
  Vector degrees_, triangles_, clustering_, twins_, same_degree_, lower_degree_, neighbour_degree_,
      component_, role_degree_;
  std::vector<std::uint8_t> distances_;  // n x n; `far` where there is no path
  std::vector<std::uint8_t> adjacent_;   // n x n
  std::vector<std::uint64_t> closed_;    // a number for the neighbourhood with the node itself
  double components_ = 0;
  std::vector<double> of_graph_;
};

}  // namespace srgw::detail
