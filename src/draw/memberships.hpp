// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "draw/colours.hpp"
#include "srgw/plan.hpp"

namespace srgw::detail {

/// The colour of each node: that of its label, or the mix of the columns that its row of the plan
/// is spread over. Rows without mass keep the colour of their label.
[[nodiscard]] std::vector<Colour> node_colours(const Assignment& labels, const Plan* plan,
                                               const std::vector<Colour>& colours);

/// The mix of the colours of source nodes that each target node receives.
[[nodiscard]] std::vector<Colour> received_colours(const Plan& plan,
                                                   const std::vector<Colour>& source);

}  // namespace srgw::detail
