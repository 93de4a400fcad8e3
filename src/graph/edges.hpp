// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "base/buffer.hpp"
#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Edges in the order of a file, 8 bytes each as long as all weights are 1.
class EdgeChunk {
 public:
  using Ends = std::array<NodeId, 2>;

  void reserve(std::size_t edges) { ends.reserve(edges); }
  void add(NodeId source, NodeId target) {
    ends.push_back({source, target});
    if (!weights.empty()) weights.push_back(1);
  }
  void add(NodeId source, NodeId target, double weight) {
    if (weight != 1 && weights.empty()) {
      weights.reserve(ends.capacity());
      weights.assign(ends.size(), 1.0);
      weights.push_back(weight);
    } else if (!weights.empty()) {
      weights.push_back(weight);
    }
    ends.push_back({source, target});
  }

  std::vector<Ends, LargePages<Ends>> ends;
  std::vector<double> weights;  ///< empty: ones
};

/// All edges of a file: the chunks one after the other.
struct EdgeList {
  Index nodes = 0;
  bool directed = false;
  std::vector<EdgeChunk> chunks = {};
  bool weighted = false;  ///< some weight is not 1, though perhaps none of these
};

/// Two edges that name one pair and contradict each other; edges are counted from 0 over the file.
struct DuplicateEdge {
  NodeId source = 0, target = 0;
  double first = 1, second = 1;
  std::size_t first_edge = 0, second_edge = 0;
};

/// The first edge that contradicts a former one; there must be one.
[[nodiscard]] DuplicateEdge first_contradiction(const EdgeList& edges);

/// Sorts edges into the rows of a graph, on several threads, in memory for the edges and the graph
/// and little more. The rules for duplicates are those of Graph::from_edges; where they refuse,
/// `refuse` is called and must throw. Ends must be below `nodes` and weights finite.
[[nodiscard]] Graph make_graph(EdgeList edges, Duplicates duplicates, int threads,
                               const std::function<void(const DuplicateEdge&)>& refuse);

/// Sorts edges into a part of the rows, `nodes` of them from `first_row` on, where all of them
/// belong: an undirected edge in the row of its smaller end only. Columns are of the whole graph,
/// and values are there exactly if some edge has a weight.
[[nodiscard]] Csr make_rows(EdgeList edges, NodeId first_row, Duplicates duplicates, int threads,
                            const std::function<void(const DuplicateEdge&)>& refuse);

}  // namespace srgw::detail
