// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "graph/edges.hpp"

namespace srgw::detail {

namespace {

/// An edge with its ends in order.
struct Seen {
  std::array<NodeId, 2> pair;
  std::size_t edge = 0;
  double weight = 1;
  bool turned = false;
};

std::vector<Seen> sort_edges(const EdgeList& edges) {
  std::vector<Seen> all;
  for (const EdgeChunk& chunk : edges.chunks) {
    for (std::size_t i = 0; i < chunk.ends.size(); ++i) {
      auto pair = chunk.ends[i];
      const bool turned = !edges.directed && pair[0] > pair[1];
      if (turned) std::swap(pair[0], pair[1]);
      all.push_back({pair, all.size(), chunk.weights.empty() ? 1 : chunk.weights[i], turned});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Seen& a, const Seen& b) { return a.pair < b.pair; });
  return all;
}

}  // namespace

DuplicateEdge first_contradiction(const EdgeList& edges) {
  const std::vector<Seen> all = sort_edges(edges);
  std::optional<DuplicateEdge> found;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    for (std::size_t k = i + 1; k < all.size() && all[k].pair == all[i].pair; ++k) {
      const bool agrees = all[i].turned != all[k].turned && all[i].weight == all[k].weight;
      if (agrees || (found && found->second_edge <= all[k].edge)) continue;
      found = DuplicateEdge{.source = all[k].pair[all[k].turned ? 1 : 0],
                            .target = all[k].pair[all[k].turned ? 0 : 1],
                            .first = all[i].weight,
                            .second = all[k].weight,
                            .first_edge = all[i].edge,
                            .second_edge = all[k].edge};
    }
  }
  return found.value();
}

}  // namespace srgw::detail
