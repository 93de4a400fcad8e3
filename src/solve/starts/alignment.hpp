// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "srgw/problem.hpp"

namespace srgw::detail {

/// Parts of the nodes of a structure: (structure, its node weights, number of parts) -> labels.
using Partition = std::function<Assignment(const Structure&, const Vector&, Index)>;

/// A plan from a partition of the larger side. The partitioned structure
/// is averaged over its parts, and parts go to nodes of the smaller side by an exact transport with
/// the distances between rows of the two matrices as cost. With as many nodes on both sides there
/// is nothing to partition. Target weights are those of the problem, or, where they are free, those
/// of the parts. A heuristic: rows are compared entry by entry, in the order of nodes.
[[nodiscard]] Plan aligned_plan(const Problem& problem, const Partition& partition, int threads);

/// (T + h q')/2 with q the column sums of T.
[[nodiscard]] Plan soften(const Plan& plan);

}  // namespace srgw::detail
