// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "communities/search/local_moves.hpp"

namespace srgw::detail {

/// Weights from one node to the clusters of its neighbours.
template <bool weighted>
class Links {
 public:
  using Weight = std::conditional_t<weighted, double, std::uint32_t>;

  Links(const WeightedGraph& graph, std::size_t clusters) : graph_(graph), sums_(clusters, 0) {
    std::size_t degree = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) degree = std::max(degree, graph.degree(i));
    touched_.resize(degree + 1);
  }

  /// Adds up the weights to the neighbours j that count, by label_of(j).
  template <class LabelOf, class Counts>
  void gather(std::size_t node, const LabelOf& label_of, const Counts& counts) {
    Weight* const sums = sums_.data();
    NodeId* const touched = touched_.data();
    std::size_t count = 0;
    for (std::uint64_t e = graph_.begin(node); e < graph_.end(node); ++e) {
      const NodeId j = graph_.columns[e];
      if (!counts(j)) continue;
      const NodeId c = label_of(j);
      touched[count] = c;  // and the next overwrites it unless c is new: no branch to mispredict
      count += sums[c] == 0 ? 1 : 0;
      if constexpr (weighted) {
        sums[c] += graph_.weights[e];
      } else {
        ++sums[c];
      }
    }
    count_ = count;
  }
  template <class LabelOf>
  void gather(std::size_t node, const LabelOf& label_of) {
    gather(node, label_of, [](NodeId) { return true; });
  }

  struct Best {
    NodeId cluster;
    double gain;
  };
  /// Where a node in `own` gains most, of equals the first; to stay is worth a rounding error more.
  /// The gain is weight_ic - factor mass_i mass_c, without the node itself in c. Forgets the sums.
  Best best_cluster(NodeId own, double mass, double factor, const std::vector<double>& masses) {
    const double pull = factor * mass;
    Best best{own,
              static_cast<double>(sums_[own]) - pull * (masses[own] - mass) + least_gain * mass};
    for (std::size_t t = 0; t < count_; ++t) {
      const NodeId c = touched_[t];
      const double gain = static_cast<double>(sums_[c]) - pull * masses[c];
      if (gain > best.gain && c != own) best = {c, gain};
    }
    for (std::size_t t = 0; t < count_; ++t) sums_[touched_[t]] = 0;
    return best;
  }

 private:
  const WeightedGraph& graph_;
  std::vector<Weight> sums_;  // zero between nodes
  std::vector<NodeId> touched_;
  std::size_t count_ = 0;
};

/// Clusters between which nodes move.
class Clusters {
 public:
  /// An empty cluster, whichever is next.
  static constexpr NodeId fresh = std::numeric_limits<NodeId>::max();

  Clusters(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules)
      : graph_(graph),
        labels_(labels),
        factor_(rules.resolution / graph.total),
        allowed_(rules.most_clusters == 0 ? graph.size() : rules.most_clusters),
        mass_(std::max(allowed_, label_bound(labels)), 0),
        members_(mass_.size(), 0) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      mass_[labels[i]] += graph.mass[i];
      ++members_[labels[i]];
    }
    for (std::size_t c = allowed_; c-- > 0;) {
      if (members_[c] == 0) empty_.push_back(static_cast<NodeId>(c));
    }
  }

  [[nodiscard]] std::size_t capacity() const { return mass_.size(); }

  /// Where a node gains most, by its links, which are used up.
  template <bool weighted>
  [[nodiscard]] NodeId choose(NodeId node, Links<weighted>& links) const {
    const NodeId own = labels_[node];
    const auto [target, gain] = links.best_cluster(own, graph_.mass[node], factor_, mass_);
    return gain < 0 && !empty_.empty() && members_[own] > 1 ? fresh : target;
  }

  /// Returns whether the node moved.
  bool move(NodeId node, NodeId target) {
    const NodeId own = labels_[node];
    if (target == own) return false;
    if (target == fresh) {
      if (empty_.empty() || members_[own] == 1) return false;
      target = empty_.back();
      empty_.pop_back();
    } else if (members_[target] == 0) {
      // The nodes that were there have left meanwhile, for which this node is visited again.
      // Otherwise two single nodes would change places for ever.
      return false;
    }
    if (--members_[own] == 0 && own < allowed_) empty_.push_back(own);
    ++members_[target];
    mass_[own] -= graph_.mass[node];
    mass_[target] += graph_.mass[node];
    labels_[node] = target;
    return true;
  }

 private:
  const WeightedGraph& graph_;
  Assignment& labels_;
  double factor_;
  std::size_t allowed_;  // labels that may be given; others are set aside
  std::vector<double> mass_;
  std::vector<NodeId> members_;
  std::vector<NodeId> empty_;  // labels without nodes
};

}  // namespace srgw::detail
