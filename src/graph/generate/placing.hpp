// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/random.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Puts each node into a community (sizes: largest first) with room for its neighbours inside:
/// nodes with many first, and a random free place in one of the communities that are large enough.
/// Where none is, neighbours inside become fewer.
[[nodiscard]] Assignment place_nodes(const std::vector<Index>& sizes, std::vector<Index>& inside,
                                     Random& random);

/// The nodes of each community, ascending.
[[nodiscard]] std::vector<std::vector<NodeId>> members_of(const Assignment& labels,
                                                          std::size_t count);

/// Appends a node so many times.
void repeat(std::vector<NodeId>& stubs, NodeId node, Index times);

}  // namespace srgw::detail
