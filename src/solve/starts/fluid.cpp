// SPDX-License-Identifier: MIT
#include "solve/starts/starts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "base/sampling.hpp"
#include "base/stop.hpp"
#include "kernels/source_rows.hpp"
#include "structure/plain_rows.hpp"

namespace srgw::detail {

namespace {

constexpr int max_rounds = 100;
constexpr NodeId nobody = std::numeric_limits<NodeId>::max();

class Fluid {
 public:
  Fluid(const Structure& structure, Index communities, std::uint64_t seed)
      : structure_(with_plain_rows(structure.symmetrized(), true)),
        edges_(storage_of(structure_)),
        random_(seed, 0),
        labels_(structure.size(), nobody),
        order_(structure.size()),
        sizes_(communities, 0),
        around_(communities, 0.0) {
    std::iota(order_.begin(), order_.end(), Index{0});
    shuffle(order_, random_);
    for (Index c = 0; c < std::min(communities, structure.size()); ++c) {
      move(order_[c], static_cast<NodeId>(c));
    }
    own_weight_ = mean_weight();
  }

  [[nodiscard]] Assignment spread() {
    for (int round = 0; round < max_rounds; ++round) {
      shuffle(order_, random_);
      bool moved = false;
      for (const Index i : order_) {
        stop_.throw_if_stopped();
        moved = visit(i) || moved;
      }
      if (!moved) break;
    }
    for (const Index i : order_) {
      if (labels_[i] == nobody) flood(i, smallest());
    }
    return labels_;
  }

 private:
  template <class Visit>
  void for_each_neighbour(Index i, const Visit& work) const {
    edges_.for_each(i, [&](Index j, double weight) {
      if (j != i && weight != 0) work(j, std::abs(weight));
    });
  }

  [[nodiscard]] double mean_weight() const {
    double sum = 0, count = 0;
    for (Index i = 0; i < edges_.size(); ++i) {
      for_each_neighbour(i, [&](Index, double weight) {
        sum += weight;
        ++count;
      });
    }
    return count > 0 ? sum / count : 1.0;
  }

  void move(Index i, NodeId community) {
    NodeId& label = labels_[i];
    if (label != nobody) --sizes_[label];
    label = community;
    ++sizes_[label];
  }

  // Whether the node joined another community.
  bool visit(Index i) {
    const NodeId own = labels_[i];
    if (own != nobody && sizes_[own] == 1) return false;  // a community never dies
    touched_.clear();
    const auto add = [&](NodeId community, double weight) {
      if (community == nobody) return;
      if (around_[community] == 0) touched_.push_back(community);
      around_[community] += weight / sizes_[community];
    };
    add(own, own_weight_);
    for_each_neighbour(i, [&](Index j, double weight) { add(labels_[j], weight); });
    NodeId best = nobody;
    double most = 0;
    for (const NodeId community : touched_) {
      // A node stays where it is when that is as good.
      const double density = around_[community] * (community == own ? 1 + 1e-9 : 1.0);
      if (density > most) {
        most = density;
        best = community;
      }
      around_[community] = 0;
    }
    if (best == nobody || best == own) return false;
    move(i, best);
    return true;
  }

  [[nodiscard]] NodeId smallest() const {
    return static_cast<NodeId>(std::ranges::min_element(sizes_) - sizes_.begin());
  }

  // All that hangs together with the node.
  void flood(Index start, NodeId community) {
    std::vector<Index> waiting{start};
    move(start, community);
    while (!waiting.empty()) {
      stop_.throw_if_stopped();
      const Index i = waiting.back();
      waiting.pop_back();
      for_each_neighbour(i, [&](Index j, double) {
        if (labels_[j] != nobody) return;
        move(j, community);
        waiting.push_back(j);
      });
    }
  }

  Structure structure_;
  SourceRows edges_;
  Random random_;
  Assignment labels_;
  std::vector<Index> order_;
  std::vector<double> sizes_;
  std::vector<double> around_;  // density of each community around a node
  std::vector<NodeId> touched_;
  double own_weight_ = 1;
  StopCounter stop_{256};
};

}  // namespace

Assignment fluid_labels(const Structure& structure, Index communities, std::uint64_t seed) {
  return Fluid(structure, communities, seed).spread();
}

}  // namespace srgw::detail
