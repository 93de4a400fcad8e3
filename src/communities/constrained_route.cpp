// SPDX-License-Identifier: MIT
// The search with previous labels, fixed nodes and limits on sizes. Memberships are hard.
#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "communities/alternate.hpp"
#include "communities/anchors.hpp"
#include "communities/communities.hpp"
#include "communities/finish.hpp"
#include "communities/reasons.hpp"
#include "communities/routes.hpp"
#include "communities/significance.hpp"
#include "communities/sizes.hpp"
#include "communities/stable_ids.hpp"
#include "communities/update.hpp"
#include "graph/components_rows.hpp"
#include "srgw/metrics.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

namespace {

using Ids = std::vector<std::int64_t>;
constexpr NodeId left_out = std::numeric_limits<NodeId>::max();  // label of nodes in no cluster

Ids ids_of(const std::optional<Ids>& given) { return given.value_or(Ids()); }

void check_sizes(const WeightedGraph& graph, const Ids& fixed, const PartitionOptions& options) {
  Index clustered = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const bool is_fixed = !fixed.empty() && fixed[i] != no_id;
    clustered += graph.degree(i) > 0 || is_fixed ? 1 : 0;
  }
  const Index smallest = options.min_size.value_or(1);
  const Index largest = options.max_size.value_or(std::numeric_limits<Index>::max() / 2);
  const auto least_of = [&](Index clusters) { return (clustered - 1) / clusters + 1; };
  if (options.clusters && largest < least_of(*options.clusters)) {
    fail_argument(
        "max-size {} with {} clusters holds {} nodes, expected at least the {} nodes with edges or "
        "fixed labels",
        largest, *options.clusters, largest * *options.clusters, clustered);
  }
  if (smallest > clustered) {
    fail_argument("min-size is {}, expected at most the {} nodes with edges or fixed labels",
                  smallest, clustered);
  }
  if (least_of(largest) > clustered / smallest) {
    fail_argument(
        "min-size {} and max-size {} for {} nodes: no number of clusters has such sizes, expected "
        "limits that are further apart",
        smallest, largest, clustered);
  }
  std::unordered_map<std::int64_t, Index> counts;
  for (const std::int64_t id : fixed) {
    if (id != no_id && ++counts[id] > largest) {
      fail_argument("max-size is {}, but more nodes have the fixed label {}", largest, id);
    }
  }
  if (options.clusters && std::ssize(counts) > *options.clusters) {
    fail_argument("fixed has {} labels for {} clusters, expected at most as many", counts.size(),
                  *options.clusters);
  }
}

/// Previous ids that pull: where clusters are bounded, only as many as there can be, those of the
/// most nodes.
Ids pulling_ids(const Ids& previous, const Ids& fixed, const PartitionOptions& options) {
  if (!options.clusters) return previous;
  std::unordered_map<std::int64_t, Index> counts, anchored;
  for (const std::int64_t id : fixed) {
    if (id != no_id) anchored.emplace(id, 0);
  }
  for (const std::int64_t id : previous) {
    if (id != no_id && !anchored.contains(id)) ++counts[id];
  }
  std::vector<std::pair<Index, std::int64_t>> order;
  order.reserve(counts.size());
  for (const auto& [id, count] : counts) order.emplace_back(-count, id);
  std::ranges::sort(order);
  const auto room = static_cast<std::size_t>(*options.clusters) - anchored.size();
  for (std::size_t k = 0; k < std::min(room, order.size()); ++k)
    anchored.emplace(order[k].second, 0);
  Ids result = previous;
  for (std::int64_t& id : result) {
    if (!anchored.contains(id)) id = no_id;
  }
  return result;
}

/// All that the search works on.
struct Constraints {
  Ids previous, fixed;
  WeightedGraph weighted;
  AnchoredGraph hard;    ///< with anchors of fixed nodes
  AnchoredGraph pulled;  ///< with all anchors

  Constraints(const Graph& graph, const PartitionOptions& options, int threads)
      : previous(ids_of(options.previous)),
        fixed(ids_of(options.fixed)),
        weighted(modularity_graph(graph)) {
    if (weighted.columns.size() == 0) {
      fail_argument("a graph whose only edges are self-loops, expected an edge between two nodes");
    }
    check_sizes(weighted, fixed, options);
    hard = anchor_fixed(weighted, fixed, threads);
    pulled = options.keep > 0
                 ? anchor_previous(weighted, fixed, pulling_ids(previous, fixed, options),
                                   options.keep, threads)
                 : hard;
  }
};

/// Labels of the hard graph, and how they change.
class Fitting {
 public:
  Fitting(const Constraints& given, const PartitionOptions& options, const CommunitySearch& search,
          double resolution)
      : given_(given), options_(options), search_(search), resolution_(resolution) {}

  /// Takes the labels that a search of the pulled graph found.
  void take(const Communities& found) {
    const std::size_t pulls = given_.pulled.ids.size() - given_.hard.ids.size();
    labels_.resize(given_.hard.graph.size());
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const NodeId label = found.labels[i < given_.hard.fixed ? i : i + pulls];
      labels_[i] = label == found.count ? left_out : label;
    }
    // Fixed nodes without an edge to others are clusters, too.
    auto next = static_cast<NodeId>(found.count);
    for (std::size_t a = 0; a < given_.hard.fixed; ++a) {
      if (labels_[a] == left_out) labels_[a] = next++;
    }
    leave_out_small_components();
    choose_kept();
  }

  /// What the pull of the previous labels costs, and the fixed labels: the modularity that V-cycles
  /// gain without them.
  void release(std::vector<PartitionCost>& costs) {
    const Multilevel rules{.resolution = resolution_,
                           .most_clusters = search_.most_clusters.value_or(0),
                           .seed = search_.seed,
                           .v_cycles = 3,
                           .patience = 1,
                           .threads = search_.threads};
    Assignment labels = kept_labels();
    double with = quality(part_, labels, resolution_, search_.threads);
    if (options_.keep > 0) {
      Clustering free = v_cycles(part_, labels, rules);
      costs.push_back({"keep", with, free.quality});
      labels = std::move(free.labels);
      with = free.quality;
    }
    if (given_.hard.fixed == 0) return;
    Assignment all(labels_.size(), left_out);
    for (std::size_t k = 0; k < kept_.size(); ++k) all[kept_[k]] = labels[k];
    std::vector<NodeId> nodes;
    Assignment own;
    for (std::size_t i = 0; i < given_.hard.place.size(); ++i) {
      const NodeId label = all[given_.hard.place[i]];
      if (label == left_out || given_.weighted.degree(i) == 0) continue;
      nodes.push_back(static_cast<NodeId>(i));
      own.push_back(label);
    }
    const WeightedGraph without = induced(given_.weighted, nodes, search_.threads);
    costs.push_back({"fixed", with, v_cycles(without, std::move(own), rules).quality});
  }

  /// Brings clusters to the allowed sizes; without searches where the run was stopped.
  void fit_sizes(bool stopped, std::vector<PartitionCost>& costs) {
    SizeLimits limits{.resolution = resolution_,
                      .seed = search_.seed,
                      .threads = search_.threads,
                      .searches = !stopped,
                      .polishes = !stopped && !(options_.keep > 0)};
    limits.most_clusters = search_.most_clusters.value_or(0);
    if (options_.max_size) limits.largest = *options_.max_size;
    if (options_.min_size) limits.smallest = *options_.min_size;
    Assignment labels = kept_labels();
    double before = quality(part_, labels, resolution_, search_.threads);
    const auto fit = [&](const char* name, auto&& limit) {
      limit(part_, nodes_, limits, labels);
      const double after = quality(part_, labels, resolution_, search_.threads);
      costs.push_back({name, after, before});
      before = after;
    };
    if (options_.max_size) fit("max-size", limit_largest);
    if (options_.min_size) fit("min-size", limit_smallest);
    for (std::size_t k = 0; k < kept_.size(); ++k) labels_[kept_[k]] = labels[k];
  }

  /// Labels of all nodes, large clusters first; and the id of the fixed nodes of each cluster.
  struct Named {
    Assignment labels;
    Ids given;
  };
  [[nodiscard]] Named named() const {
    Assignment labels = lift(given_.hard.place, labels_);
    std::size_t count = 0;
    for (const NodeId label : labels_) {
      if (label != left_out) count = std::max(count, label + std::size_t{1});
    }
    std::vector<Index> sizes(count, 0);
    for (const NodeId label : labels) {
      if (label != left_out) ++sizes[label];
    }
    std::vector<NodeId> order;
    for (std::size_t c = 0; c < count; ++c) {
      if (sizes[c] > 0) order.push_back(static_cast<NodeId>(c));
    }
    std::ranges::stable_sort(order, [&](NodeId a, NodeId b) { return sizes[a] > sizes[b]; });
    Assignment number(count, left_out);
    for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<NodeId>(k);
    Ids ids(order.size(), no_id);
    for (std::size_t a = 0; a < given_.hard.fixed; ++a)
      ids[number[labels_[a]]] = given_.hard.ids[a];
    for (NodeId& label : labels) label = label == left_out ? left_out : number[label];
    return {std::move(labels), std::move(ids)};
  }

 private:
  /// Components that are smaller than a cluster may be are in no cluster.
  void leave_out_small_components() {
    if (!options_.min_size) return;
    const WeightedGraph& graph = given_.hard.graph;
    const Components all = components_of(graph.rows(), true);
    std::vector<double> sizes(all.sizes.size(), 0);
    for (std::size_t i = 0; i < graph.size(); ++i) {
      sizes[all.labels[i]] += given_.hard.nodes.empty() ? 1 : given_.hard.nodes[i];
    }
    const auto infinite = static_cast<double>(*options_.min_size);
    for (std::size_t a = 0; a < graph.anchors; ++a) sizes[all.labels[a]] = infinite;
    double largest = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      largest = std::max(largest, sizes[all.labels[i]]);
      if (sizes[all.labels[i]] < infinite) labels_[i] = left_out;
    }
    if (largest < infinite) {
      fail_argument("min-size is {}, but the largest connected component has {} nodes",
                    *options_.min_size, largest);
    }
  }

  void choose_kept() {
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (labels_[i] == left_out) continue;
      kept_.push_back(static_cast<NodeId>(i));
      nodes_.push_back(given_.hard.nodes.empty() ? 1 : given_.hard.nodes[i]);
    }
    part_ = induced(given_.hard.graph, kept_, search_.threads);
  }
  [[nodiscard]] Assignment kept_labels() const {
    Assignment labels;
    for (const NodeId i : kept_) labels.push_back(labels_[i]);
    compact(labels);
    return labels;
  }

  const Constraints& given_;
  const PartitionOptions& options_;
  const CommunitySearch& search_;
  double resolution_;
  Assignment labels_;         // of the hard graph
  std::vector<NodeId> kept_;  // its nodes that are in clusters
  WeightedGraph part_;        // between them
  std::vector<double> nodes_;
};

/// Puts clusters in the order of their ids.
void order_by_id(const Ids& previous, Fitting::Named& named, Partition& result) {
  std::size_t columns = named.given.size();
  const bool has_others = std::ranges::find(named.labels, left_out) != named.labels.end();
  Assignment labels = named.labels;
  for (NodeId& label : labels) label = std::min(label, static_cast<NodeId>(columns));
  Ids given = named.given;
  if (has_others) given.push_back(no_id);  // they are a group with an id, too
  const Ids ids = stable_ids(labels, previous, given);
  std::vector<NodeId> order(columns), number(columns + 1);
  std::iota(order.begin(), order.end(), NodeId{0});
  std::ranges::sort(order, {}, [&](NodeId c) { return ids[c]; });
  for (std::size_t k = 0; k < columns; ++k) {
    number[order[k]] = static_cast<NodeId>(k);
    result.ids.push_back(ids[order[k]]);
  }
  if (has_others) result.ids.push_back(ids[columns]);
  for (NodeId& label : named.labels) label = label == left_out ? left_out : number[label];
}

/// Plan and value of the labels, with a column for each cluster.
void evaluate_labels(const Graph& graph, const WeightedGraph& weighted, const Assignment& labels,
                     std::size_t columns, const PartitionOptions& options, int threads,
                     Partition& result) {
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
  const Alternation problem{.source = source,
                            .target = Structure::scaled_identity(count, result.resolution)};
  result.solution =
      evaluate(problem, Plan::from_labels(source.weights, own, count), options.method, threads)
          .solution;
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

Partition partition_constrained(const Graph& graph, const PartitionOptions& options,
                                const Run& run) {
  const int threads = resolve_threads(run.threads);
  std::optional<StopShield> shield(std::in_place);
  const Constraints given(graph, options, threads);
  CommunitySearch search{.starts = options.starts,
                         .effort = options.effort,
                         .seed = run.seed,
                         .threads = threads,
                         .returns_best = has_limit(run)};
  const bool counts_edges = given.weighted.weights.empty();
  if (!counts_edges && options.criterion == PartitionCriterion::description_length) {
    fail_argument(
        "criterion description-length for a weighted graph, expected modularity: the description "
        "length counts edges");
  }
  search.by_description =
      !options.clusters && counts_edges && options.criterion != PartitionCriterion::modularity;
  search.nodes = given.pulled.nodes;
  if (options.previous) search.start = start_from_previous(given.pulled, given.previous);
  std::size_t lonely = 0;  // clusters of fixed nodes that nothing is linked to
  for (std::size_t a = 0; a < given.hard.fixed; ++a) {
    lonely += given.pulled.graph.degree(a) == 0 ? 1 : 0;
  }
  if (options.clusters) {
    const auto most = static_cast<std::size_t>(std::min(*options.clusters, graph.nodes()));
    if (most <= lonely) {
      fail_argument(
          "fixed labels of nodes without edges to others take all {} clusters, expected "
          "more clusters",
          *options.clusters);
    }
    search.most_clusters = most - lonely;
  }
  const double edges = 0.5 * static_cast<double>(given.weighted.columns.size());
  shield.reset();

  Partition result;
  Communities found;
  Significance significance{};
  std::optional<Fitting> fitting;
  const auto stopped = run_until_stopped(run, [&](StopScope& scope) {
    int iteration = 0;
    if (run.observer) {
      search.observer = [&](double value) {
        if (!run.observer({.iteration = iteration++, .value = value})) {
          scope.request_stop(Status::interrupted);
        }
      };
    }
    found = find_communities(given.pulled.graph, edges, search);
    if (options.clusters) search.most_clusters = *search.most_clusters + lonely;
    if (!found.complete) return throw_if_stopped();
    const bool judged = options.test_significance && !options.previous && !options.fixed &&
                        options.clusters != Index{1};
    if (judged) {
      significance.complete = false;
      significance = test_significance(graph, given.weighted, found, search);
    }
    if (!significance.significant && !options.clusters) {
      found.count = 1;
      for (std::size_t i = 0; i < given.weighted.size(); ++i) {
        found.labels[i] = given.weighted.degree(i) > 0 ? 0 : 1;
      }
    }
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
  if (options.previous || options.fixed) order_by_id(given.previous, named, result);
  evaluate_labels(graph, given.weighted, named.labels, columns, options, threads, result);
  if (stopped) result.solution.status = *stopped;
  result.modularity = given.weighted.columns.size() == graph.adjacency().columns.size()
                          ? quality(given.weighted, result.labels, 1, threads)
                          : metrics::modularity(graph, result.labels);
  result.significant =
      significance.significant && (result.modularity > 0 || options.clusters == Index{1});
  if (options.previous) result.update = compare_with_previous(given.previous, result);
  found.unconnected = result.unconnected;
  found.isolated = 0;
  for (std::size_t i = 0; i < given.weighted.size(); ++i) {
    found.isolated += given.weighted.degree(i) == 0 && named.labels[i] == left_out ? 1 : 0;
  }
  result.reasons = explain(given, options, search, found, significance, result);
  return result;
}

}  // namespace srgw::detail
