// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "communities/alternate.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// Rows of what is known about all nodes that belong to some of them.
[[nodiscard]] Matrix rows_of(const Matrix& values, const std::vector<NodeId>& nodes);

/// A partition without the nodes that are in no cluster.
struct Part {
  std::vector<NodeId> nodes;
  Graph graph;               ///< on these nodes
  PartitionOptions options;  ///< features, weights and starts have rows of these nodes only
  Index columns = 0;         ///< target nodes
  bool chooses_start = true;
};
[[nodiscard]] Part part_of(const Graph& graph, const ResolvedPartition& resolved, Index columns);

/// Plan, and target where it is learned, with options that may differ from those of the part in
/// all but their rows. If it is stopped, the best until then.
[[nodiscard]] Alternated solve_part(const Part& part, const Source& source,
                                    const PartitionOptions& options, const Run& run);

}  // namespace srgw::detail
