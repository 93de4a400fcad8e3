// SPDX-License-Identifier: MIT
#include "communities/search/batched_moves.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/sampling.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t run_nodes = 64;  // consecutive nodes that see each other move
constexpr NodeId fresh = std::numeric_limits<NodeId>::max();  // an empty cluster, whichever is next

/// What a thread needs to look at nodes.
template <class Weight>
struct Scratch {
  std::vector<Weight> sums;  // weight to each cluster, zero between nodes
  std::vector<NodeId> touched;
  std::array<NodeId, run_nodes> labels{};  // of the run, with moves that only the run knows
};

template <bool weighted>
class Batches {
 public:
  using Weight = std::conditional_t<weighted, double, std::uint32_t>;

  Batches(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
          const BatchRules& batches)
      : graph_(graph),
        labels_(labels),
        batches_(batches),
        factor_(rules.resolution / graph.total),
        allowed_(rules.most_clusters == 0 ? graph.size() : rules.most_clusters),
        runs_((graph.size() + run_nodes - 1) / run_nodes),
        chosen_(graph.size()),
        seen_(graph.size()),
        scratch_(batches.threads) {
    std::iota(runs_.begin(), runs_.end(), NodeId{0});
    Random random(rules.seed, 0);
    shuffle(runs_, random);
    NodeId largest = 0;
    for (const NodeId label : labels) largest = std::max(largest, label);
    mass_.assign(std::max(allowed_, std::size_t{largest} + 1), 0);
    members_.assign(mass_.size(), 0);
    std::size_t degree = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      mass_[labels[i]] += graph.mass[i];
      ++members_[labels[i]];
      degree = std::max(degree, graph.degree(i));
    }
    for (std::size_t c = allowed_; c-- > 0;) {
      if (members_[c] == 0) empty_.push_back(static_cast<NodeId>(c));
    }
    for (auto& own : scratch_) {
      own.sums.assign(mass_.size(), 0);
      own.touched.resize(degree + 1);
    }
    todo_.reserve(graph.size());
    everything();
  }

  /// Sweeps until few nodes move; what is left to visit is in todo().
  bool run() {
    bool moved = false;
    const auto size = static_cast<double>(graph_.size());
    for (int sweep = 0; sweep < batches_.most_sweeps; ++sweep) {
      const std::size_t moves = this->sweep();
      moved = moved || moves > 0;
      if (static_cast<double>(moves) < size / 2) {
        only_changed();
      } else {
        everything();
      }
      if (static_cast<double>(moves) < batches_.few * size) break;
    }
    return moved;
  }
  [[nodiscard]] const std::vector<NodeId>& todo() const { return todo_; }

 private:
  void everything() {
    todo_.clear();
    for (const NodeId run : runs_) {
      const std::size_t first = run * run_nodes;
      const std::size_t last = std::min(first + run_nodes, graph_.size());
      for (std::size_t i = first; i < last; ++i) todo_.push_back(static_cast<NodeId>(i));
    }
  }

  std::size_t sweep() {
    const std::size_t batch =
        std::max(std::size_t{1}, todo_.size() / batches_.batches / run_nodes) * run_nodes;
    moved_.clear();
    std::ranges::fill(seen_, 0);
    std::uint32_t number = 0;
    for (std::size_t first = 0; first < todo_.size(); first += batch) {
      const std::size_t last = std::min(first + batch, todo_.size());
      const auto pieces = static_cast<Index>((last - first + run_nodes - 1) / run_nodes);
      ++number;
      parallel_for(pieces, batches_.threads, [&](Index piece, int worker) {
        const std::size_t begin = first + static_cast<std::size_t>(piece) * run_nodes;
        decide(begin, std::min(begin + run_nodes, last), number, scratch_[worker]);
      });
      for (std::size_t k = first; k < last; ++k) move(todo_[k], chosen_[k]);
    }
    return moved_.size();
  }

  /// Nodes at some places of todo_, one after the other.
  void decide(std::size_t begin, std::size_t end, std::uint32_t batch, Scratch<Weight>& own) {
    std::size_t run = std::numeric_limits<std::size_t>::max();
    for (std::size_t k = begin; k < end; ++k) {
      const NodeId i = todo_[k];
      if (i / run_nodes != run) {
        run = i / run_nodes;
        const auto first = labels_.begin() + static_cast<std::ptrdiff_t>(run * run_nodes);
        const std::size_t count = std::min(run_nodes, graph_.size() - run * run_nodes);
        std::copy_n(first, count, own.labels.begin());
      }
      seen_[i] = batch;
      chosen_[k] = choose(i, static_cast<NodeId>(run * run_nodes), own);
      if (chosen_[k] != fresh) own.labels[i % run_nodes] = chosen_[k];
    }
  }

  NodeId choose(NodeId i, NodeId first, Scratch<Weight>& scratch) const {
    Weight* const sums = scratch.sums.data();
    NodeId* const touched = scratch.touched.data();
    std::size_t count = 0;
    for (std::uint64_t e = graph_.begin(i); e < graph_.end(i); ++e) {
      const NodeId j = graph_.columns[e];
      const NodeId there = labels_[j], here = scratch.labels[j % run_nodes];
      const NodeId c = j - first < run_nodes ? here : there;
      touched[count] = c;
      count += sums[c] == 0 ? 1 : 0;
      if constexpr (weighted) {
        sums[c] += graph_.weights[e];
      } else {
        ++sums[c];
      }
    }
    const NodeId own = labels_[i];
    const double mass = graph_.mass[i];
    const double pull = factor_ * mass;
    double best = static_cast<double>(sums[own]) - pull * (mass_[own] - mass) + least_gain * mass;
    NodeId target = own;
    for (std::size_t t = 0; t < count; ++t) {
      const NodeId c = touched[t];
      if (sums[c] == 0) continue;  // listed twice: weights of both signs passed through 0
      const double gain = static_cast<double>(sums[c]) - pull * mass_[c];
      sums[c] = 0;
      if (gain > best && c != own) {
        best = gain;
        target = c;
      }
    }
    return best < 0 && !empty_.empty() && members_[own] > 1 ? fresh : target;
  }

  void move(NodeId i, NodeId target) {
    const NodeId own = labels_[i];
    if (target == own) return;
    if (target == fresh) {
      if (empty_.empty() || members_[own] == 1) return;
      target = empty_.back();
      empty_.pop_back();
    } else if (members_[target] == 0) {
      // Who was there has gone meanwhile, for which this node is visited again. Otherwise two
      // single nodes would change places for ever.
      return;
    }
    const double mass = graph_.mass[i];
    if (--members_[own] == 0 && own < allowed_) empty_.push_back(own);
    ++members_[target];
    mass_[own] -= mass;
    mass_[target] += mass;
    labels_[i] = target;
    moved_.push_back(i);
  }

  /// Nodes that a neighbour left or came close to after they had decided.
  void only_changed() {
    std::vector<std::atomic<std::uint8_t>> waits(graph_.size());
    const auto moves = static_cast<Index>(moved_.size());
    parallel_for(block_count(moves), batches_.threads, [&](Index block, int) {
      const std::size_t last = std::min(moves, (block + 1) * block_rows);
      for (std::size_t m = block * block_rows; m < last; ++m) {
        const NodeId i = moved_[m];
        for (std::uint64_t e = graph_.begin(i); e < graph_.end(i); ++e) {
          const NodeId j = graph_.columns[e];
          if (seen_[j] > seen_[i] || labels_[j] == labels_[i]) continue;
          waits[j].store(1, std::memory_order_relaxed);
        }
      }
    });
    todo_.clear();
    for (const NodeId run : runs_) {
      const std::size_t first = run * run_nodes;
      const std::size_t last = std::min(first + run_nodes, graph_.size());
      for (std::size_t i = first; i < last; ++i) {
        if (waits[i].load(std::memory_order_relaxed) != 0) todo_.push_back(static_cast<NodeId>(i));
      }
    }
  }

  const WeightedGraph& graph_;
  Assignment& labels_;
  const BatchRules& batches_;
  double factor_;
  std::size_t allowed_;              // labels that may be given; others are set aside
  std::vector<NodeId> runs_;         // in the order of visits
  std::vector<NodeId> todo_;         // nodes that this sweep visits
  std::vector<NodeId> chosen_;       // for each place of todo_
  std::vector<std::uint32_t> seen_;  // in which batch of the sweep a node decided, from 1 on
  std::vector<NodeId> moved_;        // in this sweep
  std::vector<Scratch<Weight>> scratch_;
  std::vector<double> mass_;
  std::vector<NodeId> members_;
  std::vector<NodeId> empty_;  // labels that nobody has
};

template <bool weighted>
bool run(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
         const BatchRules& batches) {
  Batches<weighted> search(graph, labels, rules, batches);
  const bool moved = search.run();
  if (!batches.to_the_end || search.todo().empty()) return moved;
  return local_moves(graph, labels, rules, search.todo()) || moved;
}

}  // namespace

bool batched_moves(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
                   const BatchRules& batches) {
  return graph.weights.empty() ? run<false>(graph, labels, rules, batches)
                               : run<true>(graph, labels, rules, batches);
}

}  // namespace srgw::detail
