// SPDX-License-Identifier: MIT
#include "search/label_sweeps.hpp"

#include <algorithm>
#include <limits>

#include "parallel.hpp"

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
        chosen_(labels_),
        mass_(rules.clusters, 0),
        sums_(static_cast<std::size_t>(rules.threads)) {
    for (std::size_t i = 0; i < labels.size(); ++i) mass_[labels[i]] += flow.mass[i];
    for (auto& sums : sums_) sums.assign(rules.clusters, 0);
  }

  /// Returns how many nodes moved.
  std::size_t sweep() {
    const auto size = static_cast<Index>(flow_.size());
    const Index blocks = block_count(size);
    std::size_t moved = 0;
    for (Index batch = 0; batch < std::min(batches, blocks); ++batch) {
      const Index count = (blocks - batch + batches - 1) / batches;
      parallel_for(count, rules_.threads, [&](Index b, int worker) {
        const Index first = (batch + b * batches) * block_rows;
        const Index last = std::min(first + block_rows, size);
        for (Index i = first; i < last; ++i) {
          chosen_[static_cast<std::size_t>(i)] =
              rules_.reach == Reach::twins
                  ? choose_twin(static_cast<std::size_t>(i))
                  : choose(static_cast<std::size_t>(i), sums_[static_cast<std::size_t>(worker)]);
        }
      });
      for (Index b = 0; b < count; ++b) {
        const Index first = (batch + b * batches) * block_rows;
        const Index last = std::min(first + block_rows, size);
        for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
          if (chosen_[i] == labels_[i]) continue;
          mass_[labels_[i]] -= flow_.mass[i];
          mass_[chosen_[i]] += flow_.mass[i];
          labels_[i] = chosen_[i];
          ++moved;
        }
      }
    }
    return moved;
  }

  void copy_to(Assignment& labels) const { labels.assign(labels_.begin(), labels_.end()); }

 private:
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
  std::vector<Label> labels_, chosen_;
  std::vector<double> mass_;
  std::vector<std::vector<double>> sums_;  // one for each worker, zero between nodes
};

template <class Label, bool weighted>
void run(const Flow& flow, Assignment& labels, const SweepRules& rules) {
  Sweeper<Label, weighted> sweeper(flow, labels, rules);
  const double enough = rules.least_moves * static_cast<double>(flow.size());
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
