// SPDX-License-Identifier: MIT
#include "blocks/order_labels.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace srgw::detail {

void order_by_size(Assignment& labels, std::size_t count) {
  const std::vector<Index> sizes = sizes_of(labels, count);
  std::vector<std::size_t> order(count), first(count, labels.size());
  for (std::size_t i = labels.size(); i-- > 0;) first[labels[i]] = i;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : first[a] < first[b];
  });
  std::vector<NodeId> names(count);
  for (std::size_t r = 0; r < count; ++r) names[order[r]] = static_cast<NodeId>(r);
  for (NodeId& label : labels) label = names[label];
}

std::vector<Index> sizes_of(const Assignment& labels, std::size_t count) {
  std::vector<Index> sizes(count, 0);
  for (const NodeId label : labels) ++sizes[label];
  return sizes;
}

Assignment runs_of_nodes(std::size_t nodes, std::size_t count) {
  Assignment labels(nodes);
  for (std::size_t i = 0; i < nodes; ++i) labels[i] = static_cast<NodeId>(i * count / nodes);
  return labels;
}

}  // namespace srgw::detail
