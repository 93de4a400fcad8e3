// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <variant>

#include "srgw/graph.hpp"

namespace srgw::test {

/// The rows of a graph that a rank would have read, cut into about as many rows for each.
inline GraphShard shard_of(const Graph& graph, int rank, int count) {
  constexpr Index block = 1024;
  const Index blocks = (graph.nodes() + block - 1) / block;
  GraphShard shard;
  for (int r = 0; r <= count; ++r) {
    shard.starts.push_back(std::min(graph.nodes(), blocks * r / count * block));
  }
  const Index first = shard.starts[static_cast<std::size_t>(rank)];
  const Index last = shard.starts[static_cast<std::size_t>(rank) + 1];
  const Csr& csr = graph.adjacency();
  std::visit(
      [&](const auto& offsets) {
        const auto begin = offsets[static_cast<std::size_t>(first)];
        for (Index i = first; i <= last; ++i) {
          shard.offsets.push_back(offsets[static_cast<std::size_t>(i)] - begin);
        }
        const auto end = offsets[static_cast<std::size_t>(last)];
        shard.columns.assign(csr.columns.begin() + static_cast<std::ptrdiff_t>(begin),
                             csr.columns.begin() + static_cast<std::ptrdiff_t>(end));
        if (csr.has_values()) {
          shard.weights.assign(csr.values.begin() + static_cast<std::ptrdiff_t>(begin),
                               csr.values.begin() + static_cast<std::ptrdiff_t>(end));
        }
      },
      csr.offsets);
  shard.edges = graph.edges();
  return shard;
}

}  // namespace srgw::test
