// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "srgw/structure.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Asynchronous fluid communities (Parés et al. 2017) on the graph whose edges are the entries of C
/// that are not 0, weighted by their size: each community starts at a node with density 1, spreads
/// over neighbours, and gets thinner as it grows; a node joins the community with the most density
/// around it. Components that no fluid reaches join the smallest community.
[[nodiscard]] Assignment fluid_labels(const Structure& structure, Index communities,
                                      std::uint64_t seed);

}  // namespace srgw::detail
