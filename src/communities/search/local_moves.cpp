// SPDX-License-Identifier: MIT
#include "communities/search/local_moves.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/sampling.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t large = std::size_t{1} << 16U;  // nodes

/// All nodes at random; of a large graph in runs of consecutive ones, whose rows lie side by side
/// and which often have neighbours in common: otherwise memory is all that is waited for.
std::vector<NodeId> random_order(std::size_t size, std::uint64_t seed) {
  constexpr std::size_t long_run = 64;
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

  /// Of the neighbours that count.
  template <bool weighted, class Counts>
  void gather(const WeightedGraph& graph, const Assignment& labels, std::size_t node,
              Counts counts) {
    for (const NodeId c : touched_) sums_[c] = 0;
    touched_.clear();
    for (std::uint64_t e = graph.begin(node); e < graph.end(node); ++e) {
      if (!counts(graph.columns[e])) continue;
      const NodeId c = labels[graph.columns[e]];
      if (sums_[c] == 0) touched_.push_back(c);
      sums_[c] += weighted ? graph.weights[e] : 1.0;
    }
  }
  [[nodiscard]] const std::vector<NodeId>& touched() const { return touched_; }
  [[nodiscard]] double to(NodeId cluster) const { return sums_[cluster]; }

 private:
  std::vector<double> sums_;
  std::vector<NodeId> touched_;
};

class Mover {
 public:
  Mover(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
        std::vector<NodeId> queue)
      : graph_(graph),
        labels_(labels),
        factor_(rules.resolution / graph.total),
        allowed_(rules.most_clusters == 0 ? graph.size() : rules.most_clusters),
        queue_(std::move(queue)),
        waiting_(queue_.size()),
        waits_(graph.size(), 0),
        links_(capacity(graph, labels, rules)),
        mass_(capacity(graph, labels, rules), 0),
        members_(capacity(graph, labels, rules), 0) {
    for (const NodeId i : queue_) waits_[i] = 1;
    queue_.resize(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
      mass_[labels[i]] += graph.mass[i];
      ++members_[labels[i]];
    }
    for (std::size_t c = allowed_; c-- > 0;) {
      if (members_[c] == 0) empty_.push_back(static_cast<NodeId>(c));
    }
  }

  template <bool weighted>
  bool run() {
    bool moved = false;
    // The queue is a ring: each node is in it at most once.
    std::size_t head = 0, waiting = waiting_;
    const std::size_t size = queue_.size();
    while (waiting > 0) {
      const NodeId i = queue_[head];
      head = head + 1 == size ? 0 : head + 1;
      --waiting;
      waits_[i] = 0;
      if (!visit<weighted>(i)) continue;
      moved = true;
      for (std::uint64_t e = graph_.begin(i); e < graph_.end(i); ++e) {
        const NodeId j = graph_.columns[e];
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
  static std::size_t capacity(const WeightedGraph& graph, const Assignment& labels,
                              const MoveRules& rules) {
    NodeId largest = 0;
    for (const NodeId label : labels) largest = std::max(largest, label);
    const std::size_t allowed = rules.most_clusters == 0 ? graph.size() : rules.most_clusters;
    return std::max(allowed, std::size_t{largest} + 1);
  }

  /// Whether the node moved.
  template <bool weighted>
  bool visit(NodeId i) {
    links_.gather<weighted>(graph_, labels_, i, [](NodeId) { return true; });
    const NodeId own = labels_[i];
    const double mass = graph_.mass[i];
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
    if (--members_[own] == 0 && own < allowed_) empty_.push_back(own);
    ++members_[target];
    mass_[own] -= mass;
    mass_[target] += mass;
    labels_[i] = target;
    return true;
  }

  const WeightedGraph& graph_;
  Assignment& labels_;
  double factor_;
  std::size_t allowed_;  // labels that may be given; others are set aside
  std::vector<NodeId> queue_;
  std::size_t waiting_;  // at first
  std::vector<std::uint8_t> waits_;
  Links links_;
  std::vector<double> mass_;
  std::vector<NodeId> members_;
  std::vector<NodeId> empty_;  // labels that nobody has
};

/// Parts of clusters that grow.
struct Parts {
  Assignment labels;  // a part is named by one of its nodes
  std::vector<double> mass;
  std::vector<std::uint8_t> alone;

  explicit Parts(const WeightedGraph& graph)
      : labels(graph.size()), mass(graph.mass), alone(graph.size(), 1) {
    std::iota(labels.begin(), labels.end(), NodeId{0});
  }
};

/// Nodes that are alone join the part of their cluster that gains most.
template <bool weighted>
void refine_nodes(const WeightedGraph& graph, const Assignment& labels, double resolution,
                  std::span<const NodeId> nodes, Links& links, Parts& parts) {
  const double factor = resolution / graph.total;
  for (const NodeId i : nodes) {
    if (parts.alone[i] == 0) continue;
    links.gather<weighted>(graph, parts.labels, i,
                           [&](NodeId j) { return labels[j] == labels[i]; });
    double best = least_gain * graph.mass[i];
    NodeId target = i;
    for (const NodeId c : links.touched()) {
      if (c == i) continue;
      const double gain = links.to(c) - factor * graph.mass[i] * parts.mass[c];
      if (gain > best) {
        best = gain;
        target = c;
      }
    }
    if (target == i) continue;
    parts.labels[i] = target;
    parts.mass[target] += graph.mass[i];
    parts.mass[i] -= graph.mass[i];
    parts.alone[target] = 0;
  }
}

/// Clusters never see each other, so those of a large graph are refined side by side; each in the
/// order in which all would be.
template <bool weighted>
Assignment refine_rows(const WeightedGraph& graph, const Assignment& labels,
                       const MoveRules& rules) {
  Parts parts(graph);
  const std::vector<NodeId> order = random_order(graph.size(), rules.seed);
  if (graph.size() < large) {
    Links links(graph.size());
    refine_nodes<weighted>(graph, labels, rules.resolution, order, links, parts);
  } else {
    const std::size_t count = 1 + std::size_t{*std::max_element(labels.begin(), labels.end())};
    std::vector<std::size_t> first(count + 1, 0);
    for (const NodeId label : labels) ++first[label + std::size_t{1}];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    std::vector<NodeId> nodes(order.size());
    for (const NodeId i : order) nodes[next[labels[i]]++] = i;
    std::vector<Links> links(std::max(rules.threads, 1), Links(graph.size()));
    parallel_for(static_cast<Index>(count), rules.threads, [&](Index cluster, int worker) {
      const std::size_t c = cluster;
      refine_nodes<weighted>(graph, labels, rules.resolution,
                             std::span(nodes).subspan(first[c], first[c + 1] - first[c]),
                             links[worker], parts);
    });
  }
  compact(parts.labels);
  return std::move(parts.labels);
}

}  // namespace

bool local_moves(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules) {
  return local_moves(graph, labels, rules, random_order(graph.size(), rules.seed));
}

bool local_moves(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
                 std::vector<NodeId> nodes) {
  Mover mover(graph, labels, rules, std::move(nodes));
  return graph.weights.empty() ? mover.run<false>() : mover.run<true>();
}

Assignment refine(const WeightedGraph& graph, const Assignment& labels, const MoveRules& rules) {
  return graph.weights.empty() ? refine_rows<false>(graph, labels, rules)
                               : refine_rows<true>(graph, labels, rules);
}

}  // namespace srgw::detail
