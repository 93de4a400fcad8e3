// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "srgw/fields.hpp"
#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "srgw/run.hpp"

namespace srgw {

/// Named starts of a solver. Own labels or an own plan are given as a Plan instead. With target
/// weights given, product is h hbar', random_labels a random vertex of the plans, random its
/// average with the product, and partitions are always aligned.
enum class Start {
  product,          ///< h 1'/m; when that is a fixed point only by symmetry, it is left (see solve)
  product_literal,  ///< h 1'/m and nothing else
  random,           ///< uniform entries, rows scaled to h
  random_product,   ///< h r' with a random r
  random_labels,    ///< each node on one random target node
  kmeans,           ///< k-means on the rows of C
  spectral,         ///< k-means on leading eigenvectors of the scaled C, found by a filtered block
  fluid,            ///< fluid communities on the graph of C
  // Their parts are sent to target nodes one to one, by a permutation with a low objective. With
  // target weights, or target nodes that are not fewer, by a transport between rows of the averaged
  // and of the other matrix (POT's alignment); with more target nodes the target is partitioned.
  kmeans_aligned,
  spectral_aligned,
  fluid_aligned,
  split_merge,  ///< clusters split by the walk and merged again; (scaled) identity targets only
  multilevel,   ///< local moves on contracted graphs; (scaled) identity targets only
  // Averages of a partition T and h q' with q its column sums.
  kmeans_soft,
  spectral_soft,
  fluid_soft,
  /// The best of a few. Row descent (see Automatic): rows placed one by one in two orders, random
  /// labels, and nodes in their order where both graphs have as many. Other methods: the product,
  /// left where it leads to one target node; nodes in their order; for small graphs a search row by
  /// row and k-means, aligned.
  automatic,
};

struct StartName {
  Start start;
  std::string_view name;
  std::string_view doc;
};
/// The one list of names; the fronts and the error messages read it.
[[nodiscard]] std::span<const StartName> start_names();
[[nodiscard]] std::string_view name(Start start);
/// Throws an argument error that lists the names.
[[nodiscard]] Start start_from_name(std::string_view name);

/// Rows are alike on every thread count; equal (start, seed) give equal plans.
[[nodiscard]] Plan initial_plan(const Problem& problem, Start start, std::uint64_t seed = 0,
                                int threads = 0);

/// When conditional gradient stops.
enum class Stopping {
  gap,               ///< gap <= tolerance * max(min(|value|, |value - alpha kappa|), 1e-12)
  change,            ///< |change| < tolerance * |new value| or |change| < absolute_tolerance (POT)
  change_of_former,  ///< |change| <= tolerance * |former value| (the authors' code)
};
constexpr auto names_of(Stopping) {
  return std::array{Named{Stopping::gap, "gap"}, Named{Stopping::change, "change"},
                    Named{Stopping::change_of_former, "change_of_former"}};
}

/// How a row moves when several columns attain its minimum.
enum class Ties {
  share,  ///< equal shares for all columns that differ from the minimum by rounding only (POT)
  first,  ///< the first of them
};
constexpr auto names_of(Ties) {
  return std::array{Named{Ties::share, "share"}, Named{Ties::first, "first"}};
}

/// How the concave penalty of a problem with sparsity is taken: each round replaces it by
/// its tangent at the last target weights and solves what is left with the method itself.
struct Majorisation {
  int max_rounds = 50;
  double round_tolerance = 1e-6;  ///< relative change of the value from round to round
  /// Whether a round starts from the plan of the last one, which makes the value fall from round to
  /// round, or all from the same start, which sometimes ends lower.
  bool warm = true;
};

constexpr auto fields(const Majorisation&) {
  using O = Majorisation;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"max_rounds", &O::max_rounds, 1, 1e9,
            "Only with sparsity: maximum number of majorisation rounds"},
      Field{"round_tolerance", &O::round_tolerance, 0, inf,
            "Only with sparsity: relative change between rounds at which to stop"},
      Field{"warm", &O::warm, 0, 1, "Only with sparsity: start each round from the last plan"},
  };
}

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
  Majorisation majorisation = {};  ///< read when the problem has sparsity
};

constexpr auto fields(const ConditionalGradient&) {
  using O = ConditionalGradient;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"max_iterations", &O::max_iterations, 1, 1e9, "Maximum number of iterations"},
      Field{"tolerance", &O::tolerance, 0, inf, "Tolerance of the stopping criterion"},
      Field{"absolute_tolerance", &O::absolute_tolerance, 0, inf,
            "Only with stopping change: absolute change of the value at which to stop"},
      Field{"stopping", &O::stopping, 0, 2,
            "Stopping criterion: relative gap, or relative change of the value"},
      Field{"ties", &O::ties, 0, 1,
            "If several columns attain the minimum of a row: share its mass, or use the first"},
      Field{"polish_sweeps", &O::polish_sweeps, 0, 1e6,
            "Maximum number of final sweeps of row coordinate descent"},
      Field{"majorisation", &O::majorisation, 0, 0, "rounds of the sparsity penalty"},
  };
}

/// Mirror descent in the log domain. Without Problem::entropy it is the paper's KL-proximal scheme,
/// T <- rows of T exp(-g/epsilon) scaled to h, in which epsilon is an inverse step length and the
/// plan is soft because the run ends early; steps may go up, the best plan is kept. With
/// Problem::entropy it solves that problem by damped steps towards T_ik ~ exp(-g_ik/entropy), and
/// epsilon is not read. Between given weights (Problem::target_weights) these are the proximal
/// point method and projected mirror descent for entropic GW.
struct MirrorDescent {
  double epsilon = 0.1;
  bool relative = false;   ///< epsilon is in units of the largest spread of a gradient row
  double anneal_from = 0;  ///< first weight of a geometric path to epsilon; 0: no path
  int anneal_iterations = 100;
  int max_iterations = 1000;
  double tolerance = 1e-9;     ///< on the change |T' - T| in a step (POT)
  int test_interval = 1;       ///< the tolerances are tested after the first of so many steps
  double value_tolerance = 0;  ///< on the relative change of the value (the authors' code); 0: none
  // Only for balanced problems, where Sinkhorn's scaling projects a step on both weights:
  int scaling_iterations = 1000;
  double scaling_tolerance = 1e-9;  ///< on the sum of what columns lack
  /// Instead scale rows after one step and columns after the next (BAPG, Li et al. 2023); the plan
  /// is made feasible at the end.
  bool alternating = false;
  Majorisation majorisation = {};  ///< read when the problem has sparsity
};

constexpr auto fields(const MirrorDescent&) {
  using O = MirrorDescent;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"epsilon", &O::epsilon, 1e-300, 1e300,
            "Inverse step length of mirror descent; 0: conditional gradient"},
      Field{"relative", &O::relative, 0, 1,
            "Scale epsilon by the largest spread of a gradient row"},
      Field{"anneal_from", &O::anneal_from, 0, 1e300,
            "First epsilon of a geometric path; 0: no path"},
      Field{"anneal_iterations", &O::anneal_iterations, 1, 1e9, "Iterations on that path"},
      Field{"max_iterations", &O::max_iterations, 1, 1e9, "Maximum number of iterations"},
      Field{"tolerance", &O::tolerance, 0, inf, "Change of the plan at which to stop"},
      Field{"test_interval", &O::test_interval, 1, 1e9,
            "Iterations between tests of the stopping criterion; POT: 10"},
      Field{"value_tolerance", &O::value_tolerance, 0, inf,
            "Relative change of the value at which to stop; 0: off"},
      Field{"scaling_iterations", &O::scaling_iterations, 1, 1e9,
            "Maximum number of Sinkhorn iterations of a projection"},
      Field{"scaling_tolerance", &O::scaling_tolerance, 0, inf,
            "Misplaced mass at which a projection stops"},
      Field{"alternating", &O::alternating, 0, 1, "Scale rows and columns in turns (BAPG)"},
      Field{"majorisation", &O::majorisation, 0, 0, "rounds of the sparsity penalty"},
  };
}

/// The default: with Start::automatic, exact row descent from several starts where it serves, which
/// is faster by an order of magnitude and ends lower on average; otherwise conditional gradient
/// with these options. Row descent serves semi-relaxed problems with the square loss, without
/// sparsity and entropy, whose source is symmetric and dense or sparse, with up to 2^18 entries of
/// the plan. Of the options it reads the tolerance, if the stopping criterion is the gap.
struct Automatic : ConditionalGradient {};

/// The solver and its options, which only change the path to a solution.
using Method = std::variant<Automatic, ConditionalGradient, MirrorDescent>;

/// The names of methods in the fronts, in the order of the variant.
enum class MethodName { automatic, conditional_gradient, mirror_descent };
constexpr auto names_of(MethodName) {
  return std::array{Named{MethodName::automatic, "auto"},
                    Named{MethodName::conditional_gradient, "conditional-gradient"},
                    Named{MethodName::mirror_descent, "mirror-descent"}};
}

struct Solution {
  Plan plan;              ///< T (n x m), rows sum to h
  Vector target_weights;  ///< column sums of T
  double value = 0;       ///< the sum of the parts, recomputed from the plan at the end
  double value_quad = 0, value_linear = 0, value_penalty = 0, value_entropy = 0;
  double value_error = 0;  ///< four standard errors where the constant h'(C o C)h is an estimate
  double gap = 0;          ///< Frank-Wolfe duality gap without entropy: 0 at a stationary point
  int iterations = 0;      ///< steps in all rounds without polish sweeps; row descent: its starts
  int rounds = 1;          ///< of majorisation; 1 without sparsity
  Status status = Status::iteration_limit;
  bool left_symmetric_start = false;  ///< the product start was a fixed point only by symmetry
  bool softened_start = false;  ///< a hard start was averaged with h q', which mirror descent needs
  int best_start = 0;           ///< which of the start values this is
  std::vector<double> start_values;                 ///< final value of each start that was tried
  std::vector<Progress> trace;                      ///< with Run::trace, of the best start
  std::vector<std::vector<Progress>> start_traces;  ///< of each of several starts
};

/// Solves a problem from one start. When the run is stopped, the plan is the best so far with its
/// value, or the product of the weights where there was none yet, and the gap may be an upper
/// bound. Throws when the problem, the options or the plan are malformed.
[[nodiscard]] Solution solve(const Problem& problem, const Method& method, const Plan& start,
                             const Run& run = {});
/// Solves from `count` starts drawn from (seed, 0), (seed, 1), ... in parallel and keeps the lowest
/// value, the first of equals. A start that is a product and turns out to be a fixed point only by
/// symmetry (every row ties) is left: the average with a random plan is tried instead. The
/// automatic start is its few starts and `count` - 1 random labels (two each with row descent).
[[nodiscard]] Solution solve(const Problem& problem, const Method& method = Automatic{},
                             Start start = Start::automatic, int count = 1, const Run& run = {});

/// Solves with a workspace that is kept: the thousandth small problem allocates nothing.
class Solver {
 public:
  explicit Solver(Method method = Automatic{}, Run run = {});
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

/// Solves many problems, each on one thread, as many at a time as the run has threads. Answer p is
/// that of `solve(problems[p], method, start, count, run)`, whatever the number of threads. The
/// time limit holds for all together: problems that it leaves no time get the product plan. The
/// observer never hears two problems at once, and once it returns false all stop. Throws what the
/// first problem that fails throws.
[[nodiscard]] std::vector<Solution> solve_all(std::span<const Problem> problems,
                                              const Method& method = Automatic{},
                                              Start start = Start::automatic, int count = 1,
                                              const Run& run = {});
/// Solves from one plan for each problem.
[[nodiscard]] std::vector<Solution> solve_all(std::span<const Problem> problems,
                                              const Method& method, std::span<const Plan> starts,
                                              const Run& run = {});

/// Partial Gromov-Wasserstein between two sides with any masses: minimise
///     alpha E(T) + (1 - alpha) <M, T>,      E(T) = sum_ijkl loss(C_ij, Cbar_kl) T_ik T_jl,
/// over T >= 0 whose rows sum to at most h, whose columns sum to at most hbar, and whose entries
/// sum to the mass. To match a part of the source with free target weights, see Problem::share.
struct PartialProblem {
  Structure source;                        ///< C (n x n)
  VectorSpan weights;                      ///< h (n), non-negative, with any sum above 0
  Structure target;                        ///< Cbar (m x m)
  VectorSpan target_weights;               ///< hbar (m), non-negative, with any sum above 0
  double mass = 1;                         ///< above 0, at most the sum of h and that of hbar
  std::optional<FusedTerm> features = {};  ///< absent: alpha = 1
  Loss loss = Loss::square;
};

/// Throws an argument error that says what was found and expected.
void check(const PartialProblem& problem);

/// Solves by conditional gradient, whose linear step is an exact transport with a dummy on each
/// side, from a matrix of masses or from h hbar' scaled to the mass. The weights of the plan are
/// its row sums. When the run is stopped, the plan is the best so far.
[[nodiscard]] Solution solve_partial(const PartialProblem& problem,
                                     const ConditionalGradient& options = {},
                                     const std::optional<Matrix>& start = {}, const Run& run = {});

/// Soft partial plans: T <- argmin <G(T), T'> + entropy sum_ik T'_ik (log T'_ik - 1) over the plans
/// of the problem, G the gradient at T, until T moves by no more than the tolerance.
struct EntropicPartial {
  double entropy = 1;  ///< above 0
  int max_iterations = 1000;
  double tolerance = 1e-7;           ///< on |T' - T|
  int test_interval = 10;            ///< tested after steps 1, 1 + this, ...
  int scaling_iterations = 1000;     ///< of a step
  double scaling_tolerance = 1e-15;  ///< on what rows and columns have too much, over the mass
};
/// The gap and the value are those without entropy; changes of the plan are in the trace.
[[nodiscard]] Solution solve_partial(const PartialProblem& problem, const EntropicPartial& options,
                                     const std::optional<Matrix>& start = {}, const Run& run = {});

/// The gradient (n x m) of alpha E(T) + (1 - alpha) <M, T> at masses T.
[[nodiscard]] Matrix gradient(const PartialProblem& problem, MatrixView masses);
/// alpha E(T) and (1 - alpha) <M, T>.
[[nodiscard]] Value value(const PartialProblem& problem, MatrixView masses);

}  // namespace srgw
