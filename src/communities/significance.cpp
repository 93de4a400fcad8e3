// SPDX-License-Identifier: MIT
#include "communities/significance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "communities/resolution.hpp"

namespace srgw::detail {

namespace {

/// After so many copies, (quality - mean) / deviation decides if it is beyond the 0.9999 quantile
/// of Student's t with copies - 1 degrees of freedom, times sqrt(1 + 1/copies): where a graph that
/// is one more copy ends once in ten thousand times.
struct Look {
  int copies;
  double bound;
};
constexpr std::array<Look, 2> looks{{{10, 6.30}, {20, 4.70}}};

/// Mean and deviation of what was seen so far.
class Moments {
 public:
  void add(double value) {
    const double before = value - mean_;
    mean_ += before / ++count_;
    squares_ += before * (value - mean_);
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double deviation() const { return std::sqrt(squares_ / (count_ - 1)); }

 private:
  int count_ = 0;
  double mean_ = 0, squares_ = 0;
};

/// Nats a node saved on the nodes that count.
double saved_by(const SearchedGraph& graph, const Communities& found, int threads) {
  const WeightedGraph& weighted = graph.weighted();
  std::vector<NodeId> nodes;
  Assignment labels;
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    if (found.labels[i] == found.count) continue;
    nodes.push_back(static_cast<NodeId>(i));
    labels.push_back(found.labels[i]);
  }
  if (!graph.layers().empty()) {
    return planted_length_of_layers(graph.layers_between(nodes, threads), labels);
  }
  const WeightedGraph part = found.between(weighted, nodes, threads);
  const double edges = 0.5 * static_cast<double>(part.columns.size());
  return description_length(part, labels, edges, threads).planted;
}

}  // namespace

Significance test_significance(const SearchedGraph& graph, const Communities& found,
                               const CommunitySearch& search) {
  const WeightedGraph& weighted = graph.weighted();
  Significance result;
  if (found.route == Route::components) return result;  // nothing between them: no need of a test
  if (found.count < 2) {
    result.significant = false;
    return result;
  }
  const double one_block = description_length_of_one_block(weighted.size() - found.unconnected);
  if (saved_by(graph, found, search.threads) > one_block) return result;
  result.resolution = found.resolution;
  CommunitySearch same = search;
  same.resolution = found.resolution;
  same.is_copy = true;
  same.returns_best = false;
  const auto best_quality = [&](const WeightedGraph& tested) {
    return find_communities(tested, 0.5 * static_cast<double>(tested.columns.size()), same).quality;
  };
  // The graph is searched as the copies are: the result may have taken more effort.
  result.quality = std::min(found.quality, best_quality(weighted));
  Moments copies;
  for (const Look& look : looks) {
    while (result.copies < look.copies) {
      const auto seed = search.seed + static_cast<std::uint64_t>(result.copies);
      const double there = best_quality(graph.rewired(seed, search.threads));
      ++result.copies;
      copies.add(there);
      result.rewired = copies.mean();
      result.significant = there < result.quality;
      if (!result.significant) return result;
    }
    result.significant = result.quality - copies.mean() > look.bound * copies.deviation();
    if (result.significant) return result;
  }
  return result;
}

}  // namespace srgw::detail
