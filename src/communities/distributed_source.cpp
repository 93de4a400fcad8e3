// SPDX-License-Identifier: MIT
#include "communities/distributed_source.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/message.hpp"
#include "communities/search/problem_graph.hpp"
#include "structure/entries.hpp"
#include "structure/transforms/degrees.hpp"

namespace srgw::detail {

namespace {

using Kind = PartitionStructure::Kind;
using Weights = PartitionWeights::Kind;

void check_not_negative(const DistributedGraph& graph, const Csr& rows) {
  for_each_entry(rows, [&](Index i, Index j, double weight) {
    if (weight < 0) {
      fail_argument("modularity: edge ({}, {}) has weight {}, expected no negative weights",
                    graph.exchange.node(i), graph.exchange.node(j), weight);
    }
  });
}

void normalize(const Exchange& exchange, std::vector<double>& values, const char* name) {
  const double sum = sum_over_rows(exchange, values);
  if (!(sum > 0 && std::isfinite(sum))) {
    fail_argument("the {} sum to {}, expected a positive finite number", name, sum);
  }
  for (double& value : values) value /= sum;
}

void check_degrees(const Exchange& exchange, std::span<const double> degrees) {
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    if (degrees[i] < 0) {
      fail_argument("node {} has degree {}, expected no negative degrees",
                    exchange.node(static_cast<Index>(i)), degrees[i]);
    }
  }
}

/// (degree + a)^exponent of clustered nodes, as power_weights() of transform.hpp.
std::vector<double> powers_of(const Exchange& exchange, std::span<const double> degrees,
                              const std::vector<bool>& clustered, double exponent) {
  if (!std::isfinite(exponent)) {
    fail_argument("the exponent of the weights is {}, expected a finite number", exponent);
  }
  double largest = 0, least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    if (!clustered[i]) continue;
    largest = std::max(largest, degrees[i]);
    least = std::min(least, degrees[i]);
  }
  largest = exchange.largest(largest);
  least = -exchange.largest(-least);
  if (largest == 0) fail_argument("all degrees are 0, expected at least one edge");
  const double shift = least == 0 ? 1 : 0;
  std::vector<double> powers(degrees.size(), 0);
  for (std::size_t i = 0; i < powers.size(); ++i) {
    // The largest base becomes 1, so that a positive power cannot overflow.
    if (clustered[i]) powers[i] = std::pow((degrees[i] + shift) / (largest + shift), exponent);
  }
  normalize(exchange, powers, "powers of the degrees");
  return powers;
}

std::vector<double> weights_of(const Exchange& exchange, std::span<const double> degrees,
                               const std::vector<bool>& clustered, const PartitionWeights& wanted,
                               Index count) {
  if (wanted.kind == Weights::degree || wanted.kind == Weights::power) {
    check_degrees(exchange, degrees);
  }
  if (wanted.kind == Weights::power) {
    return powers_of(exchange, degrees, clustered, wanted.exponent);
  }
  std::vector<double> weights(degrees.begin(), degrees.end());
  if (wanted.kind == Weights::degree) {
    normalize(exchange, weights, "degrees");
  } else {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = clustered[i] ? 1.0 / static_cast<double>(count) : 0.0;
    }
  }
  return weights;
}

/// kappa and the largest entry, in one pass over the rows.
void measure(const Exchange& exchange, DistributedSource& source, int threads) {
  const auto rows = static_cast<Index>(source.weights.size());
  // At all places: h_j, and what scales columns.
  std::vector<double> weights = source.weights;
  weights.resize(exchange.places(rows));
  exchange.refresh_all(std::span(weights));
  std::vector<double> right(source.rows.right.begin(), source.rows.right.end());
  if (source.is_modularity) {  // known on ranks without rows, too
    right.resize(weights.size());
    exchange.refresh_all(std::span(right));
  }
  std::vector<double> sums(block_count(rows), 0), largest(sums.size(), 0);
  parallel_for(block_count(rows), threads, [&](Index block, int) {
    double sum = 0, most = 0;
    for_each_entry_of_block(source.rows.csr, block, [&](Index i, NodeId j, double a) {
      const double scale = source.is_modularity ? source.rows.left[i] * right[j] : 1.0;
      const double entry = source.rows.factor * (a * scale);
      sum += weights[i] * (entry * entry * weights[j]);
      most = std::max(most, std::abs(entry));
    });
    sums[block] = sum;
    largest[block] = most;
  });
  source.largest_entry =
      exchange.largest(largest.empty() ? 0.0 : *std::max_element(largest.begin(), largest.end()));
  if (!(source.largest_entry <= largest_entry_to_square)) {
    fail_argument("the structure has an entry of size {}, expected at most {}: its square is used",
                  source.largest_entry, largest_entry_to_square);
  }
  // h sums to 1: no more than the largest square.
  const FixedPoint fixed(source.largest_entry * source.largest_entry);
  Fixed kappa = 0;
  for (const double sum : sums) kappa += fixed.from(sum);
  exchange.sum(std::span(&kappa, 1));
  source.kappa = fixed.to(kappa);
}

}  // namespace

DistributedSource source_of(const DistributedGraph& graph, const Csr& rows,
                            const std::vector<bool>& clustered, const PartitionOptions& options,
                            int threads) {
  const Exchange& exchange = graph.exchange;
  const DistributedGraph part{rows, {}};  // degrees are a matter of rows alone
  std::vector<double> degrees = degrees_of(part, threads);
  DistributedSource source;
  source.clustered = exchange.sum(std::ranges::count(clustered, true));
  PartitionWeights wanted = options.weights;
  source.is_modularity = options.structure.kind != Kind::adjacency;
  if (source.is_modularity) {
    if (rows.has_values()) check_not_negative(graph, rows);
    if (wanted.kind == Weights::automatic) wanted.kind = Weights::degree;
    const Vector scaling =
        inverse_or_zero(Eigen::Map<const Vector>(degrees.data(), std::ssize(degrees)));
    const double volume = sum_over_rows(exchange, degrees);
    source.rows = {with_doubled_self_loops(rows), scaling, scaling, volume / 2};
    source.counts_edges = wanted.kind == Weights::degree;
  } else {
    source.rows = {rows, {}, {}, 1};
    source.counts_edges = wanted.kind == Weights::automatic || wanted.kind == Weights::uniform;
  }
  source.weights = weights_of(exchange, degrees, clustered, wanted, source.clustered);
  source.degrees = std::move(degrees);
  measure(exchange, source, threads);
  return source;
}

WeightedGraph weighted_graph_of(const DistributedGraph& graph, const DistributedSource& source) {
  if (!source.counts_edges) return weigh_pairs(source.rows, source.weights, graph.exchange);
  WeightedGraph weighted = without_diagonal(source.rows.csr);
  weighted.exchange = &graph.exchange;
  if (source.is_modularity) {
    // 2 h_i h_j C_ij is a_ij over the volume, and h_i is d_i over it.
    weighted.mass = source.degrees;
    weighted.total = sum_over_rows(graph.exchange, weighted.mass);
  } else {
    // Adjacency with h = 1/n: 2 a_ij - c for each pair, over n^2.
    for (const double h : source.weights) weighted.mass.push_back(h > 0 ? 1 : 0);
    weighted.total = 2;
  }
  return weighted;
}

}  // namespace srgw::detail
