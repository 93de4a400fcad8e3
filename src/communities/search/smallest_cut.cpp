// SPDX-License-Identifier: MIT
#include "communities/search/smallest_cut.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "base/stop.hpp"
#include "base/union_find.hpp"
#include "communities/search/cluster_graphs.hpp"

namespace srgw::detail {

namespace {

std::vector<double> weights_of_nodes(const WeightedGraph& graph) {
  std::vector<double> sums(graph.size(), 0);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) sums[i] += graph.weight(e);
  }
  return sums;
}

/// The search on a graph that is contracted again and again.
class CutSearch {
 public:
  explicit CutSearch(const WeightedGraph& graph) : graph_(graph), group_of_(graph.size()) {
    std::iota(group_of_.begin(), group_of_.end(), NodeId{0});
  }

  Cut find(std::size_t most_entries) {
    const std::size_t limit = std::max(most_entries, 50 * graph_.columns.size());
    WeightedGraph contracted = graph_;
    cut_around_a_node(contracted);
    // No cut of a connected graph is smaller than one edge.
    const bool unweighted = graph_.weights.empty();
    std::size_t looked_at = 0;
    bool exact = true;
    while (contracted.size() > 1 && !(unweighted && best_ <= 1)) {
      throw_if_stopped();
      looked_at += contracted.columns.size() + contracted.size();
      if (looked_at > limit) {
        exact = false;
        break;
      }
      Assignment groups = scan(contracted);
      const std::size_t count = compact(groups);
      group_of_ = lift(group_of_, groups);
      contracted = contract(contracted, groups, count);
      if (count > 1) cut_around_a_node(contracted);
    }
    return finish(exact);
  }

 private:
  void cut_around_a_node(const WeightedGraph& contracted) {
    degrees_ = weights_of_nodes(contracted);
    const auto least = std::ranges::min_element(degrees_);
    if (*least >= best_) return;
    best_ = *least;
    const auto node = static_cast<NodeId>(least - degrees_.begin());
    keep_side([&](NodeId group) { return group == node; });
  }

  template <class Inside>
  void keep_side(const Inside& is_inside) {
    side_.clear();
    for (std::size_t i = 0; i < group_of_.size(); ++i) {
      if (is_inside(group_of_[i])) side_.push_back(static_cast<NodeId>(i));
    }
  }

  /// One maximum adjacency order. Returns groups of nodes that no cut below the best one parts: at
  /// least two nodes join.
  Assignment scan(const WeightedGraph& graph) {
    const std::size_t size = graph.size();
    const double bound = best_;
    std::vector<double> attached(size, 0);  // weight to the nodes before
    std::vector<bool> done(size, false);
    std::vector<NodeId> order;
    std::priority_queue<std::pair<double, NodeId>> next;
    UnionFind groups(size);
    double cut = 0;               // between the nodes before and the rest
    std::size_t best_prefix = 0;  // of the order, if one of its cuts is the best
    StopCounter stop;
    next.emplace(0, NodeId{0});
    while (!next.empty()) {
      const NodeId node = next.top().second;
      next.pop();
      if (done[node]) continue;
      stop.throw_if_stopped();
      done[node] = true;
      order.push_back(node);
      cut += degrees_[node] - 2 * attached[node];
      // Between equal cuts the one nearer to the middle.
      if (order.size() < size &&
          (cut < best_ || (cut == best_ && best_prefix > 0 && 2 * order.size() <= size))) {
        best_ = cut;
        best_prefix = order.size();
      }
      for (std::uint64_t e = graph.begin(node); e < graph.end(node); ++e) {
        const NodeId other = graph.columns[e];
        if (done[other]) continue;
        const double before = attached[other];
        attached[other] += graph.weight(e);
        if (attached[other] >= best_) groups.join(node, other);
        if (before < bound) next.emplace(std::min(attached[other], bound), other);
      }
    }
    if (best_prefix > 0) {
      std::vector<bool> inside(size, false);
      for (std::size_t k = 0; k < best_prefix; ++k) inside[order[k]] = true;
      keep_side([&](NodeId group) { return inside[group]; });
    }
    Assignment labels(size);
    for (std::size_t i = 0; i < size; ++i) labels[i] = groups.root(static_cast<NodeId>(i));
    return labels;
  }

  /// The weight is summed anew: sums along an order are rounded.
  Cut finish(bool exact) {
    std::vector<bool> inside(graph_.size(), false);
    for (const NodeId node : side_) inside[node] = true;
    double weight = 0;
    for (const NodeId node : side_) {
      for (std::uint64_t e = graph_.begin(node); e < graph_.end(node); ++e) {
        if (!inside[graph_.columns[e]]) weight += graph_.weight(e);
      }
    }
    return {weight, std::move(side_), exact};
  }

  const WeightedGraph& graph_;
  Assignment group_of_;  ///< the contracted node of each node
  std::vector<double> degrees_;
  double best_ = std::numeric_limits<double>::infinity();
  std::vector<NodeId> side_;
};

/// A part that is still to be judged.
struct OpenPart {
  WeightedGraph graph;
  std::vector<NodeId> nodes;  ///< of the whole
};

class CutSplitter {
 public:
  CutSplitter(const WeightedGraph& graph, double least)
      : whole_(graph), least_(least), part_of_(graph.size(), 0) {}

  Assignment split() {
    std::vector<NodeId> all(whole_.size());
    std::iota(all.begin(), all.end(), NodeId{0});
    open({whole_, std::move(all)}, Assignment(whole_.size(), 0), 1);
    while (!parts_.empty()) {
      OpenPart part = std::move(parts_.back());
      parts_.pop_back();
      judge(part);
    }
    return std::move(part_of_);
  }

 private:
  /// Whether a cut of a part of so many nodes is too small.
  [[nodiscard]] bool is_small(double cut, std::size_t nodes) const {
    return cut < least_ * std::log10(static_cast<double>(nodes));
  }

  void judge(const OpenPart& part) {
    const std::size_t size = part.nodes.size();
    if (size > 1) {
      const Cut cut = smallest_cut(part.graph);
      if (is_small(cut.weight, size)) {
        Assignment sides(size, 0);
        for (const NodeId node : cut.side) sides[node] = 1;
        const bool single = std::min(cut.side.size(), size - cut.side.size()) == 1;
        const std::size_t count = single ? peel(part.graph, cut.weight, sides) : 2;
        open(part, sides, count);
        return;
      }
    }
    for (const NodeId node : part.nodes) part_of_[node] = closed_;
    ++closed_;
  }

  /// Single nodes come off together, as long as no more than the smallest cut holds them.
  [[nodiscard]] std::size_t peel(const WeightedGraph& graph, double weight,
                                 Assignment& sides) const {
    std::vector<double> degrees = weights_of_nodes(graph);
    std::fill(sides.begin(), sides.end(), 0);
    std::vector<NodeId> queue;
    const double most = weight * (1 + 1e-12);  // sums in another order
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (degrees[i] <= most) queue.push_back(static_cast<NodeId>(i));
    }
    std::size_t count = 1, left = graph.size();
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const NodeId node = queue[k];
      if (left < 2 || !is_small(degrees[node], left)) break;
      if (sides[node] != 0) continue;
      sides[node] = static_cast<NodeId>(count++);
      --left;
      for (std::uint64_t e = graph.begin(node); e < graph.end(node); ++e) {
        const NodeId other = graph.columns[e];
        if (sides[other] != 0) continue;
        const bool waits = degrees[other] <= most;
        degrees[other] -= graph.weight(e);
        if (!waits && degrees[other] <= most) queue.push_back(other);
      }
    }
    return count;
  }

  /// Opens the connected components of each side.
  void open(const OpenPart& part, const Assignment& sides, std::size_t count) {
    const Components pieces = components_inside(part.graph, sides, count);
    const std::size_t number = pieces.sizes.size();
    const ClusterGraphs graphs(part.graph, pieces.labels, number);
    for (std::size_t p = number; p-- > 0;) {
      OpenPart piece{graphs.of(p), {}};
      for (const NodeId node : graphs.nodes(p)) piece.nodes.push_back(part.nodes[node]);
      parts_.push_back(std::move(piece));
    }
  }

  const WeightedGraph& whole_;
  double least_;
  Assignment part_of_;
  NodeId closed_ = 0;
  std::vector<OpenPart> parts_;
};

}  // namespace

Cut smallest_cut(const WeightedGraph& graph, std::size_t most_entries) {
  return CutSearch(graph).find(most_entries);
}

Assignment split_along_cuts(const WeightedGraph& graph, double least) {
  return CutSplitter(graph, least).split();
}

}  // namespace srgw::detail
