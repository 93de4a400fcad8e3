// SPDX-License-Identifier: MIT
#include "draw/blocks.hpp"

#include <cmath>

#include "graph/csr_rows.hpp"

namespace srgw::detail {

BlockOrder order_by_block(const Assignment& labels, Index blocks) {
  BlockOrder order{std::vector<NodeId>(labels.size()), std::vector<Index>(blocks + 1, 0)};
  for (const NodeId label : labels) order.begins[label + 1] += 1;
  for (std::size_t b = 1; b < order.begins.size(); ++b) order.begins[b] += order.begins[b - 1];
  std::vector<Index> next(order.begins.begin(), order.begins.end() - 1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    order.place[i] = static_cast<NodeId>(next[labels[i]]++);
  }
  return order;
}

Matrix block_weights(const Graph& graph, const std::vector<NodeId>& groups, Index count) {
  Matrix sums = Matrix::Zero(count, count);
  for_each_entry(graph.adjacency(), [&](Index i, Index j, double value) {
    sums(groups[i], groups[j]) += std::abs(value);
  });
  return sums;
}

}  // namespace srgw::detail
