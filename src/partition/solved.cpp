// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "csr_rows.hpp"
#include "message.hpp"
#include "parallel.hpp"
#include "partition/alternate.hpp"
#include "partition/routes.hpp"
#include "search/flow.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

namespace {

using Kind = PartitionStructure::Kind;
constexpr Index largest_dense = 5000;  // nodes of a kernel that is formed

Source kernel_of(const Graph& graph, const PartitionStructure& structure, int threads) {
  const bool formed = graph.nodes() <= largest_dense;
  if (structure.kind == Kind::heat) {
    return formed ? heat_kernel(graph, structure.time, threads)
                  : implicit_heat_kernel(graph, structure.time, 1e-10, threads);
  }
  return formed ? stability(graph, structure.time, threads)
                : implicit_stability(graph, structure.time);
}

Source source_of(const Graph& graph, const PartitionOptions& options, int threads) {
  const PartitionStructure& structure = options.structure;
  Source source = [&] {
    switch (structure.kind) {
      case Kind::heat:
      case Kind::stability: return kernel_of(graph, structure, threads);
      case Kind::modularity: return modularity(graph);
      case Kind::adjacency: return adjacency(graph);
      case Kind::given: return Source{*structure.structure, uniform_weights(graph.nodes())};
      case Kind::automatic: break;
    }
    // A learned target fits blocks to the adjacency; a scaled one is a resolution of modularity.
    return options.target.kind == PartitionTarget::Kind::learned ? adjacency(graph)
                                                                 : modularity(graph);
  }();
  switch (options.weights.kind) {
    case PartitionWeights::Kind::automatic: break;
    case PartitionWeights::Kind::uniform: source.weights = uniform_weights(graph.nodes()); break;
    case PartitionWeights::Kind::degree: source.weights = degree_weights(graph); break;
    case PartitionWeights::Kind::power:
      source.weights = power_weights(graph, options.weights.exponent);
      break;
    case PartitionWeights::Kind::given: source.weights = options.weights.values; break;
  }
  return source;
}

Index columns_of(const Graph& graph, const PartitionOptions& options) {
  if (options.target.kind == PartitionTarget::Kind::given) return options.target.structure->size();
  if (!options.clusters) {
    fail_argument("no number of clusters, expected one: only the default search can choose it");
  }
  return std::min(*options.clusters, graph.nodes());
}

/// A named start of the problem that has the first target.
Plan first_plan(const Source& source, const Structure& target, Start start, std::uint64_t seed,
                int threads) {
  return initial_plan({.source = source.structure, .weights = source.weights, .target = target},
                      start, seed, threads);
}

/// Where nothing is learned along the way, starts may race.
Alternated race(const Alternation& problem, Start start, const PartitionOptions& options,
                const Run& run) {
  const Problem plain{.source = problem.source.structure,
                      .weights = problem.source.weights,
                      .target = problem.target,
                      .sparsity = problem.sparsity};
  return {.solution = solve(plain, options.method, start, options.starts, run),
          .target = problem.target,
          .target_features = {},
          .rounds = 1};
}

Alternated best_of_starts(const Alternation& problem, const PartitionOptions& options,
                          const Run& run) {
  const Start named =
      options.start.value_or(problem.source.structure.has_rows() ? Start::spectral : Start::kmeans);
  if (!problem.learns_target && problem.features == nullptr && !options.plan) {
    return race(problem, named, options, run);
  }
  const int threads = resolve_threads(run.threads);
  const Index columns = problem.target.size();
  const Watch watch(run);
  std::optional<Alternated> best;
  std::vector<double> values;
  const auto attempt = [&](const Plan& start) {
    Alternated trial = alternate(problem, start, options.method, rest_of(run, watch));
    values.push_back(trial.solution.value);
    if (best && trial.solution.value >= best->solution.value) return;
    trial.solution.best_start = static_cast<int>(values.size()) - 1;
    best = std::move(trial);
  };
  if (options.plan) attempt(*options.plan);
  for (int s = 0; s < options.starts && !options.plan; ++s) {
    const std::uint64_t seed = run.seed + static_cast<std::uint64_t>(s);
    attempt(first_plan(problem.source, problem.target, named, seed, threads));
    if (problem.features != nullptr && !options.start) {
      attempt(
          plan_by_features(problem.source.weights, problem.features->rows, columns, seed, threads));
    } else if (problem.learns_target && !options.start) {
      attempt(first_plan(problem.source, problem.target, Start::kmeans, seed, threads));
    }
  }
  best->solution.start_values = std::move(values);
  return *std::move(best);
}

/// Labels of the plan; nodes that nothing connects form a group of their own.
void take_labels(const Graph& graph, Partition& result) {
  Assignment labels = result.solution.plan.labels();
  std::vector<bool> connected(labels.size(), false);
  for_each_entry(graph.adjacency(), [&](Index i, Index j, double weight) {
    if (i == j || weight == 0) return;
    connected[static_cast<std::size_t>(i)] = true;
    connected[static_cast<std::size_t>(j)] = true;
  });
  constexpr NodeId unnamed = ~NodeId{0};
  Assignment names(static_cast<std::size_t>(result.solution.plan.columns()), unnamed);
  NodeId next = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (connected[i] && names[labels[i]] == unnamed) names[labels[i]] = next++;
  }
  result.clusters = next;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = connected[i] ? names[labels[i]] : next;
    result.unconnected += connected[i] ? 0 : 1;
  }
  result.labels = std::move(labels);
}

}  // namespace

Partition solved(const Graph& graph, const PartitionOptions& options, const Run& run) {
  const int threads = resolve_threads(run.threads);
  const Source source = source_of(graph, options, threads);
  const Index columns = columns_of(graph, options);
  const bool given = options.target.kind == PartitionTarget::Kind::given;
  const Alternation problem{
      .source = source,
      .target = given ? *options.target.structure
                      : Structure::scaled_identity(columns, options.target.scale),
      .learns_target = options.target.kind == PartitionTarget::Kind::learned,
      .features = options.features ? &*options.features : nullptr,
      .sparsity = options.sparsity};
  Alternated found = best_of_starts(problem, options, run);
  Partition result;
  result.solution = std::move(found.solution);
  result.resolution = given ? 1 : options.target.scale;
  result.nodes.resize(static_cast<std::size_t>(graph.nodes()));
  std::iota(result.nodes.begin(), result.nodes.end(), NodeId{0});
  if (problem.learns_target) {
    result.target = found.target.dense();
    result.reasons.push_back(
        fmt::format("The target was learned: plan and target in turn, {} rounds.", found.rounds));
  }
  result.target_features = std::move(found.target_features);
  take_labels(graph, result);
  result.significant = result.clusters > 1 || columns == 1;
  return result;
}

}  // namespace srgw::detail
