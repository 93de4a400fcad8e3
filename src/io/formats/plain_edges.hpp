// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "io/edges.hpp"
#include "io/formats/dialect.hpp"

namespace srgw::detail {

/// The largest id that is kept as a number on the fast way.
inline constexpr std::uint64_t largest_plain_id = std::numeric_limits<NodeId>::max() - 1;

/// Edges between ids as they stand in the file.
struct PlainEdges {
  std::vector<EdgeChunk> chunks = {};
  NodeId smallest = std::numeric_limits<NodeId>::max();  ///< above `largest`: no edges
  NodeId largest = 0;
};

/// The edges of a file whose lines are plain numbers, read on several threads in pieces of so many
/// bytes; nothing when any line is something else: a name, a quote, a mistake.
[[nodiscard]] std::optional<PlainEdges> parse_plain_edges(const Dialect& dialect,
                                                          std::size_t piece_bytes, int threads);

}  // namespace srgw::detail
