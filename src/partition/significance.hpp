// SPDX-License-Identifier: MIT
#pragma once

#include "partition/communities.hpp"
#include "search/flow.hpp"
#include "srgw/graph.hpp"

namespace srgw::detail {

/// Whether communities say more than the degrees do.
struct Significance {
  bool significant = true;
  double saved = 0;      ///< nats a node that the partition saves
  double one_block = 0;  ///< the same of no partition at all
  double rewired = 0;    ///< the best that rewired copies reach; read if they were needed
  bool needed_copies = false;
};

/// Compares the description length of the partition with that of one block and, where that is not
/// shorter, with those found in copies of the graph with the same degrees and nothing else,
/// searched with the same effort (spec 9.15). The graph is undirected; nodes that count for nothing
/// are left out.
[[nodiscard]] Significance test_significance(const Graph& graph, const Flow& flow,
                                             const Communities& found,
                                             const CommunitySearch& search);

}  // namespace srgw::detail
