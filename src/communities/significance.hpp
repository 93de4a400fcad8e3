// SPDX-License-Identifier: MIT
#pragma once

#include "communities/communities.hpp"
#include "communities/searched_graph.hpp"

namespace srgw::detail {

/// Whether communities say more than the degrees do.
struct Significance {
  bool significant = true;
  bool complete = true;   ///< false: stopped before it could tell
  int copies = 0;         ///< rewired copies that were needed to say so
  double quality = 0;     ///< of the partition, at its resolution; read if copies were needed
  double resolution = 1;  ///< that it was tested at
  double rewired = 0;     ///< the mean that was found in copies
};

/// Compares the description length of the partition with that of one block. Where that
/// is not shorter, copies of the graph with the same degrees and nothing else are searched with the
/// same effort and at the same resolution: the partition must be better than those of all copies,
/// and farther from them than chance takes a copy in one of ten thousand cases. Nodes that count
/// for nothing are left out.
[[nodiscard]] Significance test_significance(const SearchedGraph& graph, const Communities& found,
                                             const CommunitySearch& search);

}  // namespace srgw::detail
