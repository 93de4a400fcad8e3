// SPDX-License-Identifier: MIT
#include "communities/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "communities/search/cluster_masses.hpp"
#include "communities/search/local_moves.hpp"
#include "communities/search/merge.hpp"
#include "communities/search/multilevel.hpp"

namespace srgw::detail {

namespace {

double nodes_behind(const std::vector<double>& nodes, std::size_t i) {
  return nodes.empty() ? 1 : nodes[i];
}

/// Clusters with their sizes, between which single nodes move.
class SizedClusters {
 public:
  SizedClusters(const WeightedGraph& graph, const std::vector<double>& nodes,
                const SizeLimits& limits, Assignment& labels)
      : graph_(graph),
        nodes_(nodes),
        limits_(limits),
        labels_(labels),
        count_(compact(labels)),
        masses_(graph, labels, count_),
        size_(count_, 0),
        anchored_(count_, 0),
        sums_(count_, 0) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      size_[labels[i]] += nodes_behind(nodes, i);
    }
    for (std::size_t a = 0; a < graph.anchors; ++a) anchored_[labels[a]] = 1;
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double size(std::size_t cluster) const { return size_[cluster]; }
  [[nodiscard]] bool is_anchored(std::size_t cluster) const { return anchored_[cluster] != 0; }
  [[nodiscard]] bool has_room(std::size_t cluster) const {
    return size_[cluster] > 0 && size_[cluster] < static_cast<double>(limits_.largest);
  }
  [[nodiscard]] bool can_spare(std::size_t cluster) const {
    return size_[cluster] > static_cast<double>(limits_.smallest);
  }
  [[nodiscard]] double room_outside(std::size_t cluster) const {
    double room = 0;
    for (std::size_t c = 0; c < count_; ++c) {
      if (c == cluster || size_[c] == 0) continue;
      room += std::max(0.0, static_cast<double>(limits_.largest) - size_[c]);
    }
    return room;
  }

  void move(NodeId node, NodeId target) {
    const NodeId own = labels_[node];
    masses_.remove(graph_, node, own);
    masses_.add(graph_, node, target);
    size_[own] -= nodes_behind(nodes_, node);
    size_[target] += nodes_behind(nodes_, node);
    labels_[node] = target;
    if (!members_.empty()) members_[target].push_back(node);
  }

  /// Moves single nodes while that gains and sizes stay within the limits.
  void polish() {
    constexpr int most_sweeps = 10;
    StopCounter stop;
    const std::vector<NodeId> order = random_order(graph_.size(), limits_.seed, 1);
    bool moved = true;
    for (int sweep = 0; moved && sweep < most_sweeps; ++sweep) {
      moved = false;
      for (const NodeId i : order) {
        stop.throw_if_stopped();
        const NodeId own = labels_[i];
        if (i < graph_.anchors || (size_[own] != 1 && !can_spare(own))) continue;
        gather(i);
        NodeId best = own;
        double most = gain(i, own) + least_gain * graph_.mass[i];
        for (const NodeId c : touched_) {
          if (c == own || !has_room(c) || gain(i, c) <= most) continue;
          best = c;
          most = gain(i, c);
        }
        forget();
        if (best == own) continue;
        move(i, best);
        moved = true;
      }
    }
  }

  /// The nodes of a cluster go where they gain most and there is room, the cluster vanishes.
  void dissolve(NodeId cluster) {
    StopCounter stop;
    if (members_.empty()) {
      members_.resize(count_);
      for (std::size_t i = 0; i < graph_.size(); ++i) {
        members_[labels_[i]].push_back(static_cast<NodeId>(i));
      }
    }
    std::vector<NodeId> nodes = std::exchange(members_[cluster], {});
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const NodeId i : nodes) {
      stop.throw_if_stopped();
      if (labels_[i] != cluster) continue;
      gather(i);
      std::optional<NodeId> best;
      const auto consider = [&](NodeId c) {
        if (c == cluster || !has_room(c)) return;
        if (!best || gain(i, c) > gain(i, *best)) best = c;
      };
      for (const NodeId c : touched_) consider(c);
      if (!best) {  // none of its neighbours has room: any cluster will do
        for (std::size_t c = 0; c < count_; ++c) consider(static_cast<NodeId>(c));
      }
      forget();
      if (best) {
        move(i, *best);
      } else {
        members_[cluster].push_back(i);
      }
    }
  }

  /// A cluster takes nodes from others until it has `smallest`: those that lose least. Returns
  /// whether it could.
  bool feed(NodeId cluster) {
    while (size_[cluster] < static_cast<double>(limits_.smallest)) {
      throw_if_stopped();
      std::optional<NodeId> best;
      double most = 0;
      const auto consider = [&](NodeId i) {
        if (i < graph_.anchors || labels_[i] == cluster || !can_spare(labels_[i])) return;
        gather(i);
        const double gained = gain(i, cluster) - gain(i, labels_[i]);
        forget();
        if (best && gained <= most) return;
        best = i;
        most = gained;
      };
      for (std::size_t i = 0; i < graph_.size(); ++i) {
        if (labels_[i] != cluster) continue;
        for (std::uint64_t e = graph_.begin(i); e < graph_.end(i); ++e) consider(graph_.columns[e]);
      }
      for (std::size_t i = 0; !best && i < graph_.size(); ++i) consider(static_cast<NodeId>(i));
      if (!best) return false;
      move(*best, cluster);
    }
    return true;
  }

 private:
  void gather(NodeId node) {
    for (std::uint64_t e = graph_.begin(node); e < graph_.end(node); ++e) {
      const NodeId c = labels_[graph_.columns[e]];
      if (sums_[c] == 0) touched_.push_back(c);
      sums_[c] += graph_.weight(e);
    }
  }
  void forget() {
    for (const NodeId c : touched_) sums_[c] = 0;
    touched_.clear();
  }
  [[nodiscard]] double gain(NodeId node, NodeId cluster) const {
    return sums_[cluster] -
           masses_.expected(limits_.resolution, graph_, node, cluster, labels_[node] == cluster);
  }

  const WeightedGraph& graph_;
  const std::vector<double>& nodes_;
  const SizeLimits& limits_;
  Assignment& labels_;
  std::size_t count_;
  ClusterMasses masses_;
  std::vector<double> size_;
  std::vector<std::uint8_t> anchored_;
  std::vector<double> sums_;  // weights from a node to clusters; zero between nodes
  std::vector<NodeId> touched_;
  std::vector<std::vector<NodeId>>
      members_;  // of clusters, and nodes that left them; made by dissolve()
};

/// Cuts nodes into runs of at most `largest`, about as many in each, in the order of a walk that
/// goes from neighbours to neighbours.
Assignment cut_along_walk(const WeightedGraph& part, const std::vector<double>& nodes,
                          std::size_t largest) {
  const double all = nodes.empty() ? static_cast<double>(part.size())
                                   : std::accumulate(nodes.begin(), nodes.end(), 0.0);
  const double runs = std::ceil(all / static_cast<double>(largest));
  const double limit = std::ceil(all / std::max(runs, 1.0));
  std::vector<NodeId> order;
  std::vector<std::uint8_t> seen(part.size(), 0);
  std::size_t head = 0;
  for (std::size_t start = 0; start < part.size(); ++start) {
    if (seen[start] != 0) continue;
    seen[start] = 1;
    order.push_back(static_cast<NodeId>(start));
    for (; head < order.size(); ++head) {
      const NodeId i = order[head];
      for (std::uint64_t e = part.begin(i); e < part.end(i); ++e) {
        const NodeId j = part.columns[e];
        if (seen[j] != 0) continue;
        seen[j] = 1;
        order.push_back(j);
      }
    }
  }
  Assignment labels(part.size());
  NodeId run = 0;
  double filled = 0;
  for (const NodeId i : order) {
    if (filled > 0 && filled + nodes_behind(nodes, i) > limit) {
      ++run;
      filled = 0;
    }
    labels[i] = run;
    filled += nodes_behind(nodes, i);
  }
  return labels;
}

/// The parts of one cluster.
class Splitter {
 public:
  Splitter(const WeightedGraph& whole, const SizeLimits& limits) : whole_(whole), limits_(limits) {}

  /// Labels of the nodes of a part, all of whose clusters fit.
  [[nodiscard]] Assignment split(const WeightedGraph& part,
                                 const std::vector<double>& nodes) const {
    Assignment labels = split_deeply(part, nodes, 0);
    WeightedGraph measured = part;  // gains are those in the whole graph
    measured.total = whole_.total;
    measured.layers.totals = whole_.layers.totals;
    merge_within(
        measured, labels, nodes,
        {.largest = static_cast<double>(limits_.largest), .resolution = limits_.resolution});
    return labels;
  }

 private:
  [[nodiscard]] Assignment split_deeply(const WeightedGraph& part, const std::vector<double>& nodes,
                                        int depth) const {
    constexpr int most_depth = 20;
    constexpr double highest = 60, raise = 1.5;
    Assignment labels;
    std::size_t count = 1;
    for (double resolution = 1; limits_.searches && depth < most_depth && count == 1 &&
                                resolution < highest && part.total > 0;
         resolution *= raise) {
      Clustering found = multilevel(
          part, {.resolution = resolution, .seed = limits_.seed, .v_cycles = 1, .patience = 1});
      labels = std::move(found.labels);
      count = compact(labels);
    }
    if (count == 1) return cut_along_walk(part, nodes, limits_.largest);
    const Members members(labels, count);
    auto next = static_cast<NodeId>(count);
    for (std::size_t c = 0; c < count; ++c) {
      const auto own = members.of(c);
      const std::vector<NodeId> some(own.begin(), own.end());
      std::vector<double> behind;
      double size = 0;
      for (const NodeId i : some) {
        behind.push_back(nodes_behind(nodes, i));
        size += behind.back();
      }
      if (size <= static_cast<double>(limits_.largest)) continue;
      const Assignment inside = split_deeply(induced(part, some), behind, depth + 1);
      NodeId last = 0;
      for (std::size_t k = 0; k < some.size(); ++k) {
        last = std::max(last, inside[k]);
        if (inside[k] > 0) labels[some[k]] = next + inside[k] - 1;
      }
      next += last;
    }
    return labels;
  }

  const WeightedGraph& whole_;
  const SizeLimits& limits_;
};

/// Merges what fits, then dissolves the smallest clusters, until there are not too many.
void reduce_number(const WeightedGraph& graph, const std::vector<double>& nodes,
                   const SizeLimits& limits, Assignment& labels) {
  if (limits.most_clusters == 0 || compact(labels) <= limits.most_clusters) return;
  std::size_t count = merge_within(graph, labels, nodes,
                                   {.largest = static_cast<double>(limits.largest),
                                    .most = limits.most_clusters,
                                    .resolution = limits.resolution,
                                    .gains = false});
  if (count <= limits.most_clusters) return;
  SizedClusters clusters(graph, nodes, limits, labels);
  std::vector<NodeId> order(clusters.count());
  std::iota(order.begin(), order.end(), NodeId{0});
  std::ranges::stable_sort(order, {}, [&](NodeId c) { return clusters.size(c); });
  for (const NodeId c : order) {
    if (count <= limits.most_clusters) break;
    if (clusters.is_anchored(c)) continue;
    clusters.dissolve(c);
    --count;
  }
  compact(labels);
}

}  // namespace

bool limit_largest(const WeightedGraph& graph, const std::vector<double>& nodes,
                   const SizeLimits& limits, Assignment& labels) {
  const std::size_t count = compact(labels);
  std::vector<double> sizes(count, 0);
  for (std::size_t i = 0; i < labels.size(); ++i) sizes[labels[i]] += nodes_behind(nodes, i);
  std::vector<std::size_t> large;
  for (std::size_t c = 0; c < count; ++c) {
    if (sizes[c] > static_cast<double>(limits.largest)) large.push_back(c);
  }
  if (large.empty()) return false;
  const Members members(labels, count);
  std::vector<Assignment> parts(large.size());
  parallel_for(std::ssize(large), limits.threads, [&](Index k, int) {
    const auto own = members.of(large[k]);
    const std::vector<NodeId> some(own.begin(), own.end());
    std::vector<double> behind;
    behind.reserve(some.size());
    for (const NodeId i : some) behind.push_back(nodes_behind(nodes, i));
    parts[k] = Splitter(graph, limits).split(induced(graph, some), behind);
  });
  auto next = static_cast<NodeId>(count);
  for (std::size_t k = 0; k < large.size(); ++k) {
    const auto own = members.of(large[k]);
    const auto many = static_cast<NodeId>(compact(parts[k]));
    for (std::size_t j = 0; j < own.size(); ++j) {
      if (parts[k][j] > 0) labels[own[j]] = next + parts[k][j] - 1;
    }
    next += many - 1;
  }
  reduce_number(graph, nodes, limits, labels);
  SizeLimits free = limits;
  free.smallest = 1;
  if (limits.polishes) SizedClusters(graph, nodes, free, labels).polish();
  compact(labels);
  return true;
}

bool limit_smallest(const WeightedGraph& graph, const std::vector<double>& nodes,
                    const SizeLimits& limits, Assignment& labels) {
  const auto smallest = static_cast<double>(limits.smallest);
  {
    const SizedClusters clusters(graph, nodes, limits, labels);
    bool fits = true;
    for (std::size_t c = 0; c < clusters.count(); ++c) fits = fits && clusters.size(c) >= smallest;
    if (fits) return false;
  }
  merge_within(graph, labels, nodes,
               {.smallest = smallest,
                .largest = static_cast<double>(limits.largest),
                .resolution = limits.resolution,
                .gains = false});
  SizedClusters clusters(graph, nodes, limits, labels);
  std::vector<NodeId> order(clusters.count());
  std::iota(order.begin(), order.end(), NodeId{0});
  std::ranges::stable_sort(order, {}, [&](NodeId c) { return clusters.size(c); });
  for (const NodeId c : order) {
    if (clusters.size(c) >= smallest) continue;
    if (!clusters.is_anchored(c) && clusters.room_outside(c) >= clusters.size(c)) {
      clusters.dissolve(c);
    } else if (!clusters.feed(c)) {
      fail_argument(
          "min-size {} cannot be reached: a cluster has {} nodes, and no other has any to spare; "
          "expected a smaller minimum, a larger maximum size or fewer fixed labels",
          limits.smallest, clusters.size(c));
    }
  }
  if (limits.polishes) clusters.polish();
  compact(labels);
  return true;
}

}  // namespace srgw::detail
