// SPDX-License-Identifier: MIT
#include "communities/search/merge.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <utility>

#include "base/stop.hpp"
#include "communities/search/cluster_masses.hpp"
#include "communities/search/shared_sums.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t many_links = 1000;

/// The clusters as a graph whose nodes are merged. A merge changes the scores of all pairs of the
/// new cluster, which are offered again: for a cluster with many links only once its mass has grown
/// by a sixteenth since the last time, otherwise a star would take quadratic time.
class Quotient {
 public:
  Quotient(const WeightedGraph& clusters, double resolution, Linkage linkage,
           std::optional<double> aside = {}, std::size_t most = 1, std::vector<double> nodes = {},
           double largest = 0)
      : masses_(clusters),
        inside_(clusters.inside),
        links_(clusters.size()),
        into_(clusters.size()),
        version_(clusters.size(), 0),
        offered_mass_(clusters.mass),
        total_(clusters.total),
        resolution_(resolution),
        linkage_(linkage),
        aside_mass_(aside),
        average_(clusters.total / static_cast<double>(most)),
        left_(clusters.size()),
        nodes_(std::move(nodes)),
        largest_(largest),
        limited_(clusters.anchors > 0 || !nodes_.empty()),
        anchored_(limited_ ? clusters.size() : 0, 0) {
    std::iota(into_.begin(), into_.end(), NodeId{0});
    std::fill_n(anchored_.begin(), clusters.anchors, std::uint8_t{1});
    StopCounter stop;
    for (std::size_t a = 0; a < clusters.size(); ++a) {
      stop.throw_if_stopped();
      for (std::uint64_t e = clusters.begin(a); e < clusters.end(a); ++e) {
        links_[a].emplace(clusters.columns[e], clusters.weight(e));
        if (a < clusters.columns[e]) offer(static_cast<NodeId>(a), clusters.columns[e]);
      }
      if (links_[a].empty()) offer_aside(static_cast<NodeId>(a));
    }
  }

  /// One cluster less.
  void step() {
    const bool can_merge = linked();
    while (!lone_.empty() && version_[lone_.top().a] != lone_.top().version_a) lone_.pop();
    const bool can_leave = !lone_.empty();
    if (can_leave && (!can_merge || loss_aside(lone_.top().a) < loss(pairs_.top()))) {
      const NodeId a = lone_.top().a;
      ++version_[a];
      aside_.push_back(a);
      if (aside_mass_) *aside_mass_ += masses_[a];
    } else {
      merge_best();
      return;
    }
    --left_;
  }

  /// Whether the best linked pair gains by a merge.
  [[nodiscard]] bool gains() {
    const auto best_gains = [&] { return linked() && gain(pairs_.top().a, pairs_.top().b) > 0; };
    if (best_gains()) return true;
    if (behind_.empty()) return false;
    for (const NodeId a : std::exchange(behind_, {})) {
      if (into_[a] == a && masses_[a] > offered_mass_[a]) offer_all(a);
    }
    return best_gains();
  }
  /// Whether a linked pair is left.
  [[nodiscard]] bool linked() {
    while (!pairs_.empty() && (stale(pairs_.top()) || !may_merge(pairs_.top().a, pairs_.top().b))) {
      pairs_.pop();
    }
    return !pairs_.empty();
  }
  /// Merges each cluster of fewer than `smallest` nodes into the linked cluster that gains most,
  /// the smallest cluster first. Some may be left that fit nowhere.
  void merge_small(double smallest) {
    using Small = std::pair<double, NodeId>;
    std::priority_queue<Small, std::vector<Small>, std::greater<>> small;
    const auto push = [&](NodeId a) {
      if (nodes_[a] < smallest) small.emplace(nodes_[a], a);
    };
    for (std::size_t a = 0; a < into_.size(); ++a) {
      if (into_[a] == a) push(static_cast<NodeId>(a));
    }
    while (!small.empty()) {
      stop_.throw_if_stopped();
      const auto [nodes, a] = small.top();
      small.pop();
      if (into_[a] != a || nodes_[a] != nodes) continue;
      NodeId best = a;
      for (const auto& [c, weight] : links_[a]) {
        if (!may_merge(a, c)) continue;
        const double more = best == a ? 1 : gain(a, c) - gain(a, best);
        if (more > 0 || (more == 0 && c < best)) best = c;
      }
      if (best == a) continue;
      merge(a, best);
      --left_;
      push(root(a));
    }
  }
  void merge_best() {
    stop_.throw_if_stopped();
    const Pair pair = pairs_.top();
    merge(pair.a, pair.b);
    --left_;
  }

  [[nodiscard]] std::size_t left() const { return left_; }
  [[nodiscard]] const std::vector<NodeId>& aside() const { return aside_; }
  [[nodiscard]] NodeId root(NodeId a) {
    while (into_[a] != a) a = into_[a] = into_[into_[a]];  // halves the way for the next who asks
    return a;
  }

 private:
  struct Pair {
    double score;
    NodeId a, b;
    std::uint32_t version_a, version_b;
    // Equal scores: the pair that was named first, whatever the heap does.
    bool operator<(const Pair& other) const {
      if (score != other.score) return score < other.score;
      return a != other.a ? a > other.a : b > other.b;
    }
  };

  [[nodiscard]] double gain(NodeId a, NodeId b) const {
    return links_[a].at(b) - masses_.expected(resolution_, a, b);
  }
  [[nodiscard]] double loss(const Pair& pair) const { return -2 * gain(pair.a, pair.b); }
  [[nodiscard]] bool joins_others(NodeId a) const { return aside_mass_ && masses_[a] < average_; }
  [[nodiscard]] double loss_aside(NodeId a) const {
    if (joins_others(a)) return 2 * resolution_ * masses_[a] * *aside_mass_ / total_;
    return inside_[a] - masses_.expected(resolution_, a, a);
  }
  [[nodiscard]] bool stale(const Pair& pair) const {
    return version_[pair.a] != pair.version_a || version_[pair.b] != pair.version_b;
  }

  [[nodiscard]] bool may_merge(NodeId a, NodeId b) const {
    if (!limited_) return true;
    if (anchored_[a] != 0 && anchored_[b] != 0) return false;
    return nodes_.empty() || nodes_[a] + nodes_[b] <= largest_;
  }

  void offer(NodeId a, NodeId b) {
    if (!may_merge(a, b)) return;
    const double score = linkage_ == Linkage::quality ? gain(a, b)
                         : masses_.has_layers()
                             ? links_[a].at(b) / masses_.expected(1, a, b)
                             : links_[a].at(b) * total_ / (masses_[a] * masses_[b]);
    pairs_.push({score, std::min(a, b), std::max(a, b), version_[std::min(a, b)],
                 version_[std::max(a, b)]});
  }
  void offer_aside(NodeId a) {
    if (limited_ && anchored_[a] != 0) return;
    // Those that join others first, the lightest of them first, whatever others there will be.
    const double score = joins_others(a) ? -masses_[a] : -total_ - loss_aside(a);
    lone_.push({score, a, a, version_[a], version_[a]});
  }

  void merge(NodeId a, NodeId b) {
    if (links_[a].size() < links_[b].size()) std::swap(a, b);
    inside_[a] += inside_[b] + 2 * links_[a].at(b);
    masses_.add_cluster(b, a);
    links_[a].erase(b);
    if (limited_) {
      anchored_[a] |= anchored_[b];
      if (!nodes_.empty()) nodes_[a] += nodes_[b];
    }
    into_[b] = a;
    ++version_[b];
    const bool waits = links_[a].size() > many_links && masses_[a] < 17.0 / 16 * offered_mass_[a];
    for (const auto& [c, weight] : links_[b]) {
      if (c == a) continue;
      links_[c].erase(b);
      links_[c][a] += weight;
      links_[a][c] += weight;
      if (waits) offer(a, c);
    }
    std::unordered_map<NodeId, double>().swap(links_[b]);
    if (waits) {
      behind_.push_back(a);
    } else {
      offer_all(a);
    }
    if (links_[a].empty()) offer_aside(a);
  }

  void offer_all(NodeId a) {
    ++version_[a];
    offered_mass_[a] = masses_[a];
    for (const auto& [c, weight] : links_[a]) offer(a, c);
  }

  ClusterMasses masses_;
  std::vector<double> inside_;
  std::vector<std::unordered_map<NodeId, double>> links_;
  std::vector<NodeId> into_;
  std::vector<std::uint32_t> version_;
  std::vector<double> offered_mass_;  // when all pairs were offered last
  std::vector<NodeId> behind_;        // clusters that have grown since
  double total_, resolution_;
  Linkage linkage_;
  std::optional<double> aside_mass_;
  double average_;  // mass of a cluster
  std::size_t left_;
  std::vector<double> nodes_;  // of each cluster; empty: clusters of any size are fine
  double largest_;             // nodes of a cluster
  bool limited_;               // some pairs may not be merged
  std::vector<std::uint8_t> anchored_;
  std::priority_queue<Pair> pairs_, lone_;
  std::vector<NodeId> aside_;
  StopCounter stop_;
};

}  // namespace

std::size_t merge_down(const WeightedGraph& graph, Assignment& labels, std::size_t most,
                       double resolution, Linkage linkage, std::optional<double> aside) {
  const std::size_t count = compact(labels);
  if (count <= most) return count;
  Quotient quotient(contract(graph, labels, count), resolution, linkage, aside, most);
  while (quotient.left() > most) quotient.step();
  constexpr NodeId unnamed = ~NodeId{0};
  Assignment names(count, unnamed);
  auto next_aside = static_cast<NodeId>(most);
  for (const NodeId a : quotient.aside()) names[a] = next_aside++;
  NodeId next = 0;
  for (std::size_t c = 0; c < count; ++c) {
    NodeId& name = names[quotient.root(static_cast<NodeId>(c))];
    if (name == unnamed) name = next++;
  }
  for (NodeId& label : labels) label = names[quotient.root(label)];
  return next;
}

std::size_t merge_while_gaining(const WeightedGraph& graph, Assignment& labels, std::size_t count,
                                const MergeRules& rules) {
  count = compact(graph, labels, count);
  Quotient clusters(quotient(graph, labels, count, rules.threads), rules.resolution,
                    Linkage::quality);
  const auto too_many = [&] { return rules.most != 0 && clusters.left() > rules.most; };
  while ((too_many() && clusters.linked()) || clusters.gains()) clusters.merge_best();
  for (NodeId& label : labels) label = clusters.root(label);
  return compact(graph, labels, count);
}

std::size_t merge_within(const WeightedGraph& graph, Assignment& labels,
                         const std::vector<double>& nodes, const SizeRules& rules) {
  const std::size_t count = compact(labels);
  std::vector<double> sizes(count, 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sizes[labels[i]] += nodes.empty() ? 1 : nodes[i];
  }
  Quotient clusters(contract(graph, labels, count), rules.resolution, Linkage::quality, {}, 1,
                    std::move(sizes), rules.largest);
  const auto too_many = [&] { return rules.most != 0 && clusters.left() > rules.most; };
  while ((too_many() && clusters.linked()) || (rules.gains && clusters.gains())) {
    clusters.merge_best();
  }
  clusters.merge_small(rules.smallest);
  for (NodeId& label : labels) label = clusters.root(label);
  return compact(labels);
}

}  // namespace srgw::detail
