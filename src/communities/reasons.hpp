// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "communities/communities.hpp"
#include "communities/significance.hpp"

namespace srgw::detail {

/// What the search chose and why, in sentences.
[[nodiscard]] std::vector<std::string> reasons(const Communities& found,
                                               const CommunitySearch& search,
                                               const Significance& significance);

}  // namespace srgw::detail
