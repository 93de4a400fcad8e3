// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/graph.hpp"

namespace srgw::detail {

/// Connected components of the rows of a matrix. In a symmetric one each edge is in the rows of
/// both of its ends, and most entries need not be looked at.
[[nodiscard]] Components components_of(const Csr& csr, bool symmetric);

}  // namespace srgw::detail
