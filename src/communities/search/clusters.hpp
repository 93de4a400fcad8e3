// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "communities/search/cluster_masses.hpp"
#include "communities/search/local_moves.hpp"

namespace srgw::detail {

/// How strongly masses push apart: a mass m loses factor m M in a cluster of mass M, with several
/// layers sum_l factors_l m_l M_l.
struct Push {
  double factor;
  std::vector<double> factors;

  Push(const WeightedGraph& graph, double resolution) : factor(resolution / graph.total) {
    for (const double total : graph.layers.totals) factors.push_back(resolution / total);
  }
};

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
  Best best_cluster(NodeId node, NodeId own, const Push& push, const ClusterMasses& masses) {
    const double mass = graph_.mass[node];
    if (push.factors.empty()) {
      const double pushed = push.factor * mass;
      const std::vector<double>& all = masses.all();
      return best_by(own, mass, pushed * (all[own] - mass),
                     [&](NodeId c) { return pushed * all[c]; });
    }
    const std::size_t layers = push.factors.size();
    const double* const of_node = graph_.layers.of(node);
    pushed_.resize(layers);
    double at_home = 0;
    for (std::size_t l = 0; l < layers; ++l) {
      pushed_[l] = push.factors[l] * of_node[l];
      at_home += pushed_[l] * (masses.of_layers(own)[l] - of_node[l]);
    }
    return best_by(own, mass, at_home, [&](NodeId c) {
      const double* const there = masses.of_layers(c);
      double sum = 0;
      for (std::size_t l = 0; l < layers; ++l) sum += pushed_[l] * there[l];
      return sum;
    });
  }

 private:
  template <class Loss>
  Best best_by(NodeId own, double mass, double at_home, const Loss& loss) {
    Best best{own, static_cast<double>(sums_[own]) - at_home + least_gain * mass};
    for (std::size_t t = 0; t < count_; ++t) {
      const NodeId c = touched_[t];
      const double gain = static_cast<double>(sums_[c]) - loss(c);
      if (gain > best.gain && c != own) best = {c, gain};
    }
    for (std::size_t t = 0; t < count_; ++t) sums_[touched_[t]] = 0;
    return best;
  }

  const WeightedGraph& graph_;
  std::vector<Weight> sums_;  // zero between nodes
  std::vector<NodeId> touched_;
  std::size_t count_ = 0;
  std::vector<double> pushed_;  // of the node that is looked at, by layer
};

/// Clusters between which nodes move.
class Clusters {
 public:
  /// An empty cluster, whichever is next.
  static constexpr NodeId fresh = std::numeric_limits<NodeId>::max();

  Clusters(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules)
      : graph_(graph),
        labels_(labels),
        push_(graph, rules.resolution),
        allowed_(rules.most_clusters == 0 ? graph.size() : rules.most_clusters),
        masses_(graph, labels, std::max(allowed_, label_bound(labels))),
        members_(masses_.size(), 0) {
    for (const NodeId label : labels) ++members_[label];
    for (std::size_t c = allowed_; c-- > 0;) {
      if (members_[c] == 0) empty_.push_back(static_cast<NodeId>(c));
    }
  }

  [[nodiscard]] std::size_t capacity() const { return masses_.size(); }

  /// Where a node gains most, by its links, which are used up.
  template <bool weighted>
  [[nodiscard]] NodeId choose(NodeId node, Links<weighted>& links) const {
    const NodeId own = labels_[node];
    const auto [target, gain] = links.best_cluster(node, own, push_, masses_);
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
    masses_.remove(graph_, node, own);
    masses_.add(graph_, node, target);
    labels_[node] = target;
    return true;
  }

 private:
  const WeightedGraph& graph_;
  Assignment& labels_;
  Push push_;
  std::size_t allowed_;  // labels that may be given; others are set aside
  ClusterMasses masses_;
  std::vector<NodeId> members_;
  std::vector<NodeId> empty_;  // labels without nodes
};

}  // namespace srgw::detail
