// SPDX-License-Identifier: MIT
#include "blocks/order_labels.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace srgw::detail {

void order_by_size(Assignment& labels, std::size_t count) {
  std::vector<std::size_t> sizes(count, 0), order(count), first(count, labels.size());
  for (std::size_t i = labels.size(); i-- > 0;) {
    ++sizes[labels[i]];
    first[labels[i]] = i;
  }
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : first[a] < first[b];
  });
  std::vector<NodeId> names(count);
  for (std::size_t r = 0; r < count; ++r) names[order[r]] = static_cast<NodeId>(r);
  for (NodeId& label : labels) label = names[label];
}

}  // namespace srgw::detail
