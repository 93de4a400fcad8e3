// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "srgw/types.hpp"

namespace srgw::detail {

/// Renames labels below `count`, all of which have nodes, so that those with many nodes come first,
/// of equal ones that with the first node.
void order_by_size(Assignment& labels, std::size_t count);

}  // namespace srgw::detail
