// SPDX-License-Identifier: MIT
#include "search/label_sweeps.hpp"

#include <algorithm>
#include <limits>

#include "parallel.hpp"
#include "search/shared_sums.hpp"

namespace srgw::detail {

namespace {

// All who tie follow the lightest cluster; the next batch sees that it has become heavier.
constexpr Index batches = 8;

template <class Label, bool weighted>
class Sweeper {
 public:
  Sweeper(const Flow& flow, const Assignment& labels, const SweepRules& rules)
      : flow_(flow),
        rules_(rules),
        factor_(rules.resolution / flow.total),
        labels_(labels.begin(), labels.end()),
        chosen_(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(flow.size())),
        quanta_(sum_of_masses(flow)),
        masses_(cluster_masses(flow, labels, rules.clusters, quanta_)),
        mass_(rules.clusters),
        moves_(rules.clusters + 1),
        sums_(static_cast<std::size_t>(rules.threads)) {
    for (auto& sums : sums_) sums.assign(rules.clusters, 0);
    update_masses();
  }

  /// Returns how many nodes moved, on all ranks.
  std::size_t sweep() {
    const auto size = static_cast<Index>(flow_.size());
    const Index blocks = block_count(size);
    const Index first_block = flow_.exchange->first_row() / block_rows;
    const Index all_blocks = block_count(flow_.exchange->all_rows(size));
    std::size_t moved = 0;
    for (Index batch = 0; batch < std::min(batches, all_blocks); ++batch) {
      // Blocks are numbered in the whole graph; this is the first one here.
      const Index begin = (batch - first_block % batches + batches) % batches;
      const Index count = begin < blocks ? (blocks - begin + batches - 1) / batches : 0;
      parallel_for(count, rules_.threads, [&](Index b, int worker) {
        const Index first = (begin + b * batches) * block_rows;
        const Index last = std::min(first + block_rows, size);
        for (Index i = first; i < last; ++i) {
          chosen_[static_cast<std::size_t>(i)] =
              rules_.reach == Reach::twins
                  ? choose_twin(static_cast<std::size_t>(i))
                  : choose(static_cast<std::size_t>(i), sums_[static_cast<std::size_t>(worker)]);
        }
      });
      changed_.clear();
      std::ranges::fill(moves_, 0);
      for (Index b = 0; b < count; ++b) {
        const Index first = (begin + b * batches) * block_rows;
        move(static_cast<std::size_t>(first),
             static_cast<std::size_t>(std::min(first + block_rows, size)));
      }
      moves_.back() = static_cast<std::int64_t>(changed_.size());
      flow_.exchange->sum(moves_);
      flow_.exchange->refresh(std::span(labels_), changed_);
      for (std::size_t c = 0; c < masses_.size(); ++c) masses_[c] += moves_[c];
      update_masses();
      moved += static_cast<std::size_t>(moves_.back());
    }
    return moved;
  }

  void copy_to(Assignment& labels) const { labels.assign(labels_.begin(), labels_.end()); }

 private:
  // Nodes of a block go where they chose to.
  void move(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (chosen_[i] == labels_[i]) continue;
      const std::int64_t mass = quanta_.from(flow_.mass[i]);
      moves_[labels_[i]] -= mass;
      moves_[chosen_[i]] += mass;
      labels_[i] = chosen_[i];
      changed_.push_back(static_cast<NodeId>(i));
    }
  }
  void update_masses() {
    for (std::size_t c = 0; c < mass_.size(); ++c) mass_[c] = quanta_.to(masses_[c]);
  }

  Label choose(std::size_t i, std::vector<double>& sums) const {
    const std::uint64_t begin = flow_.offsets[i], end = flow_.offsets[i + 1];
    for (std::uint64_t e = begin; e < end; ++e) {
      sums[labels_[flow_.columns[e]]] += weighted ? flow_.weights[e] : 1.0;
    }
    const Label own = labels_[i];
    const double mass = flow_.mass[i];
    Label target = own;
    double best = sums[own] - factor_ * mass * (mass_[own] - mass) + 1e-11 * mass;
    for (std::uint64_t e = begin; e < end; ++e) {
      const Label c = labels_[flow_.columns[e]];
      if (sums[c] == 0) continue;  // seen already
      const double gain = sums[c] - factor_ * mass * mass_[c];
      sums[c] = 0;
      if (c != own && gain > best) {
        best = gain;
        target = c;
      }
    }
    return target;
  }

  Label choose_twin(std::size_t i) const {
    const Label own = labels_[i];
    const auto twin = static_cast<Label>(own ^ 1U);
    double stay = 0, leave = 0;
    for (std::uint64_t e = flow_.offsets[i]; e < flow_.offsets[i + 1]; ++e) {
      const Label c = labels_[flow_.columns[e]];
      const double weight = weighted ? flow_.weights[e] : 1.0;
      stay += c == own ? weight : 0;
      leave += c == twin ? weight : 0;
    }
    const double mass = flow_.mass[i];
    stay -= factor_ * mass * (mass_[own] - mass);
    leave -= factor_ * mass * mass_[twin];
    return leave > stay + 1e-11 * mass ? twin : own;
  }

  const Flow& flow_;
  const SweepRules& rules_;
  double factor_;
  std::vector<Label> labels_, chosen_;  // of all places, and of the nodes here
  Quanta quanta_;
  std::vector<std::int64_t> masses_;  // of clusters, in quanta
  std::vector<double> mass_;          // the same numbers
  std::vector<std::int64_t> moves_;   // of a batch: changes of masses, then how many nodes moved
  std::vector<NodeId> changed_;
  std::vector<std::vector<double>> sums_;  // one for each worker, zero between nodes
};

template <class Label, bool weighted>
void run(const Flow& flow, Assignment& labels, const SweepRules& rules) {
  Sweeper<Label, weighted> sweeper(flow, labels, rules);
  const double enough =
      rules.least_moves *
      static_cast<double>(flow.exchange->all_rows(static_cast<Index>(flow.size())));
  for (int sweep = 0; sweep < rules.most_sweeps; ++sweep) {
    const std::size_t moved = sweeper.sweep();
    if (moved == 0 || static_cast<double>(moved) < enough) break;
  }
  sweeper.copy_to(labels);
}

template <class Label>
void run(const Flow& flow, Assignment& labels, const SweepRules& rules) {
  flow.weights.empty() ? run<Label, false>(flow, labels, rules)
                       : run<Label, true>(flow, labels, rules);
}

}  // namespace

void label_sweeps(const Flow& flow, Assignment& labels, const SweepRules& rules) {
  // Labels are what is gathered: narrow ones stay in the cache.
  if (rules.clusters <= std::numeric_limits<std::uint8_t>::max()) {
    run<std::uint8_t>(flow, labels, rules);
  } else if (rules.clusters <= std::numeric_limits<std::uint16_t>::max()) {
    run<std::uint16_t>(flow, labels, rules);
  } else {
    run<std::uint32_t>(flow, labels, rules);
  }
}

}  // namespace srgw::detail
