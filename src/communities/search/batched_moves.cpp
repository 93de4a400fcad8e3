// SPDX-License-Identifier: MIT
#include "communities/search/batched_moves.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

#include "base/parallel.hpp"
#include "base/row_blocks.hpp"
#include "communities/search/clusters.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t run_nodes = 64;  // consecutive nodes that see each other move

/// What a thread needs to look at nodes.
template <bool weighted>
struct Scratch {
  Links<weighted> links;
  std::array<NodeId, run_nodes> labels{};  // of the run, with moves that only the run knows
};

template <bool weighted>
class Batches {
 public:
  Batches(const WeightedGraph& graph, Assignment& labels, const MoveRules& rules,
          const BatchRules& batches)
      : graph_(graph),
        labels_(labels),
        batches_(batches),
        clusters_(graph, labels, rules),
        order_(random_order(graph.size(), rules.seed, run_nodes)),
        todo_(order_),
        chosen_(graph.size()),
        seen_(graph.size()),
        scratch_(batches.threads, {Links<weighted>(graph, clusters_.capacity())}) {
    if (graph.anchors == 0) return;
    std::erase_if(order_, [&](NodeId i) { return i < graph.anchors; });
    todo_ = order_;
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
        todo_ = order_;
      }
      if (static_cast<double>(moves) < batches_.few * size) break;
    }
    return moved;
  }
  [[nodiscard]] const std::vector<NodeId>& todo() const { return todo_; }

 private:
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
      for (std::size_t k = first; k < last; ++k) {
        if (clusters_.move(todo_[k], chosen_[k])) moved_.push_back(todo_[k]);
      }
    }
    return moved_.size();
  }

  /// Nodes at some places of todo_, one after the other.
  void decide(std::size_t begin, std::size_t end, std::uint32_t batch, Scratch<weighted>& own) {
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
      const auto first = static_cast<NodeId>(run * run_nodes);
      own.links.gather(i, [&](NodeId j) {
        const NodeId there = labels_[j], here = own.labels[j % run_nodes];
        return j - first < run_nodes ? here : there;
      });
      chosen_[k] = clusters_.choose(i, own.links);
      if (chosen_[k] != Clusters::fresh) own.labels[i % run_nodes] = chosen_[k];
    }
  }

  /// Nodes that a neighbour left or came close to after they had decided.
  void only_changed() {
    std::vector<std::atomic<std::uint8_t>> waits(graph_.size());
    for_each_row(moved_.size(), batches_.threads, [&](std::size_t m) {
      const NodeId i = moved_[m];
      for (std::uint64_t e = graph_.begin(i); e < graph_.end(i); ++e) {
        const NodeId j = graph_.columns[e];
        if (seen_[j] > seen_[i] || labels_[j] == labels_[i]) continue;
        waits[j].store(1, std::memory_order_relaxed);
      }
    });
    todo_.clear();
    for (const NodeId i : order_) {
      if (waits[i].load(std::memory_order_relaxed) != 0) todo_.push_back(i);
    }
  }

  const WeightedGraph& graph_;
  Assignment& labels_;
  const BatchRules& batches_;
  Clusters clusters_;
  std::vector<NodeId> order_;        // of visits
  std::vector<NodeId> todo_;         // nodes that this sweep visits
  std::vector<NodeId> chosen_;       // for each place of todo_
  std::vector<std::uint32_t> seen_;  // in which batch of the sweep a node decided, from 1 on
  std::vector<NodeId> moved_;        // in this sweep
  std::vector<Scratch<weighted>> scratch_;
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
