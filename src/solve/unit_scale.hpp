// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "srgw/solve.hpp"

namespace srgw::detail {

/// Solvers compare and square entries, which works for sizes between about 2^-100 and 2^100. The
/// square loss does not care: with C, Cbar and the square roots of all costs multiplied by a power
/// of two, plans are the same and values change by its square, exactly.

/// The exponent of the largest entry of the structures, or of the features if alpha is 0 or the
/// structures have no entry. Throws where values, which are squares, are far from what a
/// floating-point number can hold.
[[nodiscard]] int unit_exponent(double largest_structure, double largest_feature, double alpha);
/// Squares of 2^±480 are numbers, and so are parts of them down to rounding: 2^(2 * 480 + 60).
inline constexpr int most_exponent = 480;
/// The largest absolute entry; 0 if there is none.
[[nodiscard]] double largest_entry(MatrixView matrix);
/// The exponent, if it is so far from 0 that entries cannot be compared and squared; 0 otherwise.
[[nodiscard]] int if_extreme(int exponent);
/// The structure times 2^exponent.
[[nodiscard]] Structure times_power_of_two(const Structure& structure, int exponent);
/// The method for costs times 2^exponent: what is measured in them follows.
[[nodiscard]] Method times_power_of_two(const Method& method, int exponent);
/// All times 2^exponent.
void multiply(std::vector<double>& values, int exponent);
/// The run of a search on scaled numbers, whose observer is told values times 2^exponent.
[[nodiscard]] Run with_values_times(const Run& run, int exponent);

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
