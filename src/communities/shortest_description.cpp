// SPDX-License-Identifier: MIT
#include "communities/shortest_description.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/parallel.hpp"
#include "communities/log_counts.hpp"

namespace srgw::detail {

BlockModelLength block_model_length(const WeightedGraph& graph, const Assignment& labels,
                                    const std::vector<double>& nodes) {
  Assignment compacted = labels;
  const std::size_t count = compact(compacted);
  const WeightedGraph blocks = contract(graph, compacted, count);
  std::vector<double> sizes(count, 0);
  double all_nodes = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const double behind = nodes.empty() ? 1 : nodes[i];
    sizes[compacted[i]] += behind;
    all_nodes += behind;
  }
  double length = 0, edges_inside = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const double inside = blocks.inside.empty() ? 0 : blocks.inside[r] / 2;
    edges_inside += inside;
    length += log_factorial(blocks.mass[r]) - inside * std::numbers::ln2 - log_factorial(inside);
    for (std::uint64_t e = blocks.begin(r); e < blocks.end(r); ++e) {
      if (blocks.columns[e] > r) length -= log_factorial(blocks.weight(e));
    }
    length += log_distributions(sizes[r], blocks.mass[r]) - log_factorial(sizes[r]);
  }
  const auto clusters = static_cast<double>(count);
  length += std::log(all_nodes) + log_distributions(clusters, all_nodes - clusters) +
            log_factorial(all_nodes);
  const double edges = graph.total / 2;
  const double pairs = clusters * (clusters - 1) / 2;
  const double general = log_distributions(pairs + clusters, edges);
  double assortative = log_distributions(clusters + 1, edges);
  if (count > 1) assortative += log_distributions(pairs, edges - edges_inside);
  return {.general = length + general, .assortative = length + std::min(general, assortative)};
}

namespace {

constexpr double step = 1.25;  // from one resolution to the next
constexpr double lowest = 0.3, highest = 60;
/// Resolutions tried at a time, on all threads; a side ends when a whole group brings nothing.
constexpr int group = 3;
/// From 0 to 10 generated graphs are clustered alike; 5 keeps real ones whole (docs/partition.md).
constexpr double nats_for_modularity = 5;
/// Weight of the assortative length above resolution 1. Without it small clusters of LFR graphs
/// stay merged; with more than 0.25 some real graphs are split further.
constexpr double weight_of_assortative = 0.2;

struct Trial {
  PartitionLength point;
  double assortative = 0;
  Assignment labels = {};
};

double mixed_length(const Trial& trial) {
  return trial.point.length + weight_of_assortative * (trial.assortative - trial.point.length);
}

class Descriptions {
 public:
  Descriptions(const WeightedGraph& graph, const std::vector<double>& nodes,
               const Multilevel& rules, int threads)
      : graph_(graph), nodes_(nodes), rules_(rules), threads_(threads) {
    for (std::size_t i = 0; i < graph.size(); ++i) all_nodes_ += nodes.empty() ? 1 : nodes[i];
  }

  DescribedResolution choose() {
    try_all(-group, group);
    Trial best = tried_.at(0);
    walk(best, -1, [](const Trial& a, const Trial& b) {
      return a.point.clusters > 1 && (a.assortative < b.assortative || b.point.clusters < 2);
    });
    const BlockModelLength one = block_model_length(graph_, Assignment(graph_.size(), 0), nodes_);
    if (best.point.clusters < 2 || best.assortative >= one.general) {
      return finish(tried_.at(0), false);
    }
    const double coarse_modularity = best.point.modularity;
    const double coarse_resolution = best.point.resolution;
    const double coarse_length = mixed_length(best);
    const auto gain = [&](const Trial& trial) {
      const double lost = std::max(0.0, coarse_modularity - trial.point.modularity);
      return (coarse_length - mixed_length(trial)) / all_nodes_ - nats_for_modularity * lost;
    };
    const auto is_worth_more = [&](const Trial& a, const Trial& b) { return gain(a) > gain(b); };
    for (const auto& [steps, trial] : tried_) {
      if (steps <= 0 && trial.point.resolution > coarse_resolution && is_worth_more(trial, best)) {
        best = trial;
      }
    }
    walk(best, 1, is_worth_more);
    return finish(best, true);
  }

 private:
  [[nodiscard]] Trial at(double resolution, const TellFound& found) const {
    Multilevel rules = rules_;
    rules.resolution = resolution;
    rules.found = found;
    const Clustering clustering = multilevel(graph_, rules);
    const BlockModelLength length = block_model_length(graph_, clustering.labels, nodes_);
    return {.point = {.resolution = resolution,
                      .clusters = static_cast<Index>(clustering.count),
                      .length = length.general,
                      .modularity = quality(graph_, clustering.labels, 1)},
            .assortative = length.assortative,
            .labels = clustering.labels};
  }

  /// Tries the resolutions from `first` to `last` steps above 1 that were not tried yet.
  void try_all(int first, int last) {
    std::vector<int> missing;
    if (first <= 0 && last >= 0 && !tried_.contains(0)) missing.push_back(0);
    for (int steps = first; steps <= last; ++steps) {
      if (steps != 0 && !tried_.contains(steps)) missing.push_back(steps);
    }
    std::vector<Trial> trials(missing.size());
    parallel_for(std::ssize(missing), threads_, [&](Index i, int) {
      trials[i] = at(std::pow(step, missing[i]), missing[i] == 0 ? rules_.found : TellFound());
    });
    for (std::size_t i = 0; i < missing.size(); ++i) tried_[missing[i]] = std::move(trials[i]);
  }

  /// Goes from resolution 1 upwards (side 1) or downwards (-1) while one of a group is better than
  /// the best before.
  template <class Better>
  void walk(Trial& best, int side, Better is_better) {
    bool improved = true;
    for (int first = 1; improved; first += group) {
      const double next = std::pow(step, side * first);
      if (next <= lowest || next >= highest) return;
      const int last = first + group - 1;
      try_all(std::min(side * first, side * last), std::max(side * first, side * last));
      improved = false;
      for (int steps = first; steps <= last; ++steps) {
        const Trial& trial = tried_.at(side * steps);
        if (!is_better(trial, best)) continue;
        best = trial;
        improved = true;
      }
    }
  }

  [[nodiscard]] DescribedResolution finish(const Trial& best, bool decided) const {
    DescribedResolution chosen{.resolution = decided ? best.point.resolution : 1,
                               .decided = decided,
                               .curve = {},
                               .labels = best.labels};
    for (const auto& [steps, trial] : tried_) chosen.curve.push_back(trial.point);
    return chosen;
  }

  const WeightedGraph& graph_;
  const std::vector<double>& nodes_;
  const Multilevel& rules_;
  int threads_;
  double all_nodes_ = 0;
  std::map<int, Trial> tried_;  // by steps from resolution 1
};

}  // namespace

DescribedResolution choose_by_description(const WeightedGraph& graph,
                                          const std::vector<double>& nodes, const Multilevel& rules,
                                          int threads) {
  return Descriptions(graph, nodes, rules, threads).choose();
}

}  // namespace srgw::detail
