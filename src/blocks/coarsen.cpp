// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/row_blocks.hpp"
#include "base/stop.hpp"
#include "blocks/block_means.hpp"
#include "blocks/coarse_start.hpp"
#include "blocks/leading_pairs.hpp"
#include "blocks/order_labels.hpp"
#include "communities/search/weighted_graph.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/blocks.hpp"
#include "srgw/structure.hpp"
#include "structure/plain_rows.hpp"
#include "structure/storage.hpp"
#include "structure/transforms/degrees.hpp"
#include "structure/transforms/walk.hpp"

namespace srgw {

namespace {

using namespace detail;

Index coarse_nodes(const Graph& graph, const CoarsenOptions& options) {
  const Index n = graph.nodes();
  if (options.nodes) {
    if (*options.nodes < 1 || *options.nodes > n) {
      fail_argument("{} coarse nodes of a graph of {} nodes, expected 1 to {}", *options.nodes, n,
                    n);
    }
    return *options.nodes;
  }
  if (!(options.ratio > 0 && options.ratio <= 1)) {
    fail_argument("ratio is {}, expected a number above 0 and up to 1", options.ratio);
  }
  return std::clamp<Index>(
      static_cast<Index>(std::ceil(options.ratio * static_cast<double>(n) - 1e-9)), 1, n);
}

Source source_of(const Graph& graph, const CoarsenOptions& options) {
  switch (options.structure) {
    case StructureKind::adjacency: return adjacency(graph);
    case StructureKind::normalized_adjacency: return normalized_adjacency(graph);
    case StructureKind::laplacian: return laplacian(graph);
    case StructureKind::normalized_laplacian: return normalized_laplacian(graph);
    default: break;
  }
  fail_argument(
      "coarsen with another structure than adjacency, normalized-adjacency, laplacian and "
      "normalized-laplacian, expected one of these, whose rows are sparse");
}

void check_input(const Graph& graph, const CoarsenOptions& options) {
  if (graph.directed()) {
    fail_argument(
        "coarsen a directed graph, expected an undirected one: undirected(), or --symmetrize, "
        "takes the union of both directions");
  }
  check_weights_not_negative(graph, "coarsen");
  for_each_entry(graph.adjacency(), [](Index i, Index j, double weight) {
    if (weight > largest_entry_to_square) {
      fail_argument(
          "the edge {} {} has the weight {}, expected at most {}: its square is used; multiply all "
          "weights by a power of two",
          i, j, weight, largest_entry_to_square);
    }
  });
  if (options.features) {
    if (options.features->rows() != graph.nodes()) {
      fail_argument("features of {} nodes, expected {}", options.features->rows(), graph.nodes());
    }
    if (!options.features->allFinite()) {
      fail_argument("a feature that is not finite, expected finite numbers");
    }
  }
  if (options.eigenvalues && *options.eigenvalues < 0) {
    fail_argument("{} eigenvalues, expected 0 or more", *options.eigenvalues);
  }
  if (!options.weights) return;
  if (options.weights->size() != graph.nodes()) {
    fail_argument("weights of {} nodes, expected {}", options.weights->size(), graph.nodes());
  }
  for (Index i = 0; i < options.weights->size(); ++i) {
    const double weight = (*options.weights)[i];
    if (!(weight > 0) || !std::isfinite(weight)) {
      fail_argument("node {} has the weight {}, expected a positive number", i, weight);
    }
  }
}

Csr rows_of(const Matrix& dense) {
  CsrBuilder builder(dense.rows(), 0);
  for (Index i = 0; i < dense.rows(); ++i) {
    for (Index j = 0; j < dense.cols(); ++j) {
      if (dense(i, j) != 0) builder.add(i, j, dense(i, j));
    }
  }
  return std::move(builder).finish(dense.rows());
}

/// The pair weights m_i m_j C_ij with C in units of 2^exponent, and sum_ij m_i m_j C_ij^2.
struct PairWeights {
  WeightedGraph graph;
  double square = 0;
  double mass = 0;  // in all
  int exponent = 0;
};

PairWeights weigh(const Graph& graph, const CoarsenOptions& options) {
  const Structure plain = with_plain_rows(source_of(graph, options).structure, false);
  const double largest = plain.largest_entry();
  PairWeights made;
  if (largest > 0 && (largest > 0x1p64 || largest < 0x1p-64)) made.exponent = std::ilogb(largest);
  const auto* stored = std::get_if<CsrStorage>(&storage_of(plain).form);
  Csr rows = stored != nullptr ? stored->csr : rows_of(plain.dense());
  const auto n = static_cast<std::size_t>(graph.nodes());
  std::vector<double> mass(n, 1);
  if (options.weights) {
    // Masses have mean 1, so that equal weights are exactly those of a graph without any.
    const double mean = options.weights->sum() / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) mass[i] = (*options.weights)[static_cast<Index>(i)] / mean;
  }
  const bool as_stored = made.exponent == 0 && (!stored || stored->factor == 1) &&
                         std::ranges::all_of(mass, [](double m) { return m == 1; });
  std::vector<double> inside(n, 0);
  bool has_inside = false;
  const double factor = (stored ? stored->factor : 1.0) * std::ldexp(1.0, -made.exponent);
  const std::vector<double> squares = block_sums(graph.nodes(), 1, [&](double sum, std::size_t i) {
    return with_rows(rows, [&](const auto& view) {
      for (std::size_t e = view.begin(static_cast<Index>(i)); e < view.end(static_cast<Index>(i));
           ++e) {
        const std::size_t j = view.columns[e];
        const double entry = factor * view.value(e);
        sum += mass[i] * mass[j] * entry * entry;
        if (i != j) continue;
        inside[i] = mass[i] * mass[i] * entry;
        has_inside = has_inside || entry != 0;
      }
      return sum;
    });
  });
  made.square = std::accumulate(squares.begin(), squares.end(), 0.0);
  if (!as_stored) {
    rows = map_values(
        rows, [&](Index i, Index j, double value) { return mass[i] * mass[j] * factor * value; });
  }
  made.graph = without_diagonal(rows);
  made.mass = std::accumulate(mass.begin(), mass.end(), 0.0);
  made.graph.mass = std::move(mass);
  if (has_inside) made.graph.inside = std::move(inside);
  return made;
}

/// E, without going below 0 by rounding.
double objective(const PairWeights& pairs, double explained) {
  const double value = std::max(0.0, pairs.square - explained) / (pairs.mass * pairs.mass);
  return std::ldexp(value, 2 * pairs.exponent);
}

/// A random tenth of the nodes goes to the blocks of neighbours, or to any.
void shake(const WeightedGraph& pairs, std::size_t count, Random& random, Assignment& labels) {
  constexpr double share = 0.1;
  std::vector<Index> sizes = sizes_of(labels, count);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (random.uniform() >= share || sizes[labels[i]] == 1) continue;
    NodeId target = static_cast<NodeId>(random.below(count));
    if (pairs.degree(i) > 0 && random.uniform() < share * 5) {
      target = labels[pairs.columns[pairs.begin(i) + random.below(pairs.degree(i))]];
    }
    --sizes[labels[i]];
    ++sizes[target];
    labels[i] = target;
  }
}

class Coarsener {
 public:
  Coarsener(const Graph& graph, const PairWeights& pairs, std::size_t count, const Run& run)
      : graph_(graph), pairs_(pairs), count_(count), run_(run) {}

  [[nodiscard]] const Assignment& labels() const { return labels_; }
  [[nodiscard]] double start_explained() const { return start_; }

  void search(StopScope& scope) {
    // Something to return, whatever comes: nodes in their order.
    labels_ = runs_of_nodes(pairs_.graph.size(), count_);
    {
      const StopShield shield;
      start_ = best_ = explained(pairs_.graph, labels_, count_, threads());
    }
    WeightedGraph start = modularity_graph(at_unit_scale(graph_));
    try_start(communities_of_number(start, count_, run_.seed, threads()), scope);
    start = {};
    if (merges()) try_start(merge_by_loss(pairs_.graph, count_), scope);
    perturb(scope);
  }

 private:
  [[nodiscard]] int threads() const { return run_.threads; }

  /// Whether all pairs can be looked at.
  [[nodiscard]] bool merges() const {
    constexpr double most_work = 1e9, most_nodes = 2000;
    const auto n = static_cast<double>(pairs_.graph.size());
    double seconds = 0;
    for (std::size_t i = 0; i < pairs_.graph.size(); ++i) {
      const auto degree = static_cast<double>(pairs_.graph.degree(i));
      seconds += degree * degree;
    }
    return n <= most_nodes && n * std::min(n * n, seconds) <= most_work;
  }

  void take(Assignment labels, double found, StopScope& scope) {
    labels_ = std::move(labels);
    best_ = found;
    if (!run_.observer) return;
    const Progress progress{.iteration = ++steps_, .value = objective(pairs_, best_)};
    if (!run_.observer(progress)) scope.request_stop(Status::interrupted);
  }

  void try_start(Assignment labels, StopScope& scope) {
    const double before = explained(pairs_.graph, labels, count_, threads());
    start_ = std::max(start_, before);
    if (before > best_) take(labels, before, scope);
    reassign(pairs_.graph, labels, count_, {.seed = run_.seed, .threads = threads()});
    const double found = explained(pairs_.graph, labels, count_, threads());
    if (found > best_) take(std::move(labels), found, scope);
  }

  /// Small graphs: from the best labels with some nodes elsewhere.
  void perturb(StopScope& scope) {
    constexpr double work = 2e6;
    constexpr int most_tries = 30;
    const auto n = static_cast<double>(pairs_.graph.size());
    const double sweep = (n + static_cast<double>(pairs_.graph.columns.size())) *
                         std::min(64.0, static_cast<double>(count_));
    const int tries = static_cast<int>(std::min<double>(most_tries, work / std::max(1.0, sweep)));
    if (count_ <= 1 || count_ >= pairs_.graph.size()) return;
    for (int attempt = 0; attempt < tries; ++attempt) {
      throw_if_stopped();
      Random random(run_.seed, static_cast<std::uint64_t>(attempt) + 1);
      Assignment labels = labels_;
      shake(pairs_.graph, count_, random, labels);
      reassign(pairs_.graph, labels, count_,
               {.seed = run_.seed + static_cast<std::uint64_t>(attempt), .threads = threads()});
      const double found = explained(pairs_.graph, labels, count_, threads());
      if (found > best_) take(std::move(labels), found, scope);
    }
  }

  const Graph& graph_;
  const PairWeights& pairs_;
  std::size_t count_;
  const Run& run_;
  Assignment labels_;
  double best_ = 0, start_ = 0;
  int steps_ = 0;
};

/// A row of a quotient with its diagonal, in the order of columns.
template <class Add>
void for_each_in_row(const WeightedGraph& quotient, std::size_t k, const Add& add) {
  std::vector<std::pair<NodeId, double>> row;
  if (quotient.inside[k] != 0) row.emplace_back(static_cast<NodeId>(k), quotient.inside[k]);
  for (std::uint64_t e = quotient.begin(k); e < quotient.end(k); ++e) {
    row.emplace_back(quotient.columns[e], quotient.weight(e));
  }
  std::ranges::sort(row);
  for (const auto& [column, weight] : row) add(column, weight);
}

/// Sums of edge weights; inside of a block each edge once.
Graph sum_graph(const Graph& graph, const Assignment& labels, std::size_t count, int threads) {
  WeightedGraph weighted = without_diagonal(graph.adjacency());
  weighted.mass.assign(labels.size(), 1);
  WeightedGraph quotient = contract(weighted, labels, count, threads);
  for (double& inside : quotient.inside) inside /= 2;
  for_each_entry(graph.adjacency(), [&](Index i, Index j, double value) {
    if (i == j) quotient.inside[labels[i]] += value;
  });
  const auto m = static_cast<Index>(count);
  CsrBuilder builder(m, static_cast<Index>(quotient.columns.size() + count));
  Index loops = 0;
  for (std::size_t k = 0; k < count; ++k) {
    for_each_in_row(quotient, k, [&](NodeId l, double weight) {
      // Both directions have one sum, whatever the order of its terms.
      builder.add(static_cast<Index>(k), l, weight);
      loops += l == k ? 1 : 0;
    });
  }
  return Graph(Graph::Trusted{std::move(builder).finish(m), false, loops});
}

Csr means_of(const PairWeights& pairs, const WeightedGraph& quotient) {
  const auto m = static_cast<Index>(quotient.size());
  CsrBuilder builder(m, static_cast<Index>(quotient.columns.size()) + m);
  for (std::size_t k = 0; k < quotient.size(); ++k) {
    for_each_in_row(quotient, k, [&](NodeId l, double sum) {
      builder.add(static_cast<Index>(k), l,
                  std::ldexp(sum / (quotient.mass[k] * quotient.mass[l]), pairs.exponent));
    });
  }
  return std::move(builder).finish(m);
}

/// The smallest eigenvalues of the normalised Laplacian I - N.
Vector smallest_of_laplacian(const Walk& walk, Index wanted, const Run& run) {
  const LeadingPairs pairs = leading_pairs(walk, {.wanted = wanted,
                                                  .which = Leading::largest,
                                                  .tolerance = 1e-9,
                                                  .seed = run.seed,
                                                  .threads = run.threads});
  return (1 - pairs.values.array()).max(0.0);
}

void compare_spectra(const Graph& graph, Index wanted, const Run& run, Coarsening& result) {
  const Graph scaled = at_unit_scale(graph);
  wanted = std::min(wanted, graph.nodes());
  if (wanted == 0 || graph.edges() == 0) return;
  // The walk counts what is inside of a block in both directions; rows of blocks without edges are
  // zero, and their eigenvalue is 1.
  result.eigenvalues = smallest_of_laplacian(stability_walk(scaled, "coarsen"), wanted, run);
  const Vector coarse =
      smallest_of_laplacian(stability_walk(at_unit_scale(result.graph), "coarsen"),
                            std::min(wanted, result.nodes()), run);
  // The lifted graph has the eigenvalue 1 besides, once for each node that was merged.
  Vector lifted = Vector::Ones(wanted);
  const Index used = std::min<Index>((coarse.array() < 1).count(), wanted);
  lifted.head(used) = coarse.head(used);
  const Index further = std::min(wanted, used + graph.nodes() - result.nodes());
  for (Index k = further; k < wanted; ++k) {
    lifted[k] = coarse[std::min(coarse.size() - 1, k - (graph.nodes() - result.nodes()))];
  }
  result.lifted_eigenvalues = lifted;
  constexpr double zero = 1e-8;
  double sum = 0;
  Index many = 0;
  for (Index k = 0; k < wanted; ++k) {
    if (result.eigenvalues[k] <= zero) continue;
    sum += std::abs(lifted[k] - result.eigenvalues[k]) / result.eigenvalues[k];
    ++many;
  }
  if (many > 0) result.spectral_error = sum / static_cast<double>(many);
}

Matrix means_of_rows(const MatrixSpan& rows, const Assignment& labels,
                     const std::vector<double>& mass, const Vector& masses) {
  Matrix means = Matrix::Zero(masses.size(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    const double share = mass[i] / masses[labels[i]];
    means.row(labels[i]) += share * rows.row(i);
  }
  return means;
}

}  // namespace

Coarsening coarsen(const Graph& graph, const CoarsenOptions& options, const Run& given) {
  const StopScope limit(given);
  check_input(graph, options);
  const auto count = static_cast<std::size_t>(coarse_nodes(graph, options));
  Run run = given;
  run.threads = resolve_threads(given.threads);
  const PairWeights pairs = weigh(graph, options);
  Coarsening result;
  Coarsener coarsener(graph, pairs, count, run);
  const auto stopped = run_until_stopped(run, [&](StopScope& scope) { coarsener.search(scope); });
  if (stopped) result.status = *stopped;
  {
    const StopShield shield;
    result.labels = coarsener.labels();
    order_by_size(result.labels, count);
    WeightedGraph quotient = contract(pairs.graph, result.labels, count, run.threads);
    result.value = objective(pairs, explained(quotient));
    result.start_value = std::max(result.value, objective(pairs, coarsener.start_explained()));
    result.weights = Vector::Map(quotient.mass.data(), static_cast<Index>(count)) / pairs.mass;
    result.means = means_of(pairs, quotient);
    if (options.features) {
      const Vector masses = Vector::Map(quotient.mass.data(), static_cast<Index>(count));
      result.features = means_of_rows(*options.features, result.labels, pairs.graph.mass, masses);
    }
    quotient = {};
    result.sizes = sizes_of(result.labels, count);
    result.graph = sum_graph(graph, result.labels, count, run.threads);
  }
  const Index spectrum =
      options.eigenvalues.value_or(graph.nodes() <= largest_spectrum ? Index{10} : Index{0});
  if (!stopped) {
    const auto late =
        run_until_stopped(run, [&](StopScope&) { compare_spectra(graph, spectrum, run, result); });
    if (late) result.status = *late;
  }
  return result;
}

Matrix lift_rows(MatrixView rows, const Assignment& labels) {
  Matrix lifted(std::ssize(labels), rows.cols());
  for (Index i = 0; i < lifted.rows(); ++i) {
    if (labels[i] >= rows.rows()) {
      fail_argument("node {} has the label {}, expected one below {}, the number of rows", i,
                    labels[i], rows.rows());
    }
    lifted.row(i) = rows.row(labels[i]);
  }
  return lifted;
}

}  // namespace srgw
