// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <numeric>

#include "base/message.hpp"
#include "srgw/dictionary.hpp"

namespace srgw {

using detail::fail_argument;

SplitEdges split_edges(std::span<const std::int64_t> from, std::span<const std::int64_t> to,
                       std::span<const double> weights, std::span<const std::int64_t> sizes) {
  if (from.size() != to.size()) {
    fail_argument("{} sources and {} targets of edges, expected as many", from.size(), to.size());
  }
  if (!weights.empty() && weights.size() != from.size()) {
    fail_argument("{} edge weights, expected {}, one for each edge", weights.size(), from.size());
  }
  std::int64_t nodes = 0;
  std::vector<std::size_t> graph_of;
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    if (sizes[g] < 1 || sizes[g] > std::numeric_limits<NodeId>::max()) {
      fail_argument("graph {} has {} nodes, expected at least 1", g, sizes[g]);
    }
    nodes += sizes[g];
    graph_of.insert(graph_of.end(), sizes[g], g);
  }
  // Edges by row, then by column, by counting.
  const auto sorted_by = [&](std::span<const std::int64_t> key,
                             const std::vector<std::size_t>& order) {
    std::vector<std::size_t> begin(nodes + 1);
    for (const std::int64_t node : key) ++begin[node + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::size_t> result(order.size());
    for (const std::size_t edge : order) result[begin[key[edge]]++] = edge;
    return result;
  };
  for (std::size_t e = 0; e < from.size(); ++e) {
    for (const std::int64_t node : {from[e], to[e]}) {
      if (node < 0 || node >= nodes) {
        fail_argument("edge {} has the node {}, expected a number from 0 to {}", e, node,
                      nodes - 1);
      }
    }
    const std::size_t g = graph_of[from[e]];
    const std::size_t other = graph_of[to[e]];
    if (g != other) {
      fail_argument("edge {} ({}, {}) joins graphs {} and {}, expected edges inside of graphs", e,
                    from[e], to[e], g, other);
    }
  }
  std::vector<std::size_t> order(from.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  order = sorted_by(from, sorted_by(to, order));

  SplitEdges result;
  result.slots.resize(from.size());
  std::size_t at = 0, slots = 0;
  std::int64_t first = 0;
  for (const std::int64_t size : sizes) {
    std::vector<std::uint32_t> offsets{0};
    std::vector<NodeId> columns;
    std::vector<double> values;
    bool all_ones = weights.empty();
    for (std::int64_t row = first; row < first + size; ++row) {
      const std::size_t begin = columns.size();
      for (; at < order.size() && from[order[at]] == row; ++at) {
        const std::size_t edge = order[at];
        const auto column = static_cast<NodeId>(to[edge] - first);
        const double weight = weights.empty() ? 1.0 : weights[edge];
        if (columns.size() > begin && columns.back() == column) {
          values.back() += weight;
          all_ones = false;
        } else {
          columns.push_back(column);
          values.push_back(weight);
          ++slots;
        }
        result.slots[edge] = slots - 1;
      }
      offsets.push_back(static_cast<std::uint32_t>(columns.size()));
    }
    if (all_ones) values.clear();  // which kernels need not read then
    result.structures.push_back(Structure::csr({.offsets = std::move(offsets),
                                                .columns = std::move(columns),
                                                .values = std::move(values)}));
    first += size;
  }
  return result;
}

}  // namespace srgw
