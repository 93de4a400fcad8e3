// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::detail {

/// Renames labels below `count`, all of which have nodes, so that those with many nodes come first,
/// of equal ones that with the first node.
void order_by_size(Assignment& labels, std::size_t count);

/// The number of nodes with each label below `count`.
[[nodiscard]] std::vector<Index> sizes_of(const Assignment& labels, std::size_t count);

/// Runs of nodes, in their order, in `count` blocks of nearly the same size.
[[nodiscard]] Assignment runs_of_nodes(std::size_t nodes, std::size_t count);

}  // namespace srgw::detail
