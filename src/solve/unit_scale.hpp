// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "srgw/solve.hpp"

namespace srgw::detail {

/// Solvers compare and square entries, which works for sizes between about 2^-100 and 2^100. The
/// square loss does not care: with C, Cbar and the square roots of all costs multiplied by a power
/// of two, plans are the same and values change by its square, exactly.

/// The exponent of the largest entry of structures. Throws where values, which are squares, are far
/// from what a floating-point number can hold.
[[nodiscard]] int unit_exponent(double largest);
/// The structure times 2^exponent.
[[nodiscard]] Structure times_power_of_two(const Structure& structure, int exponent);
/// The method for costs times 2^exponent: what is measured in them follows.
[[nodiscard]] Method times_power_of_two(const Method& method, int exponent);

/// The exponent of the largest entry, if a problem has to be brought to size 1; 0 otherwise.
[[nodiscard]] int scale_exponent(const Problem& problem);

/// A problem times 2^-exponent.
class ScaledProblem {
 public:
  ScaledProblem(const Problem& problem, int exponent);
  [[nodiscard]] const Problem& problem() const { return problem_; }

 private:
  Matrix cost_;
  Problem problem_;
};

/// Calls solve(problem, method, run) with the problem times 2^-exponent, and brings its answer
/// back. Throws an argument error where the value is no floating-point number.
using SolveScaled = std::function<Solution(const Problem&, const Method&, const Run&)>;
[[nodiscard]] Solution solve_at_unit_scale(const Problem& problem, int exponent,
                                           const Method& method, const Run& run,
                                           const SolveScaled& solve);

}  // namespace srgw::detail
