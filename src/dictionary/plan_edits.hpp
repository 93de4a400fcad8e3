// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/plan.hpp"

namespace srgw::detail {

/// The plan with all of a row on one column.
[[nodiscard]] Plan with_row_on(const Plan& plan, Index row, Index column);
/// The plan with all of a column moved to another one.
[[nodiscard]] Plan with_merged(const Plan& plan, Index from, Index to);

/// Whether two plans of one graph are labels or short rows with the same numbers.
[[nodiscard]] bool are_same(const Plan& a, const Plan& b);

}  // namespace srgw::detail
