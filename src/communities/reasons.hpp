// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "communities/communities.hpp"
#include "communities/significance.hpp"
#include "srgw/partition.hpp"

namespace srgw::detail {

/// Sentences about the choices of the search, computed from the result that is returned.
[[nodiscard]] std::vector<std::string> explain_search(const Communities& found,
                                                      const CommunitySearch& search,
                                                      const Significance& significance,
                                                      const Partition& result);

}  // namespace srgw::detail
