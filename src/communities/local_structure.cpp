// SPDX-License-Identifier: MIT
#include "communities/local_structure.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace srgw::detail {

double meeting_share(const WeightedGraph& graph, std::uint64_t seed) {
  constexpr int sample = 500;
  constexpr std::size_t most_neighbours = 64;  // of a hub, as many as these are looked at
  Random random(seed, 0);
  std::size_t steps = 0, meetings = 0;
  std::vector<NodeId> ends;
  const auto visit = [&](std::size_t node, auto&& with) {
    const std::size_t degree = graph.degree(node);
    const std::size_t stride = degree / most_neighbours + 1;
    for (std::size_t k = 0; k < degree; k += stride) with(graph.columns[graph.begin(node) + k]);
  };
  for (int s = 0; s < sample && graph.size() > 0; ++s) {
    const auto start = static_cast<NodeId>(random.below(graph.size()));
    ends.clear();
    visit(start, [&](NodeId middle) {
      ends.push_back(middle);
      visit(middle, [&](NodeId end) {
        if (end != start) ends.push_back(end);
      });
    });
    std::sort(ends.begin(), ends.end());
    steps += ends.size();
    const auto distinct = std::unique(ends.begin(), ends.end()) - ends.begin();
    meetings += ends.size() - static_cast<std::size_t>(distinct);
  }
  return steps > 0 ? static_cast<double>(meetings) / static_cast<double>(steps) : 0;
}

}  // namespace srgw::detail
