// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "base/stop.hpp"
#include "communities/alternate.hpp"
#include "communities/communities.hpp"
#include "communities/connectivity.hpp"
#include "communities/finish.hpp"
#include "communities/levels.hpp"
#include "communities/part.hpp"
#include "communities/reasons.hpp"
#include "communities/routes.hpp"
#include "communities/search/cluster_masses.hpp"
#include "communities/search_setup.hpp"
#include "graph/csr_build.hpp"
#include "solve/method.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

namespace {

/// Makes single nodes clusters of their own until there are `wanted`, those first whose removal
/// from their cluster costs least modularity. Returns how many.
std::size_t split_off_nodes(const WeightedGraph& graph, double resolution, std::size_t wanted,
                            Assignment& labels) {
  const std::size_t before = compact(labels);
  if (before >= wanted) return 0;
  const ClusterMasses masses(graph, labels, before);
  std::vector<std::size_t> sizes(before, 0);
  for (const NodeId label : labels) ++sizes[label];
  std::vector<double> loss(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    loss[i] =
        graph.add_inside(0, labels, i) - masses.expected(resolution, graph, i, labels[i], true);
  }
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return loss[i]; });
  std::size_t count = before;
  for (const std::size_t i : order) {
    if (count >= wanted) break;
    if (sizes[labels[i]] == 1) continue;
    --sizes[labels[i]];
    labels[i] = static_cast<NodeId>(count++);
  }
  return count - before;
}

/// Connects clusters and splits those with small cuts, as the options ask; the plan follows.
class Connecting {
 public:
  Connecting(const WeightedGraph& graph, const PartitionOptions& options, double resolution,
             int threads)
      : graph_(graph), options_(options), resolution_(resolution), threads_(threads) {}

  /// Joins or splits off what is not connected.
  void connect(Assignment& labels, std::size_t& count) {
    const StopShield shield;
    const auto most = options_.clusters ? std::optional<std::size_t>(*options_.clusters)
                                        : std::optional<std::size_t>();
    connected_ = connect_clusters(graph_, resolution_, most, labels, count);
  }

  /// Splits clusters along small cuts, or none of them if it is stopped.
  void cut(const Run& run, Assignment& labels, std::size_t& count, Status& status) {
    const double before = quality(graph_, labels, 1, threads_);
    const auto stopped = run_until_stopped(run, [&](StopScope&) {
      apart_ = split_clusters(graph_, options_.min_cut, threads_, labels, count);
    });
    if (stopped) status = *stopped;
    const StopShield shield;
    cost_ = before - quality(graph_, labels, 1, threads_);
  }

  [[nodiscard]] bool changed() const { return connected_.disconnected > 0 || apart_.split > 0; }

  void explain(std::vector<std::string>& reasons) const {
    explain_connectivity(connected_, apart_, options_.min_cut, cost_, reasons);
  }

 private:
  const WeightedGraph& graph_;
  const PartitionOptions& options_;
  double resolution_;
  int threads_;
  Connected connected_;
  CutApart apart_;
  double cost_ = 0;
};

/// Conditional gradient lowers the value of soft plans, whose largest shares may be worse clusters
/// than those it started from. Then rows whose largest share is elsewhere become hard. Returns
/// whether the plan changed.
bool keep_better_labels(const WeightedGraph& graph, const Assignment& searched, double resolution,
                        int threads, Plan& plan) {
  const StopShield shield;
  const Assignment labels = plan.labels();
  if (labels == searched || quality(graph, labels, resolution, threads) >=
                                quality(graph, searched, resolution, threads)) {
    return false;
  }
  plan = with_labels(plan, searched, plan.columns());
  return true;
}

/// Cuts and levels of a finished result; nodes of `graph` are its clustered nodes.
void add_cuts_and_levels(const WeightedGraph& graph, const PartitionOptions& options,
                         const LevelSearch& search, const Run& run, Partition& result) {
  if (!options.cuts && !options.levels) return;
  Assignment labels;
  for (const NodeId node : result.nodes) labels.push_back(result.labels[node]);
  const auto stopped = run_until_stopped(run, [&](StopScope&) {
    if (options.cuts) result.cuts = cuts_of(graph, labels, result.sizes.size(), search.threads);
    if (!options.levels) return;
    if (result.significant) {
      find_levels(graph, labels, result.sizes.size(), search, result.hierarchy);
    }
  });
  if (stopped) result.solution.status = *stopped;
  if (!options.levels) return;
  if (result.hierarchy.empty()) {
    result.hierarchy.push_back({.resolution = result.resolution,
                                .clusters = result.clusters,
                                .modularity = result.modularity,
                                .labels = labels,
                                .is_result = true});
  }
  for (PartitionLevel& level : result.hierarchy) {
    Assignment all(result.labels.size(), static_cast<NodeId>(level.clusters));
    for (std::size_t k = 0; k < result.nodes.size(); ++k) all[result.nodes[k]] = level.labels[k];
    level.labels = std::move(all);
  }
}

}  // namespace

Partition partition_by_search(const Layers& given, const PartitionOptions& options,
                              const Run& run) {
  const SearchedGraph graph(given, resolve_threads(run.threads));
  const WeightedGraph& weighted = graph.weighted();
  CommunitySearch search = search_for(graph, options, run);

  Communities found;
  Significance significance{.complete = false};
  // Each part that ends counts: clusters, then the test, then the memberships.
  const auto stopped = run_until_stopped(run, [&](StopScope& scope) {
    tell_observer(run, scope, search);
    found = find_communities(weighted, graph.edges(), search);
    if (!found.complete) return throw_if_stopped();
    significance = judge_communities(graph, options, found, search);
    raise_to_number(graph, significance, search, found);
  });

  Partition result;
  result.significant = significance.significant;
  std::optional<StopShield> shield(std::in_place);
  if (!significance.significant && !options.clusters) become_one_cluster(weighted, found);
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    if (found.labels[i] != found.count) result.nodes.push_back(static_cast<NodeId>(i));
  }
  const WeightedGraph between = found.between(weighted, result.nodes, search.threads);
  const Graph seen(Graph::Trusted{between.rows()});
  const Source source = modularity(seen);
  Assignment labels;
  labels.reserve(result.nodes.size());
  for (const NodeId node : result.nodes) labels.push_back(found.labels[node]);
  const auto columns = static_cast<Index>(found.count);
  const Plan start = Plan::from_labels(source.weights, labels, columns);
  Alternation problem{.source = source,
                      .target = Structure::scaled_identity(columns, found.resolution)};
  PartitionFeatures features;
  if (options.features) {
    features = {rows_of(options.features->rows, result.nodes), options.features->alpha};
    problem.features = &features;
  }
  const std::vector<WeightedGraph> layers = graph.layers_between(result.nodes, search.threads);
  const double constant =
      layers.empty() ? 0 : source_constant(layers, graph.weights(), search.threads);
  /// Value and gap of a plan as it is.
  const auto evaluate_plan = [&](const Plan& plan) {
    if (layers.empty()) return evaluate(problem, plan, options.method, search.threads);
    return Alternated{
        .solution = evaluate_layers(between, constant, found.resolution, plan, search.threads),
        .target = problem.target,
        .target_features = {}};
  };
  shield.reset();

  Alternated solved{.solution = {}, .target = problem.target, .target_features = {}};
  // Where nothing holds clusters together, soft memberships would become the same in all of them.
  // Several layers have no node weights in common that a soft plan could have.
  const bool hard = !layers.empty() || (options.clusters && !significance.significant);
  if (stopped || hard) {
    solved = evaluate_plan(start);
    if (stopped) solved.solution.status = *stopped;
  } else if (options.sparsity > 0) {
    solved = follow_path(problem, start, options, seen, run, result.path);
  } else {
    solved = alternate(problem, start, options.method, run);
    const bool is_exact = !options.features && conditional_gradient_of(options.method) != nullptr;
    if (is_exact && keep_better_labels(between, labels, found.resolution, search.threads,
                                       solved.solution.plan)) {
      const Status status = solved.solution.status;
      solved = evaluate_plan(solved.solution.plan);
      solved.solution.status = status;
    }
  }
  if (options.features && !stopped && !hard) {
    const auto late = run_until_stopped(run, [&](StopScope&) {
      const Plan by_features =
          plan_by_features(source.weights, features.rows, columns, run.seed, search.threads);
      Alternated other = alternate(problem, by_features, options.method, run);
      if (other.solution.value < solved.solution.value) solved = std::move(other);
    });
    if (late) solved.solution.status = *late;
  }
  shield.emplace();
  // A number that the graph does not support is reached by single nodes.
  std::size_t split_off = 0;
  if (const Index wanted = options.clusters.value_or(0);
      !stopped && found.route != Route::components && wanted <= std::ssize(result.nodes) &&
      !std::holds_alternative<MirrorDescent>(options.method)) {
    labels = solved.solution.plan.labels();
    split_off = split_off_nodes(between, found.resolution, wanted, labels);
    if (split_off > 0) {
      const Status status = solved.solution.status;
      problem.target = Structure::scaled_identity(wanted, found.resolution);
      solved = evaluate_plan(Plan::from_labels(source.weights, labels, wanted));
      solved.solution.status = status;
    }
  }
  Connecting connecting(between, options, found.resolution, search.threads);
  if (*options.split_disconnected && (significance.significant || options.clusters)) {
    labels = solved.solution.plan.labels();
    auto count = static_cast<std::size_t>(solved.solution.plan.columns());
    Status status = solved.solution.status;
    connecting.connect(labels, count);
    if (options.min_cut > 0 && !stopped) {
      shield.reset();
      connecting.cut(run, labels, count, status);
      shield.emplace();
    }
    if (connecting.changed()) {
      problem.target = Structure::scaled_identity(static_cast<Index>(count), found.resolution);
      const Plan split = with_labels(solved.solution.plan, labels, static_cast<Index>(count));
      solved = evaluate_plan(split);
    }
    solved.solution.status = status;
  }
  result.resolution = found.resolution;
  result.lengths = std::move(found.lengths);
  result.target_features = std::move(solved.target_features);
  result.solution = std::move(solved.solution);
  finish(alone, graph.nodes(), result.nodes, false, result);
  result.criterion = deciding_criterion(search, found);
  result.modularity = graph.modularity(result.labels, search.threads);
  result.reasons = explain_search(found, search, significance, split_off, result);
  connecting.explain(result.reasons);
  shield.reset();
  add_cuts_and_levels(between, options,
                      {.resolution = result.resolution,
                       .seed = run.seed,
                       .threads = search.threads,
                       .layers = layers,
                       .weights = graph.weights()},
                      run, result);
  return result;
}

}  // namespace srgw::detail
