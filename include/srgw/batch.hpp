// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "srgw/problem.hpp"
#include "srgw/solve.hpp"

namespace srgw {

/// Solves many problems, each on one thread, as many at a time as the run has threads. Answer p is
/// that of `solve(problems[p], method, start, count, run)`, whatever the number of threads. The
/// time limit holds for all together: problems that it leaves no time make one step. The observer
/// never hears two problems at once, and once it returns false all stop. Throws what the first
/// problem that fails throws.
[[nodiscard]] std::vector<Solution> solve_all(std::span<const Problem> problems,
                                              const Method& method = ConditionalGradient{},
                                              Start start = Start::product, int count = 1,
                                              const Run& run = {});
/// The same from one plan for each problem.
[[nodiscard]] std::vector<Solution> solve_all(std::span<const Problem> problems,
                                              const Method& method, std::span<const Plan> starts,
                                              const Run& run = {});

}  // namespace srgw
