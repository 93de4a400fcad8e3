// SPDX-License-Identifier: MIT
#pragma once

#include "communities/search/local_moves.hpp"

namespace srgw::detail {

struct BatchRules {
  std::size_t batches = 64;  ///< of a sweep over all nodes
  int most_sweeps = 16;
  double few = 0.01;       ///< of the nodes: sweeps end where one moves fewer
  bool to_the_end = true;  ///< what is left then goes one node after the other
  int threads = 1;
};

/// Local moves on all threads. Runs of consecutive nodes are cut into batches, in an order drawn
/// from the seed; inside a run one node decides after the other, but all runs of a batch decide at
/// once, from what the batches before left. So the result is the same on every number of threads.
/// The price: nodes of a batch do not see each other move, and some go where they would not have
/// gone; sweeps over the nodes whose surroundings changed mend that. Once a sweep moves few nodes,
/// local_moves() visits what is left, and the quality rises with every move. Returns whether
/// anything moved.
bool batched_moves(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
                   const BatchRules& batches);

}  // namespace srgw::detail
