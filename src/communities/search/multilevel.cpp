// SPDX-License-Identifier: MIT
#include "communities/search/multilevel.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/stop.hpp"
#include "communities/search/batched_moves.hpp"
#include "communities/search/local_moves.hpp"

namespace srgw::detail {

namespace {

MoveRules moves(const Multilevel& rules, std::uint64_t seed) {
  return {.resolution = rules.resolution,
          .most_clusters = rules.most_clusters,
          .seed = seed,
          .threads = rules.threads};
}

/// Local moves, in batches where the graph is large.
bool move_nodes(const WeightedGraph& graph, Assignment& labels, const Multilevel& rules,
                const MoveRules& own) {
  return graph.columns.size() < rules.batched_from
             ? local_moves(graph, labels, own)
             : batched_moves(graph, labels, own, {.threads = rules.threads});
}

/// Local moves from single nodes, contraction, again; any number of clusters. If it is stopped,
/// labels are those so far.
void agglomerate(const WeightedGraph& graph, const Multilevel& rules, std::uint64_t seed,
                 Assignment& labels) {
  const MoveRules free{.resolution = rules.resolution, .seed = seed};
  labels.resize(graph.size());
  std::iota(labels.begin(), labels.end(), NodeId{0});
  if (!move_nodes(graph, labels, rules, free)) return;
  const std::size_t count = compact(labels);
  if (count == graph.size() || count == 1) return;
  Assignment coarse;
  try {
    agglomerate(contract(graph, labels, count, rules.threads), rules, seed + 1, coarse);
  } catch (const Stopped&) {
    if (!coarse.empty()) labels = lift(labels, coarse);
    throw;
  }
  labels = lift(labels, coarse);
  move_nodes(graph, labels, rules, free);
}

/// Quality of the clusters that count.
double counted_quality(const WeightedGraph& graph, const Assignment& labels,
                       const Multilevel& rules) {
  PutAside aside;
  if (rules.most_clusters != 0) aside = {static_cast<NodeId>(rules.most_clusters), rules.aside};
  return quality(graph, labels, rules.resolution, rules.threads, aside);
}

std::size_t count_clusters(const Assignment& labels, const Multilevel& rules) {
  std::vector<std::uint8_t> seen(label_bound(labels), 0);
  for (const NodeId label : labels) seen[label] = 1;
  if (rules.most_clusters != 0 && seen.size() > rules.most_clusters) {
    seen.resize(rules.most_clusters);
  }
  return std::count(seen.begin(), seen.end(), 1);
}

void tell(Clustering& best, const Multilevel& rules) {
  if (!rules.found) return;
  best.count = count_clusters(best.labels, rules);
  rules.found(best, rules.resolution);
}

void v_cycle(const WeightedGraph& graph, Assignment& labels, const Multilevel& rules,
             std::uint64_t seed) {
  const Assignment parts = refine(graph, labels, moves(rules, seed));
  const std::size_t count = label_bound(parts);
  if (count < graph.size()) {
    Assignment coarse_labels(count);
    for (std::size_t i = 0; i < labels.size(); ++i) coarse_labels[parts[i]] = labels[i];
    v_cycle(contract(graph, parts, count, rules.threads), coarse_labels, rules, seed + 1);
    labels = lift(parts, coarse_labels);
  }
  move_nodes(graph, labels, rules, moves(rules, seed));
}

}  // namespace

Clustering v_cycles(const WeightedGraph& graph, Assignment labels, const Multilevel& rules) {
  Clustering best{std::move(labels), 0, 0};
  best.quality = counted_quality(graph, best.labels, rules);
  tell(best, rules);
  int failures = 0;
  for (int cycle = 0; cycle < rules.v_cycles && failures < rules.patience; ++cycle) {
    Assignment trial = best.labels;
    v_cycle(graph, trial, rules, rules.seed + 1000 * (static_cast<std::uint64_t>(cycle) + 1));
    const double found = counted_quality(graph, trial, rules);
    failures = found > best.quality + 1e-12 ? 0 : failures + 1;
    if (found >= best.quality) {
      best.labels = std::move(trial);
      best.quality = found;
      tell(best, rules);
    }
  }
  best.count = count_clusters(best.labels, rules);
  return best;
}

Clustering settle(const WeightedGraph& graph, Assignment labels, const Multilevel& rules,
                  double settled) {
  const Assignment former = labels;
  move_nodes(graph, labels, rules, moves(rules, rules.seed));
  std::size_t moved = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) moved += labels[i] != former[i] ? 1 : 0;
  Clustering found{std::move(labels), 0, 0};
  found.count = count_clusters(found.labels, rules);
  const bool restless = static_cast<double>(moved) > settled * static_cast<double>(graph.size());
  if (restless || found.count < rules.most_clusters) {
    Multilevel own = rules;
    own.v_cycles = restless ? rules.v_cycles : std::min(rules.v_cycles, 1);
    return v_cycles(graph, std::move(found.labels), own);
  }
  found.quality = counted_quality(graph, found.labels, rules);
  return found;
}

Clustering multilevel(const WeightedGraph& graph, const Multilevel& rules) {
  Assignment labels;
  try {
    agglomerate(graph, rules, rules.seed, labels);
  } catch (const Stopped&) {
    // Without a bound on their number the clusters so far will do.
    if (rules.most_clusters == 0 && rules.found && !labels.empty()) {
      const StopShield shield;
      Clustering so_far{std::move(labels), 0, 0};
      compact(so_far.labels);
      so_far.quality = counted_quality(graph, so_far.labels, rules);
      tell(so_far, rules);
    }
    throw;
  }
  if (rules.most_clusters == 0) {
    compact(labels);
  } else {
    merge_down(graph, labels, rules.most_clusters, rules.resolution, rules.linkage, rules.aside);
  }
  return v_cycles(graph, std::move(labels), rules);
}

Intersection intersect(const Assignment& a, const Assignment& b) {
  Intersection common{Assignment(a.size()), 0};
  std::unordered_map<std::uint64_t, NodeId> names;
  StopCounter stop;
  for (std::size_t i = 0; i < a.size(); ++i) {
    stop.throw_if_stopped();
    const std::uint64_t both = (std::uint64_t{a[i]} << 32) | b[i];
    common.labels[i] = names.emplace(both, static_cast<NodeId>(names.size())).first->second;
  }
  common.count = names.size();
  return common;
}

Clustering combine(const WeightedGraph& graph, const Clustering& a, const Clustering& b,
                   const Multilevel& rules) {
  const auto [common, count] = intersect(a.labels, b.labels);
  Multilevel silent = rules;
  silent.found = {};  // its labels are those of contracted nodes
  const Clustering coarse = multilevel(contract(graph, common, count), silent);
  return v_cycles(graph, lift(common, coarse.labels), rules);
}

}  // namespace srgw::detail
