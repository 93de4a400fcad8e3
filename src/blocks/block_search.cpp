// SPDX-License-Identifier: MIT
//
// Nodes start from leading eigenvectors and k-means, in more blocks than are wanted. Pairs of
// blocks are merged by what that costs, and after each merge single nodes move while the
// description gets shorter. The shortest description on the way decides the number of blocks.
#include "blocks/block_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/row_blocks.hpp"
#include "base/sampling.hpp"
#include "base/stop.hpp"
#include "blocks/node_embedding.hpp"
#include "blocks/order_labels.hpp"
#include "communities/search/local_moves.hpp"
#include "communities/search/weighted_graph.hpp"
#include "graph/csr_build.hpp"

namespace srgw::detail {

namespace {

/// Shorter by less than this, in nats, is rounding.
constexpr double least_saving = 1e-7;
/// Up to so many blocks a node tries all of them.
constexpr std::size_t few_blocks = 64;

/// The matrix whose leading eigenvectors describe nodes: rows of undirected graphs, and of directed
/// ones the bipartite graph of nodes as sources (first half) and as targets.
Csr symmetric_rows(const CountedGraph& graph) {
  if (!graph.directed) return graph.rows;
  const auto n = static_cast<Index>(graph.nodes());
  CsrBuilder builder(2 * n, 2 * graph.rows.entries());
  for_each_entry(graph.rows, [&](Index i, Index j, double w) { builder.add(i, n + j, w); });
  for_each_entry(graph.columns, [&](Index j, Index i, double w) { builder.add(n + j, i, w); });
  return std::move(builder).finish(2 * n);
}

/// Rows that describe the nodes.
Matrix embed_nodes(const CountedGraph& graph, Index wanted, bool normalised, std::uint64_t seed,
                   int threads) {
  const Csr rows = symmetric_rows(graph);
  Vector degrees = Vector::Zero(rows.rows());
  for_each_entry(rows, [&](Index i, Index, double w) { degrees[i] += w; });
  // The variance of a count is its mean.
  return embed_rows(rows, degrees, degrees,
                    {.wanted = wanted,
                     .bipartite = graph.directed,
                     .normalised = normalised,
                     .seed = seed,
                     .threads = threads});
}

/// Moves single nodes while the description gets shorter.
class NodeMoves {
 public:
  NodeMoves(const CountedGraph& graph, std::uint64_t seed)
      : graph_(graph), order_(random_order(graph.nodes(), seed, graph.nodes() < large ? 1 : 64)) {}

  void run(BlockCounts& blocks, Assignment& labels, int sweeps, double settled) {
    if (blocks.count() < 2) return;
    BlockCounts::Links links(blocks.count());
    seen_.assign(blocks.count(), graph_.nodes());
    StopCounter stop(64);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      std::size_t moved = 0;
      for (const NodeId i : order_) {
        stop.throw_if_stopped();
        moved += move_node(blocks, labels, links, i) ? 1 : 0;
      }
      if (static_cast<double>(moved) <= settled * static_cast<double>(graph_.nodes())) return;
    }
  }

 private:
  static constexpr std::size_t large = std::size_t{1} << 16U;

  bool move_node(BlockCounts& blocks, Assignment& labels, BlockCounts::Links& links, NodeId i) {
    const NodeId own = labels[i];
    if (!blocks.may_leave(own)) return false;
    links.gather(graph_, labels, i);
    NodeId best = own;
    double least = -least_saving;
    const auto consider = [&](NodeId s) {
      if (s == own) return;
      const double cost = blocks.cost_of_move(own, s, links);
      if (cost >= least) return;
      best = s;
      least = cost;
    };
    if (blocks.count() <= few_blocks) {
      for (std::size_t s = 0; s < blocks.count(); ++s) consider(static_cast<NodeId>(s));
    } else {
      consider_near(labels, i, consider);
    }
    if (best == own) return false;
    blocks.move(own, best, links);
    labels[i] = best;
    return true;
  }

  /// Blocks of neighbours, and of their neighbours.
  template <class Consider>
  void consider_near(const Assignment& labels, NodeId i, const Consider& consider) {
    constexpr int most = 512;
    int looked = 0;
    const auto add = [&](NodeId s) {
      if (std::exchange(seen_[s], i) != i) consider(s);
    };
    const auto walk_from = [&](const Csr& first) {
      with_rows(first, [&](const auto& rows) {
        for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
          const NodeId j = rows.columns[e];
          add(labels[j]);
          with_rows(graph_.directed && &first == &graph_.rows ? graph_.columns : graph_.rows,
                    [&](const auto& back) {
                      for (std::size_t f = back.begin(j); f < back.end(j) && looked < most; ++f) {
                        add(labels[back.columns[f]]);
                        ++looked;
                      }
                    });
        }
      });
    };
    walk_from(graph_.rows);
    if (graph_.directed) walk_from(graph_.columns);
  }

  const CountedGraph& graph_;
  std::vector<NodeId> order_;
  std::vector<std::size_t> seen_;
};

/// Merges the pairs of blocks that cost least, without common blocks, until `wanted` are left.
void merge_blocks(const CountedGraph& graph, bool degree_corrected, std::size_t wanted,
                  Assignment& labels, std::size_t& count) {
  while (count > wanted) {
    throw_if_stopped();
    const BlockCounts blocks(graph, labels, count, degree_corrected);
    struct Pair {
      double cost;
      NodeId r, s;
    };
    std::vector<Pair> pairs;
    pairs.reserve(count * (count - 1) / 2);
    for (std::size_t r = 0; r < count; ++r) {
      throw_if_stopped();
      for (std::size_t s = r + 1; s < count; ++s) {
        pairs.push_back(
            {blocks.cost_of_merge(r, s), static_cast<NodeId>(r), static_cast<NodeId>(s)});
      }
    }
    std::ranges::stable_sort(pairs, {}, &Pair::cost);
    std::vector<NodeId> into(count);
    std::iota(into.begin(), into.end(), NodeId{0});
    std::vector<char> used(count, 0);
    std::size_t left = count - wanted;
    // Merges change what others cost: at most a quarter of the blocks before they are judged anew.
    std::size_t now = std::max<std::size_t>(1, std::min(left, count / 4));
    for (const Pair& pair : pairs) {
      if (now == 0) break;
      if (used[pair.r] != 0 || used[pair.s] != 0) continue;
      used[pair.r] = used[pair.s] = 1;
      into[pair.s] = pair.r;
      --now;
    }
    for (NodeId& label : labels) label = into[label];
    count = compact(labels);
  }
}

/// All that one search knows.
class Searcher {
 public:
  Searcher(const CountedGraph& graph, const BlockSearch& search) : graph_(graph), search_(search) {}

  FoundBlocks run() {
    consider({Assignment(graph_.nodes(), 0), 1, length_of(Assignment(graph_.nodes(), 0), 1)});
    if (search_.blocks && *search_.blocks == 1) return finish();
    if (graph_.edges == 0) return without_edges();
    const std::size_t most = most_blocks();
    std::size_t first = search_.blocks ? std::min(most, *search_.blocks + *search_.blocks / 2 + 2)
                                       : std::min<std::size_t>(most, 12);
    for (;;) {
      run_starts(first);
      // With the best number near the first one, there may be more blocks than were tried.
      if (search_.blocks || first >= most || 3 * best_.count < 2 * first) break;
      first = std::min(most, 2 * first + 8);
    }
    if (!search_.blocks) split_blocks();
    return finish();
  }

 private:
  [[nodiscard]] std::size_t most_blocks() const {
    std::size_t most = std::min(largest_block_count, graph_.nodes());
    if (search_.blocks) return std::min(most, std::max(*search_.blocks * 2, std::size_t{4}));
    if (search_.most_blocks > 0) most = std::min(most, search_.most_blocks);
    return most;
  }
  [[nodiscard]] bool is_allowed(std::size_t count) const {
    return search_.blocks ? count == *search_.blocks
                          : search_.most_blocks == 0 || count <= search_.most_blocks;
  }
  [[nodiscard]] double length_of(const Assignment& labels, std::size_t count) const {
    return BlockCounts(graph_, labels, count, search_.degree_corrected).length();
  }

  void consider(FoundBlocks found) {
    const std::lock_guard lock(mutex_);
    const auto [place, fresh] = trials_.try_emplace(found.count, found.length);
    if (!fresh) place->second = std::min(place->second, found.length);
    if (!is_allowed(found.count)) return;
    // One order of all results: threads may bring them in any.
    const bool better = std::tie(found.length, found.count, found.labels) <
                        std::tie(best_.length, best_.count, best_.labels);
    if (!better) return;
    best_ = std::move(found);
    if (search_.found) search_.found(best_);
  }

  FoundBlocks finish() {
    for (const auto& [count, length] : trials_) {
      best_.trials.push_back({static_cast<Index>(count), length});
    }
    return std::move(best_);
  }

  FoundBlocks without_edges() {
    if (search_.blocks) {
      Assignment labels = runs_of_nodes(graph_.nodes(), *search_.blocks);
      const double length = length_of(labels, *search_.blocks);
      consider({std::move(labels), *search_.blocks, length});
    }
    return finish();
  }

  void run_starts(std::size_t first) {
    const Index starts = std::max(2, search_.starts);
    const auto wanted = static_cast<Index>(std::min<std::size_t>(first, 48));
    std::vector<Matrix> embedded(2);
    for (int kind = 0; kind < 2; ++kind) {
      embedded[kind] = embed_nodes(graph_, wanted, kind == 1, search_.seed, search_.threads);
    }
    parallel_for(starts, search_.threads, [&](Index start, int) {
      const std::uint64_t seed = search_.seed + 1000 * static_cast<std::uint64_t>(start);
      merge_path(embedded[start % 2], first, seed);
    });
    // The wanted number straight from k-means, without merges.
    const std::size_t direct = search_.blocks.value_or(best_.count);
    if (direct < 2) return;
    parallel_for(starts, search_.threads, [&](Index start, int) {
      const std::uint64_t seed = search_.seed + 1000 * static_cast<std::uint64_t>(start) + 500;
      Assignment labels = cluster_rows(
          embedded[start % 2].leftCols(std::min<Index>(
              embedded[start % 2].cols(), static_cast<Index>(direct) * (graph_.directed ? 2 : 1))),
          direct, seed, 1);
      std::size_t count = compact(labels);
      fill(labels, count, direct);
      settle(labels, count, seed, most_sweeps, 0);
    });
  }

  /// Single nodes become blocks where k-means found too few.
  static void fill(Assignment& labels, std::size_t& count, std::size_t wanted) {
    std::vector<Index> sizes = sizes_of(labels, count);
    for (std::size_t i = 0; i < labels.size() && count < wanted; ++i) {
      if (sizes[labels[i]] < 2) continue;
      --sizes[labels[i]];
      labels[i] = static_cast<NodeId>(count++);
      sizes.push_back(1);
    }
  }

  void settle(Assignment& labels, std::size_t count, std::uint64_t seed, int sweeps,
              double settled) {
    BlockCounts blocks(graph_, labels, count, search_.degree_corrected);
    NodeMoves(graph_, seed).run(blocks, labels, sweeps, settled);
    consider({labels, count, blocks.length()});
  }

  void merge_path(const Matrix& rows, std::size_t first, std::uint64_t seed) {
    Assignment labels = cluster_rows(rows, first, seed, 1);
    std::size_t count = compact(labels);
    const std::size_t wanted = search_.blocks.value_or(1);
    fill(labels, count, std::min(wanted, graph_.nodes()));
    for (;;) {
      const bool last = count == wanted;
      settle(labels, count, seed, last || count <= few_sweeps_above ? most_sweeps : few_sweeps,
             last ? 0 : settled_share);
      if (count <= wanted || count == 1) break;
      // Steps are small where numbers are.
      const std::size_t step = std::max<std::size_t>(1, count / 10);
      merge_blocks(graph_, search_.degree_corrected, std::max(wanted, count - step), labels, count);
    }
  }

  /// Splits blocks of the best result in two while that shortens the description.
  void split_blocks() {
    constexpr int most_rounds = 4;
    for (int round = 0; round < most_rounds; ++round) {
      const FoundBlocks before = best_;
      if (before.count >= most_blocks()) return;
      const Members members(before.labels, before.count);
      parallel_for(static_cast<Index>(before.count), search_.threads, [&](Index block, int) {
        const auto nodes = members.of(static_cast<std::size_t>(block));
        if (nodes.size() < 4) return;
        Assignment labels = before.labels;
        Random random(search_.seed + 77, static_cast<std::uint64_t>(block));
        for (const NodeId i : nodes) {
          if (random.below(2) == 0) labels[i] = static_cast<NodeId>(before.count);
        }
        labels[nodes[0]] = static_cast<NodeId>(block);
        labels[nodes[1]] = static_cast<NodeId>(before.count);
        settle(labels, before.count + 1, search_.seed + 1, few_sweeps * 2, settled_share);
      });
      if (best_.length >= before.length - least_saving) break;
    }
    Assignment labels = best_.labels;
    settle(labels, best_.count, search_.seed + 2, most_sweeps, 0);
  }

  static constexpr int most_sweeps = 40, few_sweeps = 4;
  static constexpr std::size_t few_sweeps_above = 16;
  static constexpr double settled_share = 1e-3;

  const CountedGraph& graph_;
  const BlockSearch& search_;
  std::mutex mutex_;
  std::map<std::size_t, double> trials_;
  FoundBlocks best_{
      {}, std::numeric_limits<std::size_t>::max(), std::numeric_limits<double>::infinity(), {}};
};

}  // namespace

FoundBlocks search_blocks(const CountedGraph& graph, const BlockSearch& search) {
  return Searcher(graph, search).run();
}

}  // namespace srgw::detail
