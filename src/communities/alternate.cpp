// SPDX-License-Identifier: MIT
#include "communities/alternate.hpp"

#include <algorithm>
#include <cmath>

#include "base/kmeans.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "solve/closed_form.hpp"
#include "srgw/metrics.hpp"

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

namespace {

/// The best target and features for a plan, then the best plan for these.
Alternated take_turn(const Alternation& problem, const Plan& plan, const Matrix& former_features,
                     const Method& method, const Run& run) {
  Alternated state{.solution = {}, .target = problem.target, .target_features = {}};
  if (problem.learns_target) {
    state.target =
        Structure::dense(best_target(problem.source.structure, plan, resolve_threads(run.threads)));
  }
  Matrix cost;
  Problem fixed = problem_of(problem, state.target);
  if (problem.features != nullptr) {
    state.target_features = best_features(problem.features->rows, plan, former_features);
    cost = squared_distances(problem.features->rows, state.target_features);
    fixed.features.emplace(FusedTerm{.cost = cost, .alpha = problem.features->alpha});
  }
  state.solution = solve(fixed, method, plan, run);
  return state;
}

Matrix no_features(const Alternation& problem, const Plan& plan) {
  if (problem.features == nullptr) return {};
  return Matrix::Zero(plan.columns(), problem.features->rows.cols());
}

}  // namespace

Alternated alternate(const Alternation& problem, const Plan& start, const Method& method,
                     const Run& run) {
  Alternated state{.solution = {}, .target = problem.target, .target_features = {}};
  const auto stopped = run_until_stopped(run, [&](StopScope&) {
    Plan plan = start;
    Matrix features = no_features(problem, start);
    double last = 0;
    for (int round = 1; round <= most_rounds; ++round) {
      state = take_turn(problem, plan, features, method, run);
      state.rounds = round;
      const double now = state.solution.value;
      plan = state.solution.plan;
      features = state.target_features;
      if (!problem.learns() || was_stopped(state.solution.status)) break;
      if (round > 1 && std::abs(last - now) <= least_change * std::abs(now)) break;
      last = now;
    }
  });
  if (stopped) {
    if (state.rounds == 0) state = evaluate(problem, start, method, run.threads);
    state.solution.status = *stopped;
  }
  return state;
}

void pass_on_stop(Status status) {
  if (was_stopped(status)) throw Stopped(status);
}

Alternated evaluate(const Alternation& problem, const Plan& plan, Method method, int threads) {
  const StopShield shield;
  if (auto* gradient = std::get_if<ConditionalGradient>(&method)) {
    // With this tolerance every plan is good enough. No step is taken, so ties do not matter: with
    // many clusters of one node, shares of all of them would take memory.
    *gradient = {.max_iterations = 1, .tolerance = 1e300, .ties = Ties::first, .polish_sweeps = 0};
  } else {
    std::get<MirrorDescent>(method).max_iterations = 1;
  }
  std::visit([](auto& options) { options.majorisation.max_rounds = 1; }, method);
  return take_turn(problem, plan, no_features(problem, plan), method, {.threads = threads});
}

Plan plan_by_features(const Vector& weights, const Matrix& rows, Index columns, std::uint64_t seed,
                      int threads) {
  const auto clusters = static_cast<int>(std::min(columns, rows.rows()));
  const KMeansResult found = kmeans(rows, {.clusters = clusters, .seed = seed, .threads = threads});
  return Plan::from_labels(weights, found.labels, columns);
}

namespace {

constexpr int path_steps = 10;

Index used_columns(const Assignment& labels, Index columns) {
  std::vector<bool> used(columns, false);
  for (const NodeId label : labels) used[label] = true;
  return static_cast<Index>(std::count(used.begin(), used.end(), true));
}

}  // namespace

Alternated follow_path(const Alternation& problem, const Plan& start,
                       const PartitionOptions& options, const Graph& graph, const Run& run,
                       std::vector<PartitionPathPoint>& path) {
  Alternation penalised = problem;
  Alternated found{.solution = {}, .target = problem.target, .target_features = {}};
  found.solution.plan = start;
  for (int step = 1; step <= path_steps; ++step) {
    penalised.sparsity = std::ldexp(options.sparsity, step - path_steps);
    const Plan from = found.solution.plan;
    found = alternate(penalised, from, options.method, run);
    const StopShield shield;
    const Assignment labels = found.solution.plan.labels();
    path.push_back({penalised.sparsity, used_columns(labels, start.columns()), found.solution.value,
                    metrics::modularity(graph, labels)});
    if (was_stopped(found.solution.status)) break;
  }
  return found;
}

}  // namespace srgw::detail
