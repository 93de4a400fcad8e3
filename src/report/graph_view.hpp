// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "srgw/report.hpp"

namespace srgw::detail {

/// The graph for a page, and a sentence about what was left out (empty: nothing was).
struct GraphView {
  ReportGraph graph;
  std::string note;
};
/// Whether clusters are drawn apart, or the layout knows nothing of them.
enum class ClusterPlaces { apart, mixed };

/// All nodes up to 50,000; above, those with most neighbours of the largest clusters. Labels from
/// `clusters` on are no cluster. The plan may be null, or of other nodes than those of its rows.
[[nodiscard]] GraphView graph_view(const Graph& graph, const NodeNames& names,
                                   const Assignment& labels, Index clusters, const Plan* plan,
                                   ClusterPlaces places = ClusterPlaces::apart);

}  // namespace srgw::detail
