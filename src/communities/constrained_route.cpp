// SPDX-License-Identifier: MIT
// The search with previous labels, fixed nodes and limits on sizes. Memberships are hard.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "communities/alternate.hpp"
#include "communities/finish.hpp"
#include "communities/fitting.hpp"
#include "communities/reasons.hpp"
#include "communities/routes.hpp"
#include "communities/search_setup.hpp"
#include "communities/stable_ids.hpp"
#include "communities/update.hpp"
#include "srgw/metrics.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

namespace {

using Ids = std::vector<std::int64_t>;

/// Puts clusters in the order of their ids. Returns whether it was not stopped.
bool order_by_id(const Ids& previous, Fitting::Named& named, Partition& result) {
  std::size_t columns = named.given.size();
  const bool has_others = std::ranges::find(named.labels, left_out) != named.labels.end();
  Assignment labels = named.labels;
  for (NodeId& label : labels) label = std::min(label, static_cast<NodeId>(columns));
  Ids given = named.given;
  if (has_others) given.push_back(no_id);  // they are a group with an id, too
  const StableIds found = stable_ids(labels, previous, given);
  std::vector<NodeId> order(columns), number(columns + 1);
  std::iota(order.begin(), order.end(), NodeId{0});
  std::ranges::sort(order, {}, [&](NodeId c) { return found.ids[c]; });
  for (std::size_t k = 0; k < columns; ++k) {
    number[order[k]] = static_cast<NodeId>(k);
    result.ids.push_back(found.ids[order[k]]);
  }
  if (has_others) result.ids.push_back(found.ids[columns]);
  for (NodeId& label : named.labels) label = label == left_out ? left_out : number[label];
  return found.exact;
}

/// Plan and value of the labels, with a column for each cluster.
void evaluate_labels(const SearchedGraph& graph, const Assignment& labels, std::size_t columns,
                     const PartitionOptions& options, int threads, Partition& result) {
  const WeightedGraph& weighted = graph.weighted();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != left_out && weighted.degree(i) > 0) {
      result.nodes.push_back(static_cast<NodeId>(i));
    }
  }
  if (result.nodes.empty()) {
    fail_argument("fixed labels of nodes without edges take all {} clusters, expected more",
                  columns);
  }
  const WeightedGraph between =
      result.nodes.size() == weighted.size() ? weighted : induced(weighted, result.nodes, threads);
  const Graph seen(Graph::Trusted{between.rows()});
  const Source source = modularity(seen);
  Assignment own;
  for (const NodeId node : result.nodes) own.push_back(labels[node]);
  const auto count = static_cast<Index>(columns);
  const Plan plan = Plan::from_labels(source.weights, own, count);
  if (graph.layers().empty()) {
    const Alternation problem{.source = source,
                              .target = Structure::scaled_identity(count, result.resolution)};
    result.solution = evaluate(problem, plan, options.method, threads).solution;
  } else {
    const double constant =
        source_constant(graph.layers_between(result.nodes, threads), graph.weights(), threads);
    result.solution = evaluate_layers(between, constant, result.resolution, plan, threads);
  }
  finish(alone, graph.nodes(), result.nodes, true, result);
  // Fixed nodes without edges are in their clusters, but in no row of the plan.
  result.sizes.assign(columns, 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    result.labels[i] = std::min(labels[i], static_cast<NodeId>(columns));
    if (labels[i] != left_out) ++result.sizes[labels[i]];
  }
  result.clusters = count;
  result.unconnected = std::ranges::count(labels, left_out);
}

PartitionUpdate compare_with_previous(const Ids& previous, const Partition& result) {
  PartitionUpdate update;
  std::unordered_map<std::int64_t, NodeId> numbers;
  Assignment before, after;
  for (std::size_t i = 0; i < previous.size(); ++i) {
    if (previous[i] == no_id) {
      ++update.added;
      continue;
    }
    ++update.known;
    update.moved += result.ids[result.labels[i]] != previous[i] ? 1 : 0;
    before.push_back(
        numbers.emplace(previous[i], static_cast<NodeId>(numbers.size())).first->second);
    after.push_back(result.labels[i]);
  }
  if (update.known > 0) update.ami = metrics::adjusted_mutual_information(before, after);
  return update;
}

std::vector<std::string> explain(const Constraints& given, const PartitionOptions& options,
                                 const CommunitySearch& search, const Communities& found,
                                 const Significance& significance, const Partition& result) {
  std::vector<std::string> sentences;
  if (given.previous.empty()) {
    sentences = explain_search(found, search, significance, 0, result);
  } else {
    sentences.push_back(
        fmt::format("The search started from the previous labels of {} nodes; {} nodes are new.",
                    result.update->known, result.update->added));
    if (!result.update->covers_half()) {
      sentences.emplace_back("The previous labels cover less than half of the nodes.");
    }
    if (!found.complete) {
      sentences.emplace_back("The search was stopped: the clusters are the best found until then.");
    } else if (search.by_description) {
      sentences.push_back(fmt::format(
          "Resolution {:.3g} is the one tried at which the fewest nodes leave their clusters.",
          result.resolution));
    }
    sentences.push_back(fmt::format(
        "{} of {} nodes ({:.2g} %) changed their cluster; AMI with the previous labels {:.4f}.",
        result.update->moved, result.update->known, 100 * result.update->share(),
        result.update->ami));
    if (result.unconnected > 0) {
      sentences.push_back(fmt::format("{} nodes are in no cluster.", result.unconnected));
    }
  }
  if (options.fixed) {
    const auto fixed = std::ssize(given.fixed) - std::ranges::count(given.fixed, no_id);
    sentences.push_back(
        fmt::format("{} nodes have one of {} fixed labels.", fixed, given.hard.fixed));
  }
  for (const PartitionCost& cost : result.costs) {
    sentences.push_back(fmt::format(
        "{} costs {:.4g} of modularity at resolution {:.3g}: {:.6f} instead of {:.6f}.",
        cost.constraint, cost.without - cost.with, result.resolution, cost.with, cost.without));
  }
  return sentences;
}

}  // namespace

Partition partition_constrained(const Layers& layers, const PartitionOptions& options,
                                const Run& run) {
  const int threads = resolve_threads(run.threads);
  std::optional<StopShield> shield(std::in_place);
  const Constraints given(layers, options, threads);
  const SearchedGraph& graph = given.graph;
  CommunitySearch search = search_for(graph, options, run);
  search.nodes = given.pulled.nodes;
  if (options.previous) search.start = start_from_previous(given.pulled, given.previous);
  std::size_t lonely = 0;  // clusters of fixed nodes that nothing is linked to
  for (std::size_t a = 0; a < given.hard.fixed; ++a) {
    lonely += given.pulled.graph.degree(a) == 0 ? 1 : 0;
  }
  if (search.most_clusters) {
    if (*search.most_clusters <= lonely) {
      fail_argument(
          "fixed labels of nodes without edges to others take all {} clusters, expected "
          "more clusters",
          *options.clusters);
    }
    *search.most_clusters -= lonely;
  }
  shield.reset();

  Partition result;
  Communities found;
  Significance significance{.complete = false};
  std::optional<Fitting> fitting;
  const auto stopped = run_until_stopped(run, [&](StopScope& scope) {
    tell_observer(run, scope, search);
    found = find_communities(given.pulled.graph, graph.edges(), search);
    if (search.most_clusters) *search.most_clusters += lonely;
    if (!found.complete) return throw_if_stopped();
    significance = judge_communities(graph, options, found, search);
    if (!significance.significant && !options.clusters) become_one_cluster(graph.weighted(), found);
    fitting.emplace(given, options, search, found.resolution);
    fitting->take(found);
    fitting->release(result.costs);
    Fitting fitted = *fitting;
    std::vector<PartitionCost> costs = result.costs;
    fitted.fit_sizes(false, costs);
    fitting.emplace(std::move(fitted));
    result.costs = std::move(costs);
  });
  shield.emplace();
  if (stopped) {
    result.costs.clear();
    fitting.emplace(given, options, search, found.resolution);
    fitting->take(found);
    fitting->fit_sizes(true, result.costs);
  }
  result.resolution = found.resolution;
  result.lengths = found.lengths;
  Fitting::Named named = fitting->named();
  const std::size_t columns = named.given.size();
  std::optional<Status> late;
  if (options.previous || options.fixed) {
    shield.reset();
    if (!order_by_id(given.previous, named, result)) late = stop_reason();
    shield.emplace();
  }
  evaluate_labels(graph, named.labels, columns, options, threads, result);
  if (stopped || late) result.solution.status = stopped ? *stopped : *late;
  result.criterion = deciding_criterion(search, found);
  result.modularity = graph.modularity(result.labels, threads);
  result.significant =
      significance.significant && (result.modularity > 0 || options.clusters == Index{1});
  if (options.previous) result.update = compare_with_previous(given.previous, result);
  found.unconnected = result.unconnected;
  found.isolated = 0;
  for (std::size_t i = 0; i < graph.weighted().size(); ++i) {
    found.isolated += graph.weighted().degree(i) == 0 && named.labels[i] == left_out ? 1 : 0;
  }
  result.reasons = explain(given, options, search, found, significance, result);
  return result;
}

}  // namespace srgw::detail
