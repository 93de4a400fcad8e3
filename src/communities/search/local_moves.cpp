// SPDX-License-Identifier: MIT
#include "communities/search/local_moves.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/sampling.hpp"
#include "base/stop.hpp"
#include "communities/search/clusters.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t large = std::size_t{1} << 16U;  // nodes

/// Of a large graph runs are visited: otherwise memory is all that is waited for.
std::vector<NodeId> order_of(const WeightedGraph& graph, std::uint64_t seed) {
  return random_order(graph.size(), seed, graph.size() < large ? 1 : 64);
}

void remove_anchors(const WeightedGraph& graph, std::vector<NodeId>& nodes) {
  if (graph.anchors > 0) std::erase_if(nodes, [&](NodeId i) { return i < graph.anchors; });
}

template <bool weighted>
bool move_from_queue(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
                     std::vector<NodeId> queue) {
  remove_anchors(graph, queue);
  Clusters clusters(graph, labels, rules);
  Links<weighted> links(graph, clusters.capacity());
  bool moved = false;
  // The queue is a ring: each node is in it at most once.
  const std::size_t size = graph.size();
  std::size_t head = 0, waiting = queue.size();
  std::vector<std::uint8_t> waits(size, 0);
  for (const NodeId i : queue) waits[i] = 1;
  // Anchors are never visited: they seem to wait already.
  std::fill_n(waits.begin(), graph.anchors, std::uint8_t{1});
  queue.resize(size);
  StopCounter stop;
  while (waiting > 0) {
    stop.throw_if_stopped();
    const NodeId i = queue[head];
    head = head + 1 == size ? 0 : head + 1;
    --waiting;
    waits[i] = 0;
    links.gather(i, [&](NodeId j) { return labels[j]; });
    if (!clusters.move(i, clusters.choose(i, links))) continue;
    moved = true;
    for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
      const NodeId j = graph.columns[e];
      if (waits[j] != 0 || labels[j] == labels[i]) continue;
      waits[j] = 1;
      const std::size_t tail = head + waiting;
      queue[tail < size ? tail : tail - size] = j;
      ++waiting;
    }
  }
  return moved;
}

/// Parts of clusters that grow.
struct Parts {
  Assignment labels;  // a part is named by one of its nodes
  ClusterMasses masses;
  std::vector<std::uint8_t> alone;

  explicit Parts(const WeightedGraph& graph)
      : labels(graph.size()), masses(graph), alone(graph.size(), 1) {
    std::iota(labels.begin(), labels.end(), NodeId{0});
  }
};

/// Nodes that are alone join the part of their cluster that gains most.
template <bool weighted>
void refine_nodes(const WeightedGraph& graph, const Assignment& labels, double resolution,
                  std::span<const NodeId> nodes, Links<weighted>& links, Parts& parts) {
  const Push push(graph, resolution);
  StopCounter stop;
  for (const NodeId i : nodes) {
    stop.throw_if_stopped();
    if (parts.alone[i] == 0) continue;
    links.gather(
        i, [&](NodeId j) { return parts.labels[j]; },
        [&](NodeId j) { return labels[j] == labels[i]; });
    const NodeId target = links.best_cluster(i, i, push, parts.masses).cluster;
    if (target == i) continue;
    parts.labels[i] = target;
    parts.masses.add(graph, i, target);
    parts.masses.remove(graph, i, i);
    parts.alone[target] = 0;
  }
}

/// Clusters never see each other, so those of a large graph are refined side by side; each in the
/// order in which all would be.
template <bool weighted>
Assignment refine_rows(const WeightedGraph& graph, const Assignment& labels,
                       const MoveRules& rules) {
  Parts parts(graph);
  const std::vector<NodeId> order = order_of(graph, rules.seed);
  if (graph.size() < large) {
    Links<weighted> links(graph, graph.size());
    refine_nodes(graph, labels, rules.resolution, order, links, parts);
  } else {
    const std::size_t count = label_bound(labels);
    const Members members(labels, count, order);
    std::vector<Links<weighted>> links(std::max(rules.threads, 1),
                                       Links<weighted>(graph, graph.size()));
    parallel_for(static_cast<Index>(count), rules.threads, [&](Index cluster, int worker) {
      refine_nodes(graph, labels, rules.resolution, members.of(cluster), links[worker], parts);
    });
  }
  compact(parts.labels);
  return std::move(parts.labels);
}

}  // namespace

std::vector<NodeId> random_order(std::size_t size, std::uint64_t seed, std::size_t run) {
  std::vector<NodeId> runs((size + run - 1) / run);
  std::iota(runs.begin(), runs.end(), NodeId{0});
  Random random(seed, 0);
  shuffle(runs, random);
  std::vector<NodeId> order;
  order.reserve(size);
  for (const NodeId r : runs) {
    const std::size_t end = std::min(size, (r + std::size_t{1}) * run);
    for (std::size_t i = r * run; i < end; ++i) order.push_back(static_cast<NodeId>(i));
  }
  return order;
}

bool local_moves(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules) {
  return local_moves(graph, labels, rules, order_of(graph, rules.seed));
}

bool local_moves(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
                 std::vector<NodeId> nodes) {
  return graph.weights.empty() ? move_from_queue<false>(graph, labels, rules, std::move(nodes))
                               : move_from_queue<true>(graph, labels, rules, std::move(nodes));
}

Assignment refine(const WeightedGraph& graph, const Assignment& labels, const MoveRules& rules) {
  if (graph.anchors > 0) {
    // Anchors stay alone, so that sub-clusters can leave the cluster of their anchor.
    Assignment apart = labels;
    const std::size_t bound = label_bound(labels);
    for (std::size_t a = 0; a < graph.anchors; ++a) apart[a] = static_cast<NodeId>(bound + a);
    return graph.weights.empty() ? refine_rows<false>(graph, apart, rules)
                                 : refine_rows<true>(graph, apart, rules);
  }
  return graph.weights.empty() ? refine_rows<false>(graph, labels, rules)
                               : refine_rows<true>(graph, labels, rules);
}

}  // namespace srgw::detail
