// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "cli/start_word.hpp"
#include "srgw/graph.hpp"
#include "srgw/plan.hpp"
#include "srgw/solve.hpp"
#include "srgw/types.hpp"

namespace srgw::cli {

/// Which nodes are clustered. Nodes without an edge to another node, and components beyond the
/// `clusters` largest, are not: they form a group of their own.
struct Selection {
  Assignment kept;              ///< in node order
  std::vector<bool> connected;  ///< has an edge to another node
  [[nodiscard]] bool keeps_all() const { return kept.size() == connected.size(); }
  [[nodiscard]] Index left_out() const {
    return static_cast<Index>(connected.size() - kept.size());
  }
};
[[nodiscard]] Selection select_nodes(const Graph& graph, Index clusters);

/// The rows of what is known about all nodes that belong to kept ones.
[[nodiscard]] Vector rows_of(const Vector& values, const Selection& selection);
[[nodiscard]] Matrix rows_of(const Matrix& values, const Selection& selection);
void keep_rows(std::optional<StartFile>& start, const Selection& selection);

/// The answer for all nodes.
struct Clusters {
  Assignment labels;                  ///< unconnected nodes have the largest
  std::vector<Index> sizes;           ///< of the clusters, without the unconnected group
  [[nodiscard]] Index count() const;  ///< of those that are not empty
};
/// Makes the solution one of all nodes; rows of those that were left out are empty. With `reorder`
/// target nodes are put in the order of their clusters' sizes, and those without nodes last.
[[nodiscard]] Clusters finish_clusters(Solution& solution, const Selection& selection,
                                       bool reorder);

/// The labels of nodes that have an edge to another node.
[[nodiscard]] Assignment connected_only(const Assignment& labels, const Selection& selection);

}  // namespace srgw::cli
