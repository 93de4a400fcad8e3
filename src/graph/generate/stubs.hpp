// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Pairs of nodes in an open hash table; unless they are directed, whichever comes first.
class EdgeSet {
 public:
  explicit EdgeSet(std::size_t edges, bool directed = false);
  /// False when it was there.
  bool insert(NodeId a, NodeId b);
  void erase(NodeId a, NodeId b);
  [[nodiscard]] bool contains(NodeId a, NodeId b) const;

 private:
  [[nodiscard]] std::uint64_t key_of(NodeId a, NodeId b) const;
  [[nodiscard]] std::size_t first_place(std::uint64_t key) const;
  [[nodiscard]] std::size_t place(std::uint64_t key) const;
  std::vector<std::uint64_t> slots_;
  std::size_t mask_;
  bool directed_;
};

/// Pairs up the ends of edges at random: no loops, no double edges and, where groups are given, no
/// pair inside a group. Pairs that break this swap ends with random others; those for which no
/// partner is found are left out. An odd end is left out, too. No pair is one of `present`.
[[nodiscard]] std::vector<Entry> match_stubs(std::vector<NodeId> stubs, const Assignment* groups,
                                             Random& random, std::span<const Entry> present = {});

/// Arcs from tails to heads, which are as many, at random: no loops and no double arcs. Pairs that
/// break this exchange heads with random others; those for which no partner is found are `left`.
struct MatchedArcs {
  std::vector<Entry> arcs, left;
};
[[nodiscard]] MatchedArcs match_arcs(const std::vector<NodeId>& tails, std::vector<NodeId> heads,
                                     Random& random);
/// Repairs pairs that are left, with all arcs of the graph as partners.
[[nodiscard]] MatchedArcs exchange_heads(MatchedArcs matched, Random& random);

/// Swaps the ends of random pairs of edges where that keeps the graph simple.
void swap_edges(std::vector<Entry>& edges, std::size_t attempts, Random& random);

}  // namespace srgw::detail
