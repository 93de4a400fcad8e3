// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/plan.hpp"

namespace srgw::detail {

/// The plan with all of a row on one column.
[[nodiscard]] Plan with_row_on(const Plan& plan, Index row, Index column);
/// The plan with all of a column moved to another one.
[[nodiscard]] Plan with_merged(const Plan& plan, Index from, Index to);

}  // namespace srgw::detail
