// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "srgw/solve.hpp"

namespace srgw::detail {

/// The plan h r' with r the target weights or 1/m, its value and a bound of its gap, all in closed
/// form: what a call that was stopped returns when it has nothing better. Polls nothing and takes
/// O(entries of C + n m). Throws Stopped where the constant of the source takes long and is not
/// given.
[[nodiscard]] Solution product_solution(const Problem& problem, Status status, int threads,
                                        const std::optional<SquareForm>& constant = {});

}  // namespace srgw::detail
