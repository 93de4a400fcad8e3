// SPDX-License-Identifier: MIT
#include "communities/update.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "base/union_find.hpp"
#include "communities/search/cluster_masses.hpp"

namespace srgw::detail {

namespace {

constexpr NodeId unlabelled = std::numeric_limits<NodeId>::max();

/// Nodes without a label join the neighbouring cluster that gains most, in passes, as their
/// neighbours may have joined one meanwhile.
void attach_new_nodes(const WeightedGraph& graph, std::size_t count, Assignment& labels) {
  ClusterMasses masses(graph, count);
  std::vector<double> sums(count, 0);
  std::vector<NodeId> waiting, touched;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (labels[i] == unlabelled) {
      waiting.push_back(static_cast<NodeId>(i));
    } else {
      masses.add(graph, i, labels[i]);
    }
  }
  StopCounter stop;
  std::size_t before = waiting.size() + 1;
  while (waiting.size() < before) {
    before = waiting.size();
    std::erase_if(waiting, [&](NodeId i) {
      stop.throw_if_stopped();
      for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
        const NodeId c = labels[graph.columns[e]];
        if (c == unlabelled) continue;
        if (sums[c] == 0) touched.push_back(c);
        sums[c] += graph.weight(e);
      }
      const auto gain = [&](NodeId c) { return sums[c] - masses.expected(1, graph, i, c); };
      if (touched.empty()) return false;
      NodeId best = touched.front();
      for (const NodeId c : touched) {
        const double more = gain(c) - gain(best);
        if (more > 0 || (more == 0 && c < best)) best = c;
      }
      for (const NodeId c : touched) sums[c] = 0;
      touched.clear();
      labels[i] = best;
      masses.add(graph, i, best);
      return true;
    });
  }
  auto next = static_cast<NodeId>(count);
  for (const NodeId i : waiting) labels[i] = next++;
}

/// Parts clusters into their connected pieces. The piece with the anchor is named first.
void part_pieces(const WeightedGraph& graph, Assignment& labels) {
  UnionFind pieces(graph.size());
  StopCounter stop;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    stop.throw_if_stopped();
    for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
      const NodeId j = graph.columns[e];
      if (j < i && labels[j] == labels[i]) pieces.join(static_cast<NodeId>(i), j);
    }
  }
  for (std::size_t i = 0; i < graph.size(); ++i) labels[i] = pieces.root(static_cast<NodeId>(i));
}

constexpr double tried_step = 1.25;
constexpr double lowest_tried = 0.3, highest_tried = 60;
constexpr int tried_group = 3;  // resolutions tried at a time
constexpr double finer_step = 1.3;

/// Share of the mass that leaves the clusters of `start`; infinite where that gives clusters which
/// are worse than one, as single nodes are: they stay where they are at a high resolution.
double share_moved(const WeightedGraph& graph, const Assignment& start, const Multilevel& rules,
                   double resolution) {
  Multilevel own = rules;
  own.most_clusters = 0;  // the start may have more clusters than are allowed; it is merged later
  own.resolution = resolution;
  own.v_cycles = 1;
  own.threads = 1;
  own.found = {};
  const Clustering found = v_cycles(graph, start, own);
  if (resolution != 1 && quality(graph, found.labels, 1, 1) <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  double moved = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (found.labels[i] != start[i]) moved += graph.mass[i];
  }
  return moved / graph.total;
}

}  // namespace

Assignment start_from_previous(const AnchoredGraph& anchored,
                               const std::vector<std::int64_t>& previous) {
  const WeightedGraph& graph = anchored.graph;
  const std::size_t anchors = anchored.ids.size();
  Assignment labels(graph.size(), unlabelled);
  std::unordered_map<std::int64_t, NodeId> label_of;
  for (std::size_t a = 0; a < anchors; ++a) {
    labels[a] = static_cast<NodeId>(a);
    label_of.emplace(anchored.ids[a], static_cast<NodeId>(a));
  }
  for (std::size_t i = 0; i < previous.size(); ++i) {
    const NodeId at = anchored.place[i];
    if (at < anchors || previous[i] == no_id) continue;
    const auto known = label_of.emplace(previous[i], static_cast<NodeId>(label_of.size()));
    labels[at] = known.first->second;
  }
  attach_new_nodes(graph, label_of.size(), labels);
  part_pieces(graph, labels);
  compact(labels);
  return labels;
}

double resolution_of_start(const WeightedGraph& graph, const Assignment& start,
                           const Multilevel& rules, int threads) {
  double best = 1, least = share_moved(graph, start, rules, 1);
  // Downwards only where resolution 1 is better than the first steps up: it parts clusters.
  for (const double factor : {tried_step, 1 / tried_step}) {
    bool improved = true;
    for (double first = factor; improved && first > lowest_tried && first < highest_tried;) {
      std::array<double, tried_group> moved{};
      parallel_for(tried_group, threads, [&](Index k, int) {
        moved[k] = share_moved(graph, start, rules, first * std::pow(factor, k));
      });
      improved = false;
      for (int k = 0; k < tried_group; ++k) {
        if (!(moved[k] < least)) continue;
        least = moved[k];
        best = first * std::pow(factor, k);
        improved = true;
      }
      first *= std::pow(factor, tried_group);
    }
    if (best != 1) break;
  }
  return best;
}

Clustering search_from_start(const WeightedGraph& graph, Assignment start, Multilevel& rules) {
  const std::size_t most = rules.most_clusters;
  if (most == 0) return v_cycles(graph, std::move(start), rules);
  Assignment merged = start;
  merge_down(graph, merged, most, rules.resolution, rules.linkage, rules.aside);
  Clustering found = v_cycles(graph, std::move(merged), rules);
  const double usual = rules.resolution;
  // Other clusters than those of the start are needed.
  for (double finer = usual * finer_step; found.count < most && finer < usual * 40;
       finer *= finer_step) {
    Multilevel free = rules;
    free.most_clusters = 0;
    free.resolution = finer;
    free.found = {};
    Clustering trial = v_cycles(graph, start, free);
    if (trial.count <= found.count) continue;
    rules.resolution = finer;
    merge_down(graph, trial.labels, most, finer, rules.linkage, rules.aside);
    found = v_cycles(graph, std::move(trial.labels), rules);
  }
  return found;
}

}  // namespace srgw::detail
