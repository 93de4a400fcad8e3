// SPDX-License-Identifier: MIT
#include "graph/generate/placing.hpp"

#include <algorithm>
#include <numeric>

#include "base/stop.hpp"

namespace srgw::detail {

namespace {

/// Nodes by their value, largest first, equal ones as they are numbered.
std::vector<NodeId> order_by(const std::vector<Index>& value) {
  const Index largest = value.empty() ? 0 : *std::ranges::max_element(value);
  std::vector<std::size_t> next(largest + 2, 0);  // place of the next node with each value
  for (const Index x : value) ++next[largest - x + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<NodeId> order(value.size());
  StopCounter stop;
  for (std::size_t i = 0; i < value.size(); ++i) {
    stop.throw_if_stopped();
    order[next[largest - value[i]]++] = static_cast<NodeId>(i);
  }
  return order;
}

}  // namespace

Assignment place_nodes(const std::vector<Index>& sizes, std::vector<Index>& inside,
                       Random& random) {
  Assignment blocks(inside.size());
  std::vector<NodeId> places;
  std::size_t opened = 0;
  StopCounter stop;
  for (const NodeId i : order_by(inside)) {
    stop.throw_if_stopped();
    while (opened < sizes.size() && (sizes[opened] > inside[i] || places.empty())) {
      places.insert(places.end(), sizes[opened], static_cast<NodeId>(opened));
      ++opened;
    }
    std::swap(places[random.below(places.size())], places.back());
    blocks[i] = places.back();
    places.pop_back();
    inside[i] = std::min(inside[i], sizes[blocks[i]] - 1);
  }
  return blocks;
}

std::vector<std::vector<NodeId>> members_of(const Assignment& labels, std::size_t count) {
  std::vector<std::vector<NodeId>> members(count);
  StopCounter stop;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    stop.throw_if_stopped();
    members[labels[i]].push_back(static_cast<NodeId>(i));
  }
  return members;
}

void repeat(std::vector<NodeId>& stubs, NodeId node, Index times) {
  stubs.insert(stubs.end(), times, node);
}

}  // namespace srgw::detail
