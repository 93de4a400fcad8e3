// SPDX-License-Identifier: MIT
#include "communities/search/split_merge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.hpp"
#include "base/row_blocks.hpp"
#include "communities/search/label_sweeps.hpp"
#include "communities/search/merge.hpp"
#include "communities/search/shared_sums.hpp"

namespace srgw::detail {

namespace {

/// The value and label that a node shows its neighbours.
struct Shown {
  float value;
  NodeId label;
};

/// A vector that the walk restricted to edges inside clusters amplifies, orthogonal to what is
/// constant on a cluster: its sign cuts each cluster where few edges run.
class Cutter {
 public:
  Cutter(const WeightedGraph& graph, const Assignment& labels, std::size_t clusters, int threads)
      : graph_(graph),
        threads_(threads),
        total_(sum_of_masses(graph)),
        shown_(labels.size()),
        next_(labels.size()),
        sums_(threads) {
    const Quanta quanta(total_);
    for (const std::int64_t mass : cluster_masses(graph, labels, clusters, quanta)) {
      mass_.push_back(quanta.to(mass) / total_);
    }
    for (std::size_t i = 0; i < labels.size(); ++i) shown_[i].label = labels[i];
  }

  void draw(std::uint64_t seed) {
    const Index first_block = graph_.exchange->first_row() / block_rows;
    for_each_block(graph_.size(), threads_,
                   [&](Index block, std::size_t first, std::size_t last, int) {
                     Random random(seed, static_cast<std::uint64_t>(first_block + block));
                     for (std::size_t i = first; i < last; ++i) {
                       next_[i] = static_cast<float>(random.uniform() - 0.5);
                     }
                   });
    remove_means();
  }

  void multiply() {
    for_each_row(graph_.size(), threads_, [&](std::size_t i) {
      const float sum = graph_.weights.empty() ? sum_inside<false>(i) : sum_inside<true>(i);
      next_[i] = graph_.mass[i] > 0 ? sum / static_cast<float>(graph_.mass[i]) : 0.0F;
    });
    remove_means();
  }

  [[nodiscard]] bool upper(std::size_t i) const { return shown_[i].value > 0; }

 private:
  /// What neighbours of the same cluster show. Which those are nobody can predict: no branch.
  template <bool weighted>
  [[nodiscard]] float sum_inside(std::size_t i) const {
    const NodeId own = shown_[i].label;
    const auto part = [&](std::uint64_t e) {
      const Shown other = shown_[graph_.columns[e]];
      const auto mask = static_cast<std::uint32_t>(-static_cast<std::int32_t>(other.label == own));
      const auto value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(other.value) & mask);
      return weighted ? static_cast<float>(graph_.weights[e]) * value : value;
    };
    std::uint64_t e = graph_.begin(i);
    const std::uint64_t end = graph_.end(i);
    float even = 0, odd = 0;  // two sums, which need not wait for each other
    for (; e + 1 < end; e += 2) {
      even += part(e);
      odd += part(e + 1);
    }
    return (e < end ? even + part(e) : even) + odd;
  }

  // next_ becomes what is shown, without the mean of each cluster and scaled against underflow.
  void remove_means() {
    const auto clusters = mass_.size();
    for (auto& sums : sums_) sums.assign(clusters + 1, 0);
    const auto nodes =
        static_cast<double>(graph_.exchange->all_rows(static_cast<Index>(graph_.size())));
    for_each_block(graph_.size(), threads_,
                   [&](Index, std::size_t first, std::size_t last, int worker) {
                     auto& sums = sums_[worker];
                     double squares = 0;
                     for (std::size_t i = first; i < last; ++i) {
                       const auto value = double{next_[i]};
                       sums[shown_[i].label] += means_.from(graph_.mass[i] / total_ * value);
                       squares += value * value;
                     }
                     sums[clusters] += squares_.from(squares / nodes);
                   });
    std::vector<Fixed> all(clusters + 1, 0);
    for (const auto& sums : sums_) {
      for (std::size_t c = 0; c <= clusters; ++c) all[c] += sums[c];
    }
    graph_.exchange->sum(all);
    graph_.exchange->refresh_all(std::span(next_));
    std::vector<double> means(clusters);
    for (std::size_t c = 0; c < clusters; ++c) {
      means[c] = means_.to(all[c]) / (mass_[c] > 0 ? mass_[c] : 1);
    }
    const double square = squares_.to(all[clusters]);
    const double scale = square > 0 ? std::sqrt(1 / square) : 1;
    for_each_row(next_.size(), threads_, [&](std::size_t i) {
      shown_[i].value = static_cast<float>((double{next_[i]} - means[shown_[i].label]) * scale);
    });
  }

  const WeightedGraph& graph_;
  int threads_;
  double total_;
  std::vector<double> mass_;  // of clusters, as shares of all
  std::vector<Shown> shown_;  // of all places
  std::vector<float> next_;
  // What is shown has the mean square 1, so that a value is at most the root of their number.
  FixedPoint means_{0x1p16}, squares_{0x1p20};
  std::vector<std::vector<Fixed>> sums_;  // for each worker: means of clusters, then squares
};

class Rounds {
 public:
  Rounds(const WeightedGraph& graph, const SplitMerge& rules) : graph_(graph), rules_(rules) {}

  Clustering run() {
    Clustering best = start();
    tell(best);
    int failures = 0;
    for (int round = 0; round < rules_.most_rounds && failures < 1; ++round) {
      Clustering trial = split(best, static_cast<std::uint64_t>(round));
      merge(trial);
      sweep(trial);
      if (trial.quality > best.quality + 1e-9) {
        best = std::move(trial);
        tell(best);
      } else {
        ++failures;
      }
    }
    return best;
  }

 private:
  void tell(const Clustering& best) const {
    if (rules_.found) rules_.found(best, rules_.resolution);
  }

  /// Random labels, swept, where their number is known; else all in one.
  [[nodiscard]] Clustering start() const {
    const auto rows = static_cast<Index>(graph_.size());
    Clustering found{Assignment(graph_.exchange->places(rows), 0), 1, 0};
    const std::size_t labels = rules_.first_labels > 0 ? rules_.first_labels : rules_.most_clusters;
    if (labels > 1) {
      found.labels = random_labels(*graph_.exchange, rows, labels, rules_.seed);
      found.count = labels;
    }
    sweep(found);
    // Many labels are merged before they are split: the quotient of halves has four times the
    // pairs, and each rank holds all of them.
    if (rules_.first_labels > 1) {
      merge(found);
      sweep(found);
    }
    return found;
  }

  [[nodiscard]] Clustering split(const Clustering& from, std::uint64_t round) const {
    Cutter cutter(graph_, from.labels, from.count, rules_.threads);
    cutter.draw(rules_.seed + 7919 * (round + 1));
    for (int product = 0; product < rules_.products; ++product) {
      cutter.multiply();
      if (rules_.poll) rules_.poll();
    }
    Clustering halves{from.labels, 2 * from.count, 0};
    for (std::size_t i = 0; i < halves.labels.size(); ++i) {
      halves.labels[i] = 2 * halves.labels[i] + (cutter.upper(i) ? 1 : 0);
    }
    label_sweeps(graph_, halves.labels,
                 {.resolution = rules_.resolution,
                  .clusters = halves.count,
                  .reach = Reach::twins,
                  .most_sweeps = 5,
                  .threads = rules_.threads,
                  .poll = rules_.poll});
    return halves;
  }

  void merge(Clustering& found) const {
    found.count = merge_while_gaining(
        graph_, found.labels, found.count,
        {.most = rules_.most_clusters, .resolution = rules_.resolution, .threads = rules_.threads});
  }

  void sweep(Clustering& found) const {
    label_sweeps(graph_, found.labels,
                 {.resolution = rules_.resolution,
                  .clusters = found.count,
                  .most_sweeps = 30,
                  .threads = rules_.threads,
                  .poll = rules_.poll});
    found.count = compact(graph_, found.labels, found.count);
    found.quality = quality(graph_, found.labels, found.count, rules_.resolution, rules_.threads);
  }

  const WeightedGraph& graph_;
  const SplitMerge& rules_;
};

}  // namespace

Clustering split_merge(const WeightedGraph& graph, const SplitMerge& rules) {
  return Rounds(graph, rules).run();
}

}  // namespace srgw::detail
