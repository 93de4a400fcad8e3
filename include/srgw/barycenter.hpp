// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "srgw/fields.hpp"
#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "srgw/run.hpp"
#include "srgw/solve.hpp"

namespace srgw {

/// One of the graphs to be averaged.
struct BarycenterSample {
  Structure structure;                      ///< C_s (n_s x n_s)
  VectorSpan weights;                       ///< h_s (n_s), non-negative, sums to 1
  std::optional<MatrixSpan> features = {};  ///< F_s (n_s x d); all samples have them or none
  double share = 1;                         ///< lambda_s >= 0; scaled so that all sum to 1
};

/// Minimise over a structure B (m x m) and features X (m x d)
///     sum_s lambda_s (alpha E(C_s, B; T_s) + (1 - alpha) sum_ik |F_s,i - X_k|^2 T_s,ik)
/// where each T_s solves the Problem from sample s to B: with target weights given the GW and FGW
/// barycenter, else the semi-relaxed one. With the KL loss and given weights E compares B with C_s,
/// otherwise C_s with B; the best B is then the geometric, otherwise the arithmetic mean.
struct BarycenterProblem {
  std::span<const BarycenterSample> samples;
  Index size = 0;                                 ///< m
  std::optional<VectorSpan> target_weights = {};  ///< hbar (m); absent: semi-relaxed
  double alpha = 0.5;                             ///< read where samples have features
  Loss loss = Loss::square;
  double entropy = 0;  ///< of the plans; then the method is mirror descent
  /// B and X to start from; absent: squared distances of random points, scaled to at most 1, and
  /// rows of the samples' features.
  std::optional<MatrixSpan> structure = {}, features = {};
  bool fixed_structure = false, fixed_features = false;  ///< stay as given
  /// Plans to start from, one for each sample; absent: those of BarycenterLoop. A structure and
  /// features that are not given are then the best for them.
  std::span<const Plan> plans = {};
};

/// When the turns end.
enum class BarycenterStopping {
  value,   ///< |change of the value| <= tolerance * |value|
  change,  ///< |B' - B| <= tolerance and |X' - X| <= tolerance (POT)
};

/// A start of one's own: a plan of the problem, drawn from the seed. Called on several threads.
using PlanStart = std::function<Plan(const Problem&, std::uint64_t seed)>;

/// How the plans and the barycenter take turns.
struct BarycenterLoop {
  int max_iterations = 100;
  double tolerance = 1e-7;  ///< of the stopping rule
  BarycenterStopping stopping = BarycenterStopping::value;
  bool warm_plans = true;        ///< plans go on from those of the last turn
  Start start = Start::product;  ///< of the first plans, or of all that are not warm
  PlanStart own_start = {};      ///< in place of `start`
};

constexpr auto fields(const BarycenterLoop&) {
  using O = BarycenterLoop;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"max_iterations", &O::max_iterations, 1, 1e9, "turns at most"},
      Field{"tolerance", &O::tolerance, 0, inf, "of the stopping rule"},
      Field{"stopping", &O::stopping, 0, 1, "value or change"},
      Field{"warm_plans", &O::warm_plans, 0, 1, "whether plans go on from those of the last turn"},
      Field{"start", &O::start, 0, static_cast<double>(Start::automatic), "of the first plans"},
  };
}

struct Barycenter {
  Matrix structure;                   ///< B (m x m), the best for the plans
  Matrix features;                    ///< X (m x d); empty without features
  std::vector<Plan> plans;            ///< T_s (n_s x m)
  std::vector<double> sample_values;  ///< objective of each sample, with its entropy
  double value = 0;                   ///< their sum, weighted by lambda_s
  std::vector<double> values;         ///< at the plans of each turn, before B and X follow them
  std::vector<double> structure_changes, feature_changes;  ///< |B' - B| and |X' - X| in each turn
  std::vector<std::vector<Plan>> plan_trace;               ///< with Run::trace, of each turn
  int iterations = 0;
  Status status = Status::iteration_limit;
};

/// Alternates between the plans, by the method, and the best B and X for them, in closed form; what
/// no plan uses stays as it was. With warm plans and conditional gradient the value never rises.
/// Samples are solved in parallel; the result does not depend on the threads. The observer is told
/// of each turn, counted from 1, and asked with an empty Progress while plans are solved.
[[nodiscard]] Barycenter barycenter(const BarycenterProblem& problem,
                                    const Method& method = ConditionalGradient{},
                                    const BarycenterLoop& loop = {}, const Run& run = {});

/// The best structure for plans T_s (n_s x m): sum_s lambda_s T_s'C_s T_s / sum_s lambda_s q_s
/// q_s', entry by entry; with `geometric` the exponential of that with log C_s. Entries that no
/// plan uses are those of `former`.
[[nodiscard]] Matrix barycenter_structure(std::span<const BarycenterSample> samples,
                                          std::span<const Plan> plans, MatrixView former,
                                          bool geometric = false);
/// The best features: sum_s lambda_s T_s'F_s / sum_s lambda_s q_s, row by row.
[[nodiscard]] Matrix barycenter_features(std::span<const BarycenterSample> samples,
                                         std::span<const Plan> plans, MatrixView former);

}  // namespace srgw
