// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "communities/communities.hpp"
#include "communities/significance.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// Sentences about the choices of the search, computed from the result that is returned; in it
/// `split_off` nodes are clusters of their own only because of the given number.
[[nodiscard]] std::vector<std::string> explain_search(const Communities& found,
                                                      const CommunitySearch& search,
                                                      const Significance& significance,
                                                      std::size_t split_off,
                                                      const Partition& result);

}  // namespace srgw::detail
