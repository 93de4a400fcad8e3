// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "blocks/block_counts.hpp"
#include "srgw/blocks.hpp"

namespace srgw::detail {

struct FoundBlocks {
  Assignment labels;
  std::size_t count = 1;
  double length = 0;
  std::vector<BlockTrial> trials = {};
};

struct BlockSearch {
  std::optional<std::size_t> blocks = {};  ///< absent: chosen by description length
  std::size_t most_blocks = 0;             ///< 0: as many as the data support
  bool degree_corrected = false;
  int starts = 2;
  std::uint64_t seed = 0;
  int threads = 1;
  /// Told of results that are better than all before; of the allowed number of blocks.
  std::function<void(const FoundBlocks&)> found = {};
};

/// The largest number of blocks: their counts are a dense matrix.
inline constexpr std::size_t largest_block_count = 2000;

/// The labels with the shortest description that was found.
[[nodiscard]] FoundBlocks search_blocks(const CountedGraph& graph, const BlockSearch& search);

}  // namespace srgw::detail
