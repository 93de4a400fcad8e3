// SPDX-License-Identifier: MIT
#include "search/local_moves.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "random.hpp"
#include "sampling.hpp"

namespace srgw::detail {

namespace {

/// All nodes at random; of a large graph in runs of consecutive ones, whose rows lie side by side
/// and which often have neighbours in common: otherwise memory is all that is waited for.
std::vector<NodeId> random_order(std::size_t size, std::uint64_t seed) {
  constexpr std::size_t large = std::size_t{1} << 16U, long_run = 64;
  const std::size_t run = size < large ? 1 : long_run;
  std::vector<NodeId> runs((size + run - 1) / run);
  std::iota(runs.begin(), runs.end(), NodeId{0});
  Random random(seed, 0);
  shuffle(runs, random);
  if (run == 1) return runs;
  std::vector<NodeId> order;
  order.reserve(size);
  for (const NodeId r : runs) {
    const std::size_t end = std::min(size, (r + std::size_t{1}) * run);
    for (std::size_t i = r * run; i < end; ++i) order.push_back(static_cast<NodeId>(i));
  }
  return order;
}

/// Weights from a node to the clusters of its neighbours.
class Links {
 public:
  explicit Links(std::size_t clusters) : sums_(clusters, 0) {}

  template <bool weighted>
  void gather(const Flow& flow, const Assignment& labels, std::size_t node) {
    for (const NodeId c : touched_) sums_[c] = 0;
    touched_.clear();
    for (std::uint64_t e = flow.offsets[node]; e < flow.offsets[node + 1]; ++e) {
      const NodeId c = labels[flow.columns[e]];
      if (sums_[c] == 0) touched_.push_back(c);
      sums_[c] += weighted ? flow.weights[e] : 1.0;
    }
  }
  [[nodiscard]] const std::vector<NodeId>& touched() const { return touched_; }
  [[nodiscard]] double to(NodeId cluster) const { return sums_[cluster]; }

 private:
  std::vector<double> sums_;
  std::vector<NodeId> touched_;
};

/// Gains below this share of the largest conceivable one are rounding.
constexpr double least_gain = 1e-11;

class Mover {
 public:
  Mover(const Flow& flow, Assignment& labels, const MoveRules& rules)
      : flow_(flow),
        labels_(labels),
        factor_(rules.resolution / flow.total),
        queue_(random_order(flow.size(), rules.seed)),
        waits_(flow.size(), 1),
        links_(capacity(flow, labels, rules)),
        mass_(capacity(flow, labels, rules), 0),
        members_(capacity(flow, labels, rules), 0) {
    for (std::size_t i = 0; i < flow.size(); ++i) {
      mass_[labels[i]] += flow.mass[i];
      ++members_[labels[i]];
    }
    for (std::size_t c = rules.most_clusters == 0 ? flow.size() : rules.most_clusters; c-- > 0;) {
      if (members_[c] == 0) empty_.push_back(static_cast<NodeId>(c));
    }
  }

  template <bool weighted>
  bool run() {
    bool moved = false;
    // The queue is a ring: each node is in it at most once.
    std::size_t head = 0, waiting = queue_.size();
    const std::size_t size = queue_.size();
    while (waiting > 0) {
      const NodeId i = queue_[head];
      head = head + 1 == size ? 0 : head + 1;
      --waiting;
      waits_[i] = 0;
      if (!visit<weighted>(i)) continue;
      moved = true;
      for (std::uint64_t e = flow_.offsets[i]; e < flow_.offsets[i + std::size_t{1}]; ++e) {
        const NodeId j = flow_.columns[e];
        if (waits_[j] != 0 || labels_[j] == labels_[i]) continue;
        waits_[j] = 1;
        const std::size_t tail = head + waiting;
        queue_[tail < size ? tail : tail - size] = j;
        ++waiting;
      }
    }
    return moved;
  }

 private:
  static std::size_t capacity(const Flow& flow, const Assignment& labels, const MoveRules& rules) {
    NodeId largest = 0;
    for (const NodeId label : labels) largest = std::max(largest, label);
    const std::size_t allowed = rules.most_clusters == 0 ? flow.size() : rules.most_clusters;
    return std::max(allowed, std::size_t{largest} + 1);
  }

  /// Whether the node moved.
  template <bool weighted>
  bool visit(NodeId i) {
    links_.gather<weighted>(flow_, labels_, i);
    const NodeId own = labels_[i];
    const double mass = flow_.mass[i];
    const double stay = links_.to(own) - factor_ * mass * (mass_[own] - mass);
    double best = stay + least_gain * mass;
    NodeId target = own;
    for (const NodeId c : links_.touched()) {
      if (c == own) continue;
      const double gain = links_.to(c) - factor_ * mass * mass_[c];
      if (gain > best) {
        best = gain;
        target = c;
      }
    }
    if (best < 0 && !empty_.empty() && members_[own] > 1) target = empty_.back();
    if (target == own) return false;
    if (members_[target] == 0) empty_.pop_back();
    if (--members_[own] == 0) empty_.push_back(own);
    ++members_[target];
    mass_[own] -= mass;
    mass_[target] += mass;
    labels_[i] = target;
    return true;
  }

  const Flow& flow_;
  Assignment& labels_;
  double factor_;
  std::vector<NodeId> queue_;
  std::vector<std::uint8_t> waits_;
  Links links_;
  std::vector<double> mass_;
  std::vector<NodeId> members_;
  std::vector<NodeId> empty_;  // labels that nobody has
};

template <bool weighted>
Assignment refine_rows(const Flow& flow, const Assignment& labels, const MoveRules& rules) {
  const std::size_t size = flow.size();
  Assignment parts(size);
  std::iota(parts.begin(), parts.end(), NodeId{0});
  std::vector<double> mass = flow.mass;
  std::vector<std::uint8_t> alone(size, 1);
  Links links(size);
  const double factor = rules.resolution / flow.total;
  for (const NodeId i : random_order(size, rules.seed)) {
    if (alone[i] == 0) continue;
    links.gather<weighted>(flow, parts, i);
    double best = least_gain * flow.mass[i];
    NodeId target = i;
    for (const NodeId c : links.touched()) {
      if (labels[c] != labels[i] || c == i) continue;  // a part is named by one of its nodes
      const double gain = links.to(c) - factor * flow.mass[i] * mass[c];
      if (gain > best) {
        best = gain;
        target = c;
      }
    }
    if (target == i) continue;
    parts[i] = target;
    mass[target] += flow.mass[i];
    mass[i] -= flow.mass[i];
    alone[target] = 0;
  }
  compact(parts);
  return parts;
}

}  // namespace

bool local_moves(const Flow& flow, Assignment& labels, const MoveRules& rules) {
  Mover mover(flow, labels, rules);
  return flow.weights.empty() ? mover.run<false>() : mover.run<true>();
}

Assignment refine(const Flow& flow, const Assignment& labels, const MoveRules& rules) {
  return flow.weights.empty() ? refine_rows<false>(flow, labels, rules)
                              : refine_rows<true>(flow, labels, rules);
}

}  // namespace srgw::detail
