// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"
#include "blocks/block_means.hpp"
#include "blocks/block_search.hpp"
#include "blocks/node_embedding.hpp"
#include "blocks/order_labels.hpp"
#include "communities/search/weighted_graph.hpp"
#include "graph/csr_build.hpp"
#include "srgw/barycenter.hpp"
#include "srgw/blocks.hpp"
#include "srgw/generate.hpp"
#include "srgw/solve.hpp"
#include "structure/storage.hpp"

namespace srgw {

namespace {

using namespace detail;

using AllLabels = std::vector<Assignment>;

void check_graphs(std::span<const Graph> graphs) {
  if (graphs.empty()) fail_argument("a graphon of no graphs, expected at least one");
  for (std::size_t s = 0; s < graphs.size(); ++s) {
    if (graphs[s].directed()) {
      fail_argument("graph {} is directed, expected undirected ones for a graphon", s);
    }
    for_each_entry(graphs[s].adjacency(), [&](Index i, Index j, double weight) {
      if (weight > largest_entry_to_square) {
        fail_argument(
            "graph {}: the edge {} {} has the weight {}, expected at most {}, or squares "
            "overflow",
            s, i, j, weight, largest_entry_to_square);
      }
      if (weight >= 0) return;
      fail_argument("graph {}: the edge {} {} has the weight {}, expected at least 0", s, i, j,
                    weight);
    });
  }
}

Index steps_of(std::span<const Graph> graphs, const GraphonOptions& options) {
  Index largest = 0;
  double nodes = 0;
  for (const Graph& graph : graphs) {
    largest = std::max(largest, graph.nodes());
    nodes += static_cast<double>(graph.nodes()) / static_cast<double>(graphs.size());
  }
  const Index most = std::min<Index>(largest, largest_block_count);
  if (!options.steps)
    return std::min(most, static_cast<Index>(std::ceil(std::sqrt(nodes) / 2 - 1e-9)));
  if (*options.steps < 1 || *options.steps > most) {
    fail_argument("{} steps of graphs of up to {} nodes, expected 1 to {}", *options.steps, largest,
                  most);
  }
  return *options.steps;
}

/// The power of two that brings the largest weight of all graphs to [1, 2).
int exponent_of(std::span<const Graph> graphs) {
  double largest = 0;
  for (const Graph& graph : graphs) {
    if (!graph.weighted()) largest = std::max(largest, 1.0);
    for_each_entry(graph.adjacency(),
                   [&](Index, Index, double weight) { largest = std::max(largest, weight); });
  }
  return largest > 0 ? std::ilogb(largest) : 0;
}

std::vector<Graph> scale(std::span<const Graph> graphs, int exponent) {
  std::vector<Graph> scaled;
  for (const Graph& graph : graphs) {
    scaled.push_back(exponent == 0 ? graph
                                   : Graph::from_matrix(map_values(
                                         graph.adjacency(), [&](Index, Index, double weight) {
                                           return std::ldexp(weight, -exponent);
                                         })));
  }
  return scaled;
}

/// Sums over pairs of nodes in both directions, the diagonal included.
struct PairSums {
  Matrix weights, pairs;  ///< sum A_ij and number of (i, j), by steps
  double squares = 0;     ///< sum A_ij^2

  /// sum_ij (A_ij - B_ij)^2 for the steps B.
  [[nodiscard]] double misfit(const Matrix& B) const {
    const double cross = (weights.array() * B.array()).sum();
    const double square = (pairs.array() * B.array().square()).sum();
    return std::max(0.0, squares - 2 * cross + square);
  }
  [[nodiscard]] Matrix means() const {
    return (pairs.array() > 0).select(weights.array() / pairs.array().max(1), 0);
  }
};

Vector counts_of(const Assignment& labels, Index count) {
  const std::vector<Index> sizes = sizes_of(labels, static_cast<std::size_t>(count));
  return Eigen::Map<const Eigen::Vector<Index, Eigen::Dynamic>>(sizes.data(), count).cast<double>();
}

PairSums sum_pairs(const Graph& graph, const Assignment& labels, Index count) {
  const Vector sizes = counts_of(labels, count);
  PairSums sums{.weights = Matrix::Zero(count, count), .pairs = sizes * sizes.transpose()};
  for_each_entry(graph.adjacency(), [&](Index i, Index j, double weight) {
    sums.weights(labels[i], labels[j]) += weight;
    sums.squares += weight * weight;
  });
  return sums;
}

PairSums sum_pairs(std::span<const Graph> graphs, const AllLabels& labels, Index count) {
  PairSums all{.weights = Matrix::Zero(count, count), .pairs = Matrix::Zero(count, count)};
  for (std::size_t s = 0; s < graphs.size(); ++s) {
    const PairSums own = sum_pairs(graphs[s], labels[s], count);
    all.weights += own.weights;
    all.pairs += own.pairs;
    all.squares += own.squares;
  }
  return all;
}

Vector degrees_of(const Graph& graph, bool squared = false) {
  Vector degrees = Vector::Zero(graph.nodes());
  for_each_entry(graph.adjacency(), [&](Index i, Index, double weight) {
    degrees[i] += squared ? weight * weight : weight;
  });
  return degrees;
}

/// Runs of nodes in the order of falling degrees.
Assignment label_by_degree(const Graph& graph, Index count) {
  const Vector degrees = degrees_of(graph);
  std::vector<Index> order(static_cast<std::size_t>(graph.nodes()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index i) { return degrees[i]; });
  const Assignment runs = runs_of_nodes(order.size(), static_cast<std::size_t>(count));
  Assignment labels(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) labels[order[place]] = runs[place];
  return labels;
}

/// Labels 0, 1, ... by leading eigenvectors.
Assignment label_by_vectors(const Graph& graph, Index count, std::uint64_t seed, int threads) {
  constexpr Index most_vectors = 12;
  const Matrix rows = embed_rows(
      graph.adjacency(), degrees_of(graph), degrees_of(graph, true),
      {.wanted = std::min({count, graph.nodes(), most_vectors}), .seed = seed, .threads = threads});
  Assignment labels =
      cluster_rows(rows, static_cast<std::size_t>(std::min(count, graph.nodes())), seed, threads);
  compact(labels);
  return labels;
}

/// Single nodes change steps while the objective of this graph alone falls.
void improve(const Graph& graph, Assignment& labels, std::uint64_t seed, int threads) {
  const std::size_t count = compact(labels);
  WeightedGraph pairs = without_diagonal(graph.adjacency());
  pairs.mass.assign(labels.size(), 1);
  reassign(pairs, labels, count, {.seed = seed, .threads = threads});
}

/// Which steps of the reference are most like these blocks.
Assignment match_blocks(const PairSums& own, const Vector& sizes, const Matrix& reference,
                        std::uint64_t seed) {
  constexpr int starts = 4;
  const Vector weights = sizes / sizes.sum();
  const Problem problem{.source = Structure::dense(own.means()),
                        .weights = weights,
                        .target = Structure::dense(reference)};
  return solve(problem, Automatic{}, Start::automatic, starts, {.threads = 1, .seed = seed})
      .plan.labels();
}

class GraphonSearch {
 public:
  /// Weights of the graphs are in units of 2^exponent.
  GraphonSearch(std::span<const Graph> graphs, int exponent, Index count, const Run& run)
      : graphs_(graphs), exponent_(exponent), count_(count), run_(run) {
    for (const Graph& graph : graphs) {
      labels_.push_back(label_by_degree(graph, count));
      pairs_ += static_cast<double>(graph.nodes()) * static_cast<double>(graph.nodes());
    }
    value_ = objective(labels_);
  }

  [[nodiscard]] const AllLabels& labels() const { return labels_; }

  void search(StopScope& scope) {
    scope_ = &scope;
    finish(labels_);
    finish(vector_start());
  }

 private:
  /// The sum over graphs of sum_ij (A_ij - B_ij)^2.
  [[nodiscard]] double objective(const AllLabels& labels) const {
    const PairSums sums = sum_pairs(graphs_, labels, count_);
    return sums.misfit(sums.means());
  }

  void offer(AllLabels labels) {
    const double found = objective(labels);
    if (!(found < value_)) return;
    labels_ = std::move(labels);
    value_ = found;
    if (!run_.observer) return;
    const double mean = std::ldexp(value_ / pairs_, 2 * exponent_);
    if (!run_.observer({.iteration = ++steps_, .value = mean})) {
      scope_->request_stop(Status::interrupted);
    }
  }

  /// From labels of the same steps in all graphs.
  void finish(AllLabels labels) {
    if (graphs_.size() == 1) {
      improve(graphs_[0], labels[0], run_.seed, run_.threads);
    } else {
      try {
        labels = take_turns(labels);
      } catch (const Error& error) {
        // Graphs whose plans are too large as arrays take no turns.
        if (error.kind() != Error::Kind::resource) throw;
      }
    }
    offer(std::move(labels));
  }

  [[nodiscard]] AllLabels take_turns(const AllLabels& labels) const {
    std::vector<Source> sources;
    std::vector<BarycenterSample> samples;
    std::vector<Plan> plans;
    sources.reserve(graphs_.size());
    for (std::size_t s = 0; s < graphs_.size(); ++s) {
      sources.push_back(adjacency(graphs_[s]));
      const auto n = static_cast<double>(graphs_[s].nodes());
      samples.push_back(
          {.structure = sources[s].structure, .weights = sources[s].weights, .share = n * n});
      plans.push_back(Plan::from_labels(sources[s].weights, labels[s], count_));
    }
    const BarycenterLoop turns{.max_iterations = 30, .tolerance = 1e-5};
    const BarycenterProblem problem{.samples = samples, .size = count_, .plans = plans};
    const Barycenter found = barycenter(problem, ConditionalGradient{}, turns,
                                        {.threads = run_.threads, .seed = run_.seed});
    AllLabels hard;
    for (const Plan& plan : found.plans) hard.push_back(plan.labels());
    return hard;
  }

  /// Blocks of each graph alone, matched with those of the largest one.
  [[nodiscard]] AllLabels vector_start() const {
    AllLabels labels(graphs_.size());
    const int inner = graphs_.size() == 1 ? run_.threads : 1;
    parallel_for(std::ssize(graphs_), run_.threads, [&](Index s, int) {
      labels[s] = label_by_vectors(graphs_[s], count_, run_.seed, inner);
      if (graphs_.size() > 1) improve(graphs_[s], labels[s], run_.seed, inner);
    });
    if (graphs_.size() == 1) return labels;
    const auto largest = static_cast<std::size_t>(
        std::distance(graphs_.begin(), std::ranges::max_element(graphs_, {}, &Graph::nodes)));
    const Matrix reference = sum_pairs(graphs_[largest], labels[largest], count_).means();
    parallel_for(std::ssize(graphs_), run_.threads, [&](Index s, int) {
      if (static_cast<std::size_t>(s) == largest) return;
      const auto own = static_cast<Index>(label_bound(labels[s]));
      const Assignment names = match_blocks(sum_pairs(graphs_[s], labels[s], own),
                                            counts_of(labels[s], own), reference, run_.seed);
      labels[s] = lift(labels[s], names);
    });
    return labels;
  }

  std::span<const Graph> graphs_;
  int exponent_;
  Index count_;
  const Run& run_;
  StopScope* scope_ = nullptr;
  AllLabels labels_;
  double value_ = 0, pairs_ = 0;
  int steps_ = 0;
};

/// Leaves steps without nodes out, and puts those with most edges first.
Index order_steps(std::span<const Graph> graphs, Index count, AllLabels& labels) {
  Vector sizes = Vector::Zero(count), degrees = Vector::Zero(count);
  for (std::size_t s = 0; s < graphs.size(); ++s) {
    // Degrees relative to the nodes of each graph.
    const Vector own = degrees_of(graphs[s]) / static_cast<double>(graphs[s].nodes());
    for (Index i = 0; i < own.size(); ++i) {
      ++sizes[labels[s][i]];
      degrees[labels[s][i]] += own[i];
    }
  }
  std::vector<NodeId> order;
  for (Index k = 0; k < count; ++k) {
    if (sizes[k] > 0) order.push_back(static_cast<NodeId>(k));
  }
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](NodeId k) { return degrees[k] / sizes[k]; });
  std::vector<NodeId> names(count, 0);
  for (std::size_t r = 0; r < order.size(); ++r) names[order[r]] = static_cast<NodeId>(r);
  for (Assignment& own : labels) {
    for (NodeId& label : own) label = names[label];
  }
  return std::ssize(order);
}

/// Values without the diagonals of the graphs, where no edges are, and their errors.
void estimate(std::span<const Graph> graphs, Index count, Graphon& result) {
  Matrix weights = Matrix::Zero(count, count), squares = weights, pairs = weights;
  result.widths = Vector::Zero(count);
  double nodes = 0;
  for (std::size_t s = 0; s < graphs.size(); ++s) {
    const Assignment& labels = result.labels[s];
    const Vector sizes = counts_of(labels, count);
    result.widths += sizes;
    nodes += sizes.sum();
    pairs += sizes * sizes.transpose();
    pairs.diagonal() -= sizes;
    for_each_entry(graphs[s].adjacency(), [&](Index i, Index j, double weight) {
      if (i == j) return;
      weights(labels[i], labels[j]) += weight;
      squares(labels[i], labels[j]) += weight * weight;
    });
  }
  result.widths /= nodes;
  // Steps of a single node in every graph have no pairs inside: their mean over the row.
  result.values = (pairs.array() > 0).select(weights.array() / pairs.array().max(1), 0);
  for (Index k = 0; k < count; ++k) {
    if (pairs(k, k) == 0) result.values(k, k) = result.values.row(k) * result.widths;
  }
  // Inside of a step each pair was counted in both directions.
  pairs.diagonal() /= 2;
  squares.diagonal() /= 2;
  const Matrix mean_squares = (pairs.array() > 0).select(squares.array() / pairs.array().max(1), 0);
  result.standard_errors =
      (pairs.array() > 0)
          .select(((mean_squares.array() - result.values.array().square()).max(0) /
                   pairs.array().max(1))
                      .sqrt(),
                  0);
  result.pairs = std::move(pairs);
}

}  // namespace

Graphon fit_graphon(std::span<const Graph> given, const GraphonOptions& options,
                    const Run& given_run) {
  const StopScope limit(given_run);
  check_graphs(given);
  Index count = steps_of(given, options);
  Run run = given_run;
  run.threads = resolve_threads(given_run.threads);
  const int exponent = exponent_of(given);
  const std::vector<Graph> graphs = scale(given, exponent);
  Graphon result;
  result.weighted = std::ranges::any_of(given, &Graph::weighted);
  std::optional<GraphonSearch> search;
  {
    const StopShield shield;
    search.emplace(graphs, exponent, count, run);
  }
  const auto stopped = run_until_stopped(run, [&](StopScope& scope) { search->search(scope); });
  if (stopped) result.status = *stopped;
  const StopShield shield;
  result.labels = search->labels();
  count = order_steps(graphs, count, result.labels);
  const PairSums sums = sum_pairs(graphs, result.labels, count);
  const Matrix B = sums.means();
  result.value = std::ldexp(sums.misfit(B) / sums.pairs.sum(), 2 * exponent);
  for (std::size_t s = 0; s < graphs.size(); ++s) {
    const PairSums own = sum_pairs(graphs[s], result.labels[s], count);
    result.sample_values.push_back(std::ldexp(own.misfit(B) / own.pairs.sum(), 2 * exponent));
  }
  estimate(graphs, count, result);
  const double back = std::ldexp(1.0, exponent);
  result.values *= back;
  result.standard_errors *= back;
  return result;
}

std::vector<Index> Graphon::sizes() const {
  std::vector<Index> sizes(static_cast<std::size_t>(steps()), 0);
  for (const Assignment& own : labels) {
    const std::vector<Index> more = detail::sizes_of(own, sizes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] += more[k];
  }
  return sizes;
}

GraphonSample sample(const Graphon& graphon, Index nodes, std::uint64_t seed) {
  if (nodes < 1) fail_argument("a sample of {} nodes, expected at least 1", nodes);
  if (graphon.steps() < 1) fail_argument("a graphon without steps, expected at least one");
  if (!(graphon.values.maxCoeff() <= 1)) {
    fail_argument("a value of the graphon is {}, expected probabilities: at most 1",
                  graphon.values.maxCoeff());
  }
  Random random(seed, 0);
  std::vector<Index> sizes(static_cast<std::size_t>(graphon.steps()), 0);
  for (Index i = 0; i < nodes; ++i) {
    double left = random.uniform() * graphon.widths.sum();
    Index step = 0;
    while (step + 1 < graphon.steps() && left >= graphon.widths[step]) {
      left -= graphon.widths[step++];
    }
    ++sizes[step];
  }
  // Steps that no node was drawn in are no blocks.
  std::vector<Index> used;
  for (Index k = 0; k < graphon.steps(); ++k) {
    if (sizes[k] > 0) used.push_back(k);
  }
  std::vector<Index> kept;
  kept.reserve(used.size());
  for (const Index k : used) kept.push_back(sizes[k]);
  PlantedGraph drawn =
      generate(StochasticBlockModel{.sizes = kept, .probabilities = graphon.values(used, used)},
               Random(seed, 1)());
  GraphonSample result{.graph = std::move(drawn.graph), .labels = std::move(drawn.blocks)};
  for (NodeId& label : result.labels) label = static_cast<NodeId>(used[label]);
  return result;
}

}  // namespace srgw
