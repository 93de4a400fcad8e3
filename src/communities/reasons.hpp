// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "communities/communities.hpp"
#include "communities/significance.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// What the search chose and why, in sentences about the result that is returned.
[[nodiscard]] std::vector<std::string> explain_search(const Communities& found,
                                                      const CommunitySearch& search,
                                                      const Significance& significance,
                                                      const Partition& result);

}  // namespace srgw::detail
