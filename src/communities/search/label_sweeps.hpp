// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// Which clusters a node may go to.
enum class Reach {
  neighbours,  ///< those of its neighbours
  twins,       ///< its own and the one whose label differs in the last bit
};

struct SweepRules {
  double resolution = 1;
  std::size_t clusters = 1;  ///< labels are below
  Reach reach = Reach::neighbours;
  int most_sweeps = 10;
  double least_moves = 1e-3;  ///< ends when a sweep moves a smaller share of the nodes
  int threads = 1;
  std::function<void()> poll = {};  ///< called after each sweep; on ranks together
};

/// Local moves for large graphs and few clusters. Nodes are cut into blocks and these into batches;
/// all nodes of a batch choose at once, from what the batches before left, so the result is the
/// same on every number of threads and ranks. A sweep visits each node once. Labels have one for
/// each place of the graph, and stay what they were if it is stopped.
void label_sweeps(const WeightedGraph& graph, Assignment& labels, const SweepRules& rules);

}  // namespace srgw::detail
