// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Pairs of nodes, whichever comes first, in an open hash table.
class EdgeSet {
 public:
  explicit EdgeSet(std::size_t edges);
  /// False when it was there.
  bool insert(NodeId a, NodeId b);
  void erase(NodeId a, NodeId b);
  [[nodiscard]] bool contains(NodeId a, NodeId b) const;

 private:
  [[nodiscard]] std::size_t first_place(std::uint64_t key) const;
  [[nodiscard]] std::size_t place(std::uint64_t key) const;
  std::vector<std::uint64_t> slots_;
  std::size_t mask_;
};

/// Pairs up the ends of edges at random: no loops, no double edges and, where groups are given, no
/// pair inside a group. Pairs that break this swap ends with random others; those for which no
/// partner is found are left out. An odd end is left out, too.
[[nodiscard]] std::vector<Entry> match_stubs(std::vector<NodeId> stubs, const Assignment* groups,
                                             Random& random);

/// Swaps the ends of random pairs of edges where that keeps the graph simple.
void swap_edges(std::vector<Entry>& edges, std::size_t attempts, Random& random);

}  // namespace srgw::detail
