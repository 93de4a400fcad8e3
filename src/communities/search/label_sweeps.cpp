// SPDX-License-Identifier: MIT
#include "communities/search/label_sweeps.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "base/parallel.hpp"
#include "communities/search/local_moves.hpp"
#include "communities/search/shared_sums.hpp"

namespace srgw::detail {

namespace {

// All who tie follow the lightest cluster; the next batch sees that it has become heavier.
constexpr Index batches = 8;
constexpr std::size_t few_clusters = 32;  // so few that all are looked at, for each node

template <class Label, bool weighted>
class Sweeper {
 public:
  using Weight = std::conditional_t<weighted, double, std::uint32_t>;

  Sweeper(const WeightedGraph& graph, const Assignment& labels, const SweepRules& rules)
      : graph_(graph),
        rules_(rules),
        factor_(rules.resolution / graph.total),
        labels_(labels.begin(), labels.end()),
        chosen_(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(graph.size())),
        quanta_(sum_of_masses(graph)),
        masses_(cluster_masses(graph, labels, rules.clusters, quanta_)),
        mass_(rules.clusters),
        moves_(rules.clusters + 1),
        few_(!weighted && rules.clusters <= few_clusters),
        sums_(rules.threads) {
    for (std::size_t c = 0; c < ones_.size(); ++c)
      ones_[c][c / 8] = std::uint64_t{1} << (8 * (c % 8));
    for (auto& sums : sums_) sums.assign(rules.clusters, 0);
    update_masses();
  }

  /// Returns how many nodes moved, on all ranks.
  std::size_t sweep() {
    const auto size = static_cast<Index>(graph_.size());
    const Index blocks = block_count(size);
    const Index first_block = graph_.exchange->first_row() / block_rows;
    const Index all_blocks = block_count(graph_.exchange->all_rows(size));
    std::size_t moved = 0;
    for (Index batch = 0; batch < std::min(batches, all_blocks); ++batch) {
      // Blocks are numbered in the whole graph; this is the first one here.
      const Index begin = (batch - first_block % batches + batches) % batches;
      const Index count = begin < blocks ? (blocks - begin + batches - 1) / batches : 0;
      parallel_for(count, rules_.threads, [&](Index b, int worker) {
        const Index first = (begin + b * batches) * block_rows;
        const Index last = std::min(first + block_rows, size);
        for (Index i = first; i < last; ++i) {
          const std::size_t node = i;
          chosen_[node] = rules_.reach == Reach::twins ? choose_twin(node) : choose(node, worker);
        }
      });
      changed_.clear();
      std::ranges::fill(moves_, 0);
      for (Index b = 0; b < count; ++b) {
        const Index first = (begin + b * batches) * block_rows;
        move(first, std::min(first + block_rows, size));
      }
      moves_.back() = static_cast<std::int64_t>(changed_.size());
      graph_.exchange->sum(moves_);
      graph_.exchange->refresh(std::span(labels_), changed_);
      for (std::size_t c = 0; c < masses_.size(); ++c) masses_[c] += moves_[c];
      update_masses();
      moved += moves_.back();
    }
    return moved;
  }

  void copy_to(Assignment& labels) const { labels.assign(labels_.begin(), labels_.end()); }

 private:
  // Nodes of a block go where they chose to.
  void move(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (chosen_[i] == labels_[i]) continue;
      const std::int64_t mass = quanta_.from(graph_.mass[i]);
      moves_[labels_[i]] -= mass;
      moves_[chosen_[i]] += mass;
      labels_[i] = chosen_[i];
      changed_.push_back(static_cast<NodeId>(i));
    }
  }
  void update_masses() {
    for (std::size_t c = 0; c < mass_.size(); ++c) mass_[c] = quanta_.to(masses_[c]);
  }

  /// The same where clusters are few and all weights are 1: eight clusters have their counts in one
  /// word, a byte for each, and a neighbour adds the word of its label.
  template <std::size_t words>
  Label choose_of_few(std::size_t i) const {
    std::array<std::uint64_t, words> counts{};
    for (std::uint64_t e = graph_.begin(i); e < graph_.end(i); ++e) {
      const auto& one = ones_[labels_[graph_.columns[e]]];
      for (std::size_t w = 0; w < words; ++w) counts[w] += one[w];
    }
    const auto count_of = [&](std::size_t c) {
      return static_cast<double>((counts[c / 8] >> (8 * (c % 8))) & 255U);
    };
    const Label own = labels_[i];
    const double mass = graph_.mass[i], pull = factor_ * mass;
    Label target = own;
    double best = count_of(own) - pull * (mass_[own] - mass) + least_gain * mass;
    for (std::size_t c = 0; c < mass_.size(); ++c) {
      const double count = count_of(c);
      const double gain = count - pull * mass_[c];  // less than to stay, if that is here
      if (gain > best && count > 0) {
        best = gain;
        target = static_cast<Label>(c);
      }
    }
    return target;
  }

  Label choose(std::size_t i, int worker) {
    // A byte must not overflow.
    if (few_ && graph_.degree(i) < 256) {
      return mass_.size() <= 16 ? choose_of_few<2>(i) : choose_of_few<4>(i);
    }
    return choose_of_many(i, sums_[worker]);
  }

  Label choose_of_many(std::size_t i, std::vector<double>& sums) const {
    const std::uint64_t begin = graph_.begin(i), end = graph_.end(i);
    for (std::uint64_t e = begin; e < end; ++e) {
      sums[labels_[graph_.columns[e]]] += weighted ? graph_.weights[e] : 1.0;
    }
    const Label own = labels_[i];
    const double mass = graph_.mass[i];
    Label target = own;
    double best = sums[own] - factor_ * mass * (mass_[own] - mass) + least_gain * mass;
    for (std::uint64_t e = begin; e < end; ++e) {
      const Label c = labels_[graph_.columns[e]];
      if (sums[c] == 0) continue;  // seen already
      const double gain = sums[c] - factor_ * mass * mass_[c];
      sums[c] = 0;
      // Of equals the first, whatever the order of neighbours.
      if (c != own && (gain > best || (gain == best && target != own && c < target))) {
        best = gain;
        target = c;
      }
    }
    return target;
  }

  Label choose_twin(std::size_t i) const {
    const Label own = labels_[i];
    const auto twin = static_cast<Label>(own ^ 1U);
    Weight to_own = 0, to_twin = 0;
    for (std::uint64_t e = graph_.begin(i); e < graph_.end(i); ++e) {
      const Label c = labels_[graph_.columns[e]];
      const Weight weight = weighted ? static_cast<Weight>(graph_.weights[e]) : Weight{1};
      to_own += c == own ? weight : 0;
      to_twin += c == twin ? weight : 0;
    }
    double stay = to_own, leave = to_twin;
    const double mass = graph_.mass[i];
    stay -= factor_ * mass * (mass_[own] - mass);
    leave -= factor_ * mass * mass_[twin];
    return leave > stay + least_gain * mass ? twin : own;
  }

  const WeightedGraph& graph_;
  const SweepRules& rules_;
  double factor_;
  std::vector<Label> labels_, chosen_;  // of all places, and of the nodes here
  Quanta quanta_;
  std::vector<std::int64_t> masses_;  // of clusters, in quanta
  std::vector<double> mass_;          // the same numbers
  std::vector<std::int64_t> moves_;   // of a batch: changes of masses, then how many nodes moved
  std::vector<NodeId> changed_;
  bool few_;
  std::array<std::array<std::uint64_t, few_clusters / 8>, few_clusters> ones_{};
  std::vector<std::vector<double>> sums_;  // one for each worker, zero between nodes
};

template <class Label, bool weighted>
void run(const WeightedGraph& graph, Assignment& labels, const SweepRules& rules) {
  Sweeper<Label, weighted> sweeper(graph, labels, rules);
  const double enough =
      rules.least_moves *
      static_cast<double>(graph.exchange->all_rows(static_cast<Index>(graph.size())));
  for (int sweep = 0; sweep < rules.most_sweeps; ++sweep) {
    const std::size_t moved = sweeper.sweep();
    if (rules.poll) rules.poll();
    if (moved == 0 || static_cast<double>(moved) < enough) break;
  }
  sweeper.copy_to(labels);
}

template <class Label>
void run(const WeightedGraph& graph, Assignment& labels, const SweepRules& rules) {
  graph.weights.empty() ? run<Label, false>(graph, labels, rules)
                        : run<Label, true>(graph, labels, rules);
}

}  // namespace

void label_sweeps(const WeightedGraph& graph, Assignment& labels, const SweepRules& rules) {
  // Labels are what is gathered: narrow ones stay in the cache.
  if (rules.clusters <= std::numeric_limits<std::uint8_t>::max()) {
    run<std::uint8_t>(graph, labels, rules);
  } else if (rules.clusters <= std::numeric_limits<std::uint16_t>::max()) {
    run<std::uint16_t>(graph, labels, rules);
  } else {
    run<std::uint32_t>(graph, labels, rules);
  }
}

}  // namespace srgw::detail
