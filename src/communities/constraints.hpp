// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "communities/anchors.hpp"
#include "communities/searched_graph.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// Previous labels, fixed labels and limits on sizes, and the graphs that are searched with them.
/// The constructor throws where they cannot be met.
struct Constraints {
  std::vector<std::int64_t> previous, fixed;  ///< of each node; empty: none
  SearchedGraph graph;
  AnchoredGraph hard;    ///< with anchors of fixed nodes
  AnchoredGraph pulled;  ///< with all anchors

  Constraints(const Layers& layers, const PartitionOptions& options, int threads);
};

}  // namespace srgw::detail
