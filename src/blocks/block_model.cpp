// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"
#include "blocks/block_counts.hpp"
#include "blocks/block_search.hpp"
#include "blocks/order_labels.hpp"
#include "communities/log_counts.hpp"
#include "communities/search/weighted_graph.hpp"
#include "graph/csr_build.hpp"
#include "srgw/blocks.hpp"

namespace srgw {

namespace {

using namespace detail;

void check_options(const Graph& graph, const BlockModelOptions& options) {
  const auto most = std::min<Index>(graph.nodes(), largest_block_count);
  if (options.blocks && (*options.blocks < 1 || *options.blocks > most)) {
    fail_argument("{} blocks of a graph of {} nodes, expected 1 to {}", *options.blocks,
                  graph.nodes(), most);
  }
  if (options.most_blocks < 0) {
    fail_argument("at most {} blocks, expected 0 (no limit) or more", options.most_blocks);
  }
  if (!(options.held_out >= 0 && options.held_out < 1)) {
    fail_argument("held-out share {}, expected a number from 0 to below 1", options.held_out);
  }
  if (options.starts < 1) fail_argument("{} starts, expected at least 1", options.starts);
}

/// Counts, pairs, probabilities and their errors.
void estimate(const CountedGraph& graph, BlockModel& model) {
  const auto count = static_cast<Index>(model.sizes.size());
  const BlockCounts blocks(graph, model.labels, static_cast<std::size_t>(count), false);
  model.edges.resize(count, count);
  model.pairs.resize(count, count);
  for (Index r = 0; r < count; ++r) {
    const auto n = static_cast<double>(model.sizes[r]);
    for (Index s = 0; s < count; ++s) {
      model.edges(r, s) = blocks.edges(r, s);
      const double inside = model.directed ? n * (n - 1) : n * (n - 1) / 2;
      model.pairs(r, s) = r == s ? inside : n * static_cast<double>(model.sizes[s]);
    }
  }
  const auto pairs = model.pairs.array();
  model.probabilities = (pairs > 0).select(model.edges.array() / pairs.max(1), 0);
  const auto p = model.probabilities.array();
  const auto variance = model.counts ? Matrix(p.matrix()) : Matrix((p * (1 - p)).max(0).matrix());
  model.standard_errors = (pairs > 0).select((variance.array() / pairs.max(1)).sqrt(), 0);
  if (!model.degree_corrected) return;
  const auto relative = [&](const Vector& degrees) {
    std::vector<double> sums(model.sizes.size(), 0);
    for (Index i = 0; i < degrees.size(); ++i) sums[model.labels[i]] += degrees[i];
    Vector result(degrees.size());
    for (Index i = 0; i < degrees.size(); ++i) {
      const NodeId r = model.labels[i];
      result[i] = sums[r] > 0 ? degrees[i] * static_cast<double>(model.sizes[r]) / sums[r] : 1.0;
    }
    return result;
  };
  model.propensities = relative(graph.out);
  if (model.directed) model.in_propensities = relative(graph.in);
}

BlockModel fit(const CountedGraph& graph, bool counts, const BlockModelOptions& options,
               const Run& run) {
  BlockModel model;
  model.directed = graph.directed;
  model.counts = counts;
  model.degree_corrected = options.degree_corrected;
  const auto given = options.blocks ? static_cast<std::size_t>(*options.blocks) : 1;
  // For a search that is stopped before it has any blocks.
  FoundBlocks best{runs_of_nodes(graph.nodes(), given), given, 0, {}};
  bool searched = false;
  std::mutex mutex;
  const auto stopped = run_until_stopped(run, [&](StopScope& scope) {
    int steps = 0;
    BlockSearch search{.most_blocks = static_cast<std::size_t>(options.most_blocks),
                       .degree_corrected = options.degree_corrected,
                       .starts = options.starts,
                       .seed = run.seed,
                       .threads = run.threads};
    if (options.blocks) search.blocks = given;
    search.found = [&](const FoundBlocks& found) {
      const std::lock_guard lock(mutex);
      best = found;
      searched = true;
      if (!run.observer) return;
      if (!run.observer({.iteration = ++steps, .value = found.length})) {
        scope.request_stop(Status::interrupted);
      }
    };
    best = search_blocks(graph, search);
    searched = true;
  });
  if (stopped) model.status = *stopped;
  const StopShield shield;
  model.labels = std::move(best.labels);
  order_by_size(model.labels, best.count);
  model.sizes = sizes_of(model.labels, best.count);
  model.trials = std::move(best.trials);
  model.length = BlockCounts(graph, model.labels, best.count, options.degree_corrected).length();
  model.one_length =
      BlockCounts(graph, Assignment(graph.nodes(), 0), 1, options.degree_corrected).length();
  estimate(graph, model);
  return model;
}

/// Expected edges between two nodes.
double rate(const BlockModel& model, Index i, Index j) {
  double rate = model.probabilities(model.labels[i], model.labels[j]);
  if (model.degree_corrected) {
    rate *=
        model.propensities[i] * (model.directed ? model.in_propensities[j] : model.propensities[j]);
  }
  return rate;
}

struct HeldOut {
  Graph train;
  std::vector<Entry> edges;  ///< left out
};

/// Each pair is left out with probability `share`, by a draw of its own.
HeldOut hold_out(const Graph& graph, double share, std::uint64_t seed) {
  std::vector<Entry> train, left;
  for_each_entry(graph.adjacency(), [&](Index i, Index j, double weight) {
    if (i == j || (!graph.directed() && i > j)) return;
    Random random(seed + 0x5eedULL,
                  static_cast<std::uint64_t>(i) << 32U | static_cast<std::uint64_t>(j));
    const Entry entry{static_cast<NodeId>(i), static_cast<NodeId>(j), weight};
    (random.uniform() < share ? left : train).push_back(entry);
  });
  return {Graph::from_edges(graph.nodes(), train, graph.directed()), std::move(left)};
}

/// Mean log-likelihood of the pairs that were left out: of edges as they are; of pairs without an
/// edge, of which the share is known, by their mean over blocks.
double held_out_likelihood(const BlockModel& model, const HeldOut& held, double share,
                           double& pairs) {
  // The model was fitted to (1 - share) of the pairs. One more edge in two pairs more keeps all
  // probabilities apart from 0 and 1.
  BlockModel smooth = model;
  smooth.probabilities = (model.edges.array() + 1) / ((1 - share) * model.pairs.array() + 2);
  constexpr double largest = 1 - 1e-9;
  const auto log_likelihood = [&](double p, double weight) {
    if (model.counts) return weight * std::log(p) - p - log_factorial(weight);
    p = std::min(p, largest);
    return weight > 0 ? std::log(p) : std::log1p(-p);
  };
  double sum = 0;
  const auto count = static_cast<Index>(model.sizes.size());
  // Pairs with edges in blocks r and s, in both orders where the graph is undirected.
  Matrix linked = Matrix::Zero(count, count);
  const auto add_linked = [&](Index i, Index j) {
    const Index r = model.labels[i], s = model.labels[j];
    linked(r, s) += 1;
    if (r != s && !model.directed) linked(s, r) += 1;
  };
  for_each_entry(held.train.adjacency(), [&](Index i, Index j, double) {
    if (model.directed || i < j) add_linked(i, j);
  });
  for (const Entry& edge : held.edges) {
    sum += log_likelihood(std::max(1e-300, rate(smooth, edge.row, edge.column)), edge.value);
    add_linked(edge.row, edge.column);
  }
  auto many = static_cast<double>(held.edges.size());
  for (Index r = 0; r < count; ++r) {
    for (Index s = model.directed ? 0 : r; s < count; ++s) {
      const double without = share * std::max(0.0, model.pairs(r, s) - linked(r, s));
      // Propensities have mean 1 in each block, and these probabilities are small.
      sum += without * log_likelihood(smooth.probabilities(r, s), 0);
      many += without;
    }
  }
  pairs = many;
  return many > 0 ? sum / many : 0;
}

}  // namespace

BlockModel fit_block_model(const Graph& graph, const BlockModelOptions& options, const Run& given) {
  const StopScope limit(given);
  check_options(graph, options);
  Run run = given;
  run.threads = resolve_threads(given.threads);
  const CountedGraph counted = count_edges(graph);
  BlockModel model = fit(counted, graph.weighted(), options, run);
  if (options.held_out > 0 && model.status == Status::converged) {
    const HeldOut held = hold_out(graph, options.held_out, run.seed);
    const CountedGraph train = count_edges(held.train);
    Run silent = run;
    silent.observer = {};
    const BlockModel fitted = fit(train, graph.weighted(), options, silent);
    BlockModelOptions single = options;
    single.blocks = 1;
    const BlockModel one = fit(train, graph.weighted(), single, silent);
    if (fitted.status != Status::converged) {
      model.status = fitted.status;
      return model;
    }
    double pairs = 0;
    model.held_out_likelihood = held_out_likelihood(fitted, held, options.held_out, pairs);
    model.held_out_likelihood_one = held_out_likelihood(one, held, options.held_out, pairs);
    model.held_out_pairs = static_cast<Index>(std::llround(pairs));
  }
  return model;
}

double description_length(const Graph& graph, const Assignment& labels, bool degree_corrected) {
  if (static_cast<Index>(labels.size()) != graph.nodes()) {
    fail_argument("labels of {} nodes, expected {}", labels.size(), graph.nodes());
  }
  Assignment compacted = labels;
  const CountedGraph counted = count_edges(graph);
  std::size_t count = 0;
  for (const NodeId label : labels) {
    if (label >= labels.size()) {
      fail_argument("the label {}, expected numbers below {}, the number of nodes", label,
                    labels.size());
    }
  }
  count = compact(compacted);
  if (count > largest_block_count) {
    fail_argument("{} blocks, expected at most {}", count, largest_block_count);
  }
  return BlockCounts(counted, compacted, count, degree_corrected).length();
}

}  // namespace srgw
