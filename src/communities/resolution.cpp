// SPDX-License-Identifier: MIT
#include "communities/resolution.hpp"

#include <algorithm>
#include <cmath>

#include "base/row_blocks.hpp"
#include "communities/search/cluster_masses.hpp"

namespace srgw::detail {

namespace {

/// Weight inside each cluster (both directions), mass and nodes of each.
struct Blocks {
  std::vector<double> inside, nodes;
  ClusterMasses masses;

  Blocks(const WeightedGraph& graph, const Assignment& labels, int threads)
      : inside(label_bound(labels), 0),
        nodes(inside.size(), 0),
        masses(graph, labels, inside.size()) {
    std::vector<double> of_node(graph.size());
    for_each_row(graph.size(), threads,
                 [&](std::size_t i) { of_node[i] = graph.add_inside(0, labels, i); });
    for (std::size_t i = 0; i < graph.size(); ++i) {
      nodes[labels[i]] += 1;
      inside[labels[i]] += of_node[i];
    }
  }
};

/// The share of all weight that is expected inside of a cluster.
double expected_share(const WeightedGraph& graph, const ClusterMasses& masses, std::size_t r) {
  if (masses.has_layers()) return masses.expected(1, r, r) / graph.total;
  const double share = masses[r] / graph.total;
  return share * share;
}

/// x log(x / y), 0 at x = 0.
double relative(double x, double y) { return x > 0 ? x * std::log(x / y) : 0; }

}  // namespace

Shares shares(const WeightedGraph& graph, const Assignment& labels) {
  const Blocks blocks(graph, labels, 1);
  Shares found;
  for (std::size_t r = 0; r < blocks.nodes.size(); ++r) {
    found.inside += blocks.inside[r] / graph.total;
    found.squares += expected_share(graph, blocks.masses, r);
  }
  found.inside = std::min(found.inside, 1.0);
  return found;
}

double likely_resolution(const Shares& shares) {
  const auto [a, s] = shares;
  if (s >= 1 || a <= s) return 1;
  constexpr double least_outside = 1e-9;  // nothing between clusters would be infinitely likely
  const double x = a / s;
  const double y = std::max(1 - a, least_outside) / (1 - s);
  return (x - y) / std::log(x / y);
}

DescriptionLength description_length(const WeightedGraph& graph, const Assignment& labels,
                                     double edges, int threads) {
  const Blocks blocks(graph, labels, threads);
  const auto n = static_cast<double>(graph.size());
  double a = 0, s = 0, each = 0, used = 0;
  double names = std::lgamma(n + 1);  // log(n! / prod n_r!): which node is where
  for (std::size_t r = 0; r < blocks.nodes.size(); ++r) {
    if (blocks.nodes[r] == 0) continue;
    const double square = expected_share(graph, blocks.masses, r);
    const double share = std::min(1.0, blocks.inside[r] / graph.total);
    used += 1;
    a += share;
    s += square;
    if (square > 0) each += relative(share, square);
    names -= std::lgamma(blocks.nodes[r] + 1);
  }
  const double outside = std::max(0.0, 1 - a);
  const double between = s < 1 ? relative(outside, 1 - s) : 0;
  const double parameters = (used + 1) / 2 * std::log(n);
  const double planted = edges * (relative(std::min(a, 1.0), s) + between) - names - parameters;
  const double diagonal =
      edges * (each + between) - names - parameters - used / 2 * std::log(std::max(edges, 1.0));
  return {planted / n, diagonal / n};
}

double planted_length_of_layers(const std::vector<WeightedGraph>& layers,
                                const Assignment& labels) {
  const auto n = static_cast<double>(labels.size());
  std::vector<double> sizes(label_bound(labels), 0);
  for (const NodeId label : labels) ++sizes[label];
  double names = std::lgamma(n + 1), used = 0;
  for (const double size : sizes) {
    names -= std::lgamma(size + 1);
    used += size > 0 ? 1 : 0;
  }
  const double parameters = (used + static_cast<double>(layers.size())) / 2 * std::log(n);
  double saved = -names - parameters;
  for (const WeightedGraph& layer : layers) {
    if (!(layer.total > 0)) continue;
    const auto [a, s] = shares(layer, labels);
    const double edges = 0.5 * static_cast<double>(layer.columns.size());
    saved += edges * (relative(a, s) + (s < 1 ? relative(1 - a, 1 - s) : 0));
  }
  return saved / n;
}

double description_length_of_one_block(std::size_t nodes) {
  return -std::log(static_cast<double>(nodes)) / static_cast<double>(nodes);
}

namespace {

constexpr double lowest = 0.7;     // no coarser than this where resolution 1 gives clusters enough
constexpr double precision = 1.1;  // of the bisection, as a ratio
constexpr double raise = 1.3;      // a step beyond the likely resolution
constexpr int most_raises = 20;
constexpr int most_attempts = 5;  // of a search that decides whether there is a resolution to find

class Chooser {
 public:
  Chooser(const WeightedGraph& graph, const Multilevel& rules, double edges)
      : graph_(graph), rules_(rules), edges_(edges) {}

  double choose() {
    const Clustering at_one = at(1);
    if (reached(at_one)) return reaches(lowest) ? lowest : bisect(lowest, 1);
    double low = 1;
    Clustering found = at_one;
    for (int round = 0; round < most_raises; ++round) {
      const double high = likely_resolution(shares(graph_, found.labels));
      if (high <= low * 1.001) break;
      found = at(high);
      if (reached(found)) return bisect(low, high);
      low = high;
    }
    const double chosen = raise_while_shorter(low, found);
    return chosen == low && found.count < 2 && rules_.most_clusters > 1 ? force(low) : chosen;
  }

 private:
  [[nodiscard]] Clustering at(double resolution, int attempt = 0) const {
    Multilevel rules = rules_;
    rules.resolution = resolution;
    rules.seed += static_cast<std::uint64_t>(attempt);
    if (attempt % 2 != 0) rules.linkage = Linkage::quality;
    return multilevel(graph_, rules);
  }
  [[nodiscard]] bool reached(const Clustering& found) const {
    return found.count >= rules_.most_clusters;
  }

  /// Whether one of some searches finds clusters enough: any of them may end in a bad optimum.
  [[nodiscard]] bool reaches(double resolution) const {
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      if (reached(at(resolution, attempt))) return true;
    }
    return false;
  }

  [[nodiscard]] double bisect(double low, double high) const {
    while (high / low > precision) {
      const double middle = std::sqrt(low * high);
      (reached(at(middle)) ? high : low) = middle;
    }
    return high;
  }

  /// Fewer clusters than allowed: more of them where that describes the graph in fewer words.
  [[nodiscard]] double raise_while_shorter(double start, const Clustering& found) const {
    double best = start;
    double saved = description_length(graph_, found.labels, edges_).diagonal;
    std::size_t count = found.count;
    for (double resolution = start * raise; resolution < start * 40; resolution *= raise) {
      const Clustering trial = at(resolution);
      if (trial.count <= count) continue;
      const double now = description_length(graph_, trial.labels, edges_).diagonal;
      if (now <= saved) break;
      saved = now;
      best = resolution;
      count = trial.count;
      if (reached(trial)) break;
    }
    return best;
  }

  /// Nothing speaks for more than one cluster, but more were asked for.
  [[nodiscard]] double force(double start) const {
    for (double resolution = start * raise; resolution < start * 40; resolution *= raise) {
      if (reached(at(resolution))) return bisect(resolution / raise, resolution);
    }
    return start;
  }

  const WeightedGraph& graph_;
  const Multilevel& rules_;
  double edges_;
};

}  // namespace

double choose_resolution(const WeightedGraph& graph, const Multilevel& rules, double edges) {
  return Chooser(graph, rules, edges).choose();
}

}  // namespace srgw::detail
