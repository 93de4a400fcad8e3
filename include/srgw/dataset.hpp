// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// Many graphs, and what is known about them. Each list is empty (nothing known) or has one item
/// for each graph.
struct Dataset {
  std::string name = {};
  std::vector<Graph> graphs = {};
  std::vector<std::string> names = {};                      ///< what the graphs are called
  std::vector<std::int64_t> labels = {};                    ///< classes of the graphs
  std::vector<std::vector<std::int64_t>> node_labels = {};  ///< one label for each node
  std::vector<Matrix> node_features = {};                   ///< one row for each node
  /// One label for each entry of the adjacency, so an undirected edge has its label twice.
  std::vector<std::vector<std::int64_t>> edge_labels = {};
  std::size_t first = 0;  ///< of a part: the number of its first graph, from which messages count
};

/// Throws unless the lists fit the graphs and all features have the same number of columns.
void check(const Dataset& dataset);

}  // namespace srgw
