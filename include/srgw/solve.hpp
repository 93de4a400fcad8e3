// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "srgw/fields.hpp"
#include "srgw/initial.hpp"
#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "srgw/run.hpp"

namespace srgw {

/// When conditional gradient stops.
enum class Stopping {
  gap,               ///< gap <= tolerance * max(min(|value|, |value - alpha kappa|), 1e-12)
  change,            ///< |change| < tolerance * |new value| or |change| < absolute_tolerance (POT)
  change_of_former,  ///< |change| <= tolerance * |former value| (the authors' code)
};

/// What a row does when several columns attain its minimum.
enum class Ties {
  share,  ///< equal shares for all columns within 1e-15 of the minimum (POT)
  first,  ///< the first of them
};

/// Conditional gradient (Frank-Wolfe) with exact line search: each row moves towards the column
/// that its gradient likes best.
struct ConditionalGradient {
  int max_iterations = 1000;
  double tolerance = 1e-5;
  double absolute_tolerance = 0;  ///< read by Stopping::change only
  Stopping stopping = Stopping::gap;
  Ties ties = Ties::share;
  /// Sweeps of exact row coordinate descent that take over from the slow tail; 0: plain steps only.
  int polish_sweeps = 20;
};

constexpr auto fields(const ConditionalGradient&) {
  using O = ConditionalGradient;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"max_iterations", &O::max_iterations, 1, 1e9, "steps at most"},
      Field{"tolerance", &O::tolerance, 0, inf, "relative, of the stopping rule"},
      Field{"absolute_tolerance", &O::absolute_tolerance, 0, inf,
            "of the change of the value, where the rule has one"},
      Field{"stopping", &O::stopping, 0, 0, "gap, change or change_of_former"},
      Field{"ties", &O::ties, 0, 0, "share or first"},
      Field{"polish_sweeps", &O::polish_sweeps, 0, 1e6,
            "sweeps of row coordinate descent that finish the slow tail"},
  };
}

/// What changes only the path to a solution. The options struct is the method's name.
using Method = std::variant<ConditionalGradient>;

struct Solution {
  Plan plan;              ///< T (n x m), rows sum to h
  Vector target_weights;  ///< column sums of T
  double value = 0;       ///< value_quad + value_linear, recomputed from the plan at the end
  double value_quad = 0, value_linear = 0;
  double gap = 0;      ///< Frank-Wolfe duality gap: 0 at a stationary point
  int iterations = 0;  ///< steps of the method, polish sweeps not counted
  Status status = Status::iteration_limit;
  bool left_symmetric_start = false;  ///< the product start was a fixed point only by symmetry
  int best_start = 0;                 ///< which of the starts this is
  std::vector<double> start_values;   ///< final value of each start: the spread
  std::vector<Progress> trace;        ///< with Run::trace, of the best start
};

/// Solves a problem from one start. Throws when the problem, the options or the plan are malformed.
[[nodiscard]] Solution solve(const Problem& problem, const Method& method, const Plan& start,
                             const Run& run = {});
/// Solves from `count` starts drawn from (seed, 0), (seed, 1), ... in parallel and keeps the lowest
/// value, the first of equals. A start that is a product and turns out to be a fixed point only by
/// symmetry (every row ties) is left: the average with a random plan is tried instead.
[[nodiscard]] Solution solve(const Problem& problem, const Method& method = ConditionalGradient{},
                             Start start = Start::product, int count = 1, const Run& run = {});

/// The same with a workspace that is kept: the thousandth small problem allocates nothing.
class Solver {
 public:
  explicit Solver(Method method = ConditionalGradient{}, Run run = {});
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;
  ~Solver();

  /// The answer stays valid until the next call.
  const Solution& solve(const Problem& problem, const Plan& start);
  /// From the product start h 1'/m, which costs no plan.
  const Solution& solve(const Problem& problem);
  /// From `count` named starts, in parallel; the best is returned.
  [[nodiscard]] Solution race(const Problem& problem, Start start, int count);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace srgw
