// SPDX-License-Identifier: MIT
#include "communities/alternate.hpp"

#include <algorithm>
#include <cmath>

#include "base/kmeans.hpp"
#include "base/parallel.hpp"
#include "solve/closed_form.hpp"
#include "solve/watch.hpp"

namespace srgw::detail {

namespace {

constexpr int most_rounds = 50;
constexpr double least_change = 1e-6;

bool was_stopped(Status status) {
  return status == Status::time_limit || status == Status::interrupted;
}

}  // namespace

Problem problem_of(const Alternation& problem, const Structure& target) {
  Problem result{.source = problem.source.structure,
                 .weights = problem.source.weights,
                 .target = target,
                 .loss = problem.loss,
                 .sparsity = problem.sparsity,
                 .entropy = problem.entropy};
  if (problem.target_weights) result.target_weights.emplace(*problem.target_weights);
  return result;
}

Alternated alternate(const Alternation& problem, const Plan& start, const Method& method,
                     const Run& run) {
  const int threads = resolve_threads(run.threads);
  const Watch watch(run);
  Alternated state{.solution = {}, .target = problem.target, .target_features = {}};
  Plan plan = start;
  double last = 0;
  for (int round = 1; round <= most_rounds; ++round) {
    if (problem.learns_target) {
      state.target = Structure::dense(best_target(problem.source.structure, plan, threads));
    }
    Matrix cost;
    Problem fixed = problem_of(problem, state.target);
    if (problem.features != nullptr) {
      const Matrix former = round == 1 ? Matrix::Zero(plan.columns(), problem.features->rows.cols())
                                       : state.target_features;
      state.target_features = best_features(problem.features->rows, plan, former);
      cost = squared_distances(problem.features->rows, state.target_features);
      fixed.features.emplace(FusedTerm{.cost = cost, .alpha = problem.features->alpha});
    }
    state.solution = solve(fixed, method, plan, watch.rest());
    state.rounds = round;
    const double now = state.solution.value;
    plan = state.solution.plan;
    if (!problem.learns() || was_stopped(state.solution.status)) break;
    if (round > 1 && std::abs(last - now) <= least_change * std::abs(now)) break;
    last = now;
  }
  return state;
}

Plan plan_by_features(const Vector& weights, const Matrix& rows, Index columns, std::uint64_t seed,
                      int threads) {
  const auto clusters = static_cast<int>(std::min(columns, rows.rows()));
  const KMeansResult found = kmeans(rows, {.clusters = clusters, .seed = seed, .threads = threads});
  return Plan::from_labels(weights, found.labels, columns);
}

}  // namespace srgw::detail
