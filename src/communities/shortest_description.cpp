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
  double length = 0, edges_inside = 0, of_equals = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const double inside = blocks.inside.empty() ? 0 : blocks.inside[r] / 2;
    edges_inside += inside;
    of_equals += log_factorial(inside);
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
  of_equals +=
      std::log(edges + 1) + edges_inside * std::log(clusters) - log_factorial(edges_inside);
  double assortative = std::min(log_distributions(clusters + 1, edges), of_equals);
  if (count > 1) assortative += log_distributions(pairs, edges - edges_inside);
  return {.general = length + general, .assortative = length + std::min(general, assortative)};
}

namespace {

constexpr double step = 1.25;  // from one resolution to the next
constexpr double lowest = 0.3, highest = 60;
/// Resolutions tried at a time, on all threads; a side ends when a whole group brings nothing.
constexpr int group = 3;
/// A finer clustering has to save more than this part of what the clusters save in all, or less
/// where it loses little modularity: `saving_for_loss` times the share of it that is lost. Values
/// of 0.02 to 0.04 and of 3 to 6 cluster generated graphs alike (docs/partition.md).
constexpr double least_saving = 0.025, saving_for_loss = 4;
/// The assortative length decides where finer clusters save that part more of what the clusters
/// save by it, or a part that is so many times the share of modularity that they lose. Small
/// clusters that resolution 1 merges in generated graphs save 0.1 to 0.3, or 20 to 180 times what
/// they lose; parts of clusters of real graphs less than 0.09 and less than 10 times.
constexpr double clear_saving = 0.1, clear_ratio = 15;

struct Trial {
  PartitionLength point;
  double assortative = 0;
  Assignment labels = {};
};

using Length = double (*)(const Trial&);
double general_length(const Trial& trial) { return trial.point.length; }
double assortative_length(const Trial& trial) { return trial.assortative; }

class Descriptions {
 public:
  Descriptions(const WeightedGraph& graph, const std::vector<double>& nodes,
               const Multilevel& rules, int threads)
      : graph_(graph), nodes_(nodes), rules_(rules), threads_(threads) {}

  DescribedResolution choose() {
    try_all(-group, group);
    const int coarse = descend();
    const Trial& start = tried_.at(coarse);
    const double one = block_model_length(graph_, Assignment(graph_.size(), 0), nodes_).general;
    const double saved = one - start.assortative;
    if (start.point.clusters < 2 || saved <= 0) return finish(tried_.at(0), false);
    const int finest = climb(coarse, one, assortative_length);
    const Trial& fine = tried_.at(finest);
    const double part = std::min(clear_saving, clear_ratio * share_lost(fine, start, start));
    const bool is_clear = start.assortative - fine.assortative >= part * saved;
    if (finest > coarse && is_clear) return finish(fine, true);
    return finish(tried_.at(climb(coarse, one, general_length)), true);
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

  /// Tries the next group on a side of resolution 1; false where that is the end.
  bool try_group(int first, int side) {
    const double next = std::pow(step, side * first);
    if (next <= lowest || next >= highest) return false;
    const int last = first + group - 1;
    try_all(std::min(side * first, side * last), std::max(side * first, side * last));
    return true;
  }

  /// The resolution of at most 1 with the shortest assortative length, in steps.
  int descend() {
    int best = 0;
    bool improved = true;
    for (int first = 1; improved && try_group(first, -1); first += group) {
      improved = false;
      for (int steps = -first; steps > -first - group; --steps) {
        const Trial &trial = tried_.at(steps), &before = tried_.at(best);
        if (trial.point.clusters < 2) continue;
        if (trial.assortative >= before.assortative && before.point.clusters > 1) continue;
        best = steps;
        improved = true;
      }
    }
    return best;
  }

  /// The modularity that `fine` loses against `before`, as a share of that of `coarse`; 0 to 1.
  static double share_lost(const Trial& fine, const Trial& before, const Trial& coarse) {
    const double lost = std::max(0.0, before.point.modularity - fine.point.modularity);
    return lost > 0 ? lost / std::max(lost, coarse.point.modularity) : 0;
  }

  /// Whether `trial` saves enough to be taken instead of the coarser `best`. `saved` is what the
  /// clusters of `coarse` save.
  static bool is_worth_more(const Trial& trial, const Trial& best, const Trial& coarse,
                            double saved, Length length) {
    const double share = saving_for_loss * share_lost(trial, best, coarse);
    const double least = std::max(0.0, saved) * std::min(least_saving, share);
    return length(best) - length(trial) > least;
  }

  /// From the clusters at `coarse` to finer ones while these are worth more; in steps.
  int climb(int coarse, double one, Length length) {
    const Trial& start = tried_.at(coarse);
    const double saved = one - length(start);
    int best = coarse;
    const auto take = [&](int steps) {
      if (!is_worth_more(tried_.at(steps), tried_.at(best), start, saved, length)) return false;
      best = steps;
      return true;
    };
    for (int steps = coarse + 1; steps <= 0; ++steps) take(steps);
    bool improved = true;
    for (int first = 1; improved && try_group(first, 1); first += group) {
      improved = false;
      for (int steps = first; steps < first + group; ++steps) improved |= take(steps);
    }
    return best;
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
  std::map<int, Trial> tried_;  // by steps from resolution 1
};

}  // namespace

DescribedResolution choose_by_description(const WeightedGraph& graph,
                                          const std::vector<double>& nodes, const Multilevel& rules,
                                          int threads) {
  return Descriptions(graph, nodes, rules, threads).choose();
}

}  // namespace srgw::detail
