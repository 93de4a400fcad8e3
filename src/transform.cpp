// SPDX-License-Identifier: MIT
#include "srgw/transform.hpp"

#include <cmath>
#include <limits>

#include "csr_rows.hpp"
#include "message.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::for_each_entry;

void check_undirected(const Graph& graph, const char* transform) {
  if (graph.directed()) {
    fail_argument("{} of a directed graph, expected an undirected one", transform);
  }
}

void check_weights_not_negative(const Graph& graph, const char* transform) {
  for_each_entry(graph.adjacency(), [&](Index row, Index column, double weight) {
    if (weight < 0) {
      fail_argument("{}: edge ({}, {}) has weight {}, expected no negative weights", transform, row,
                    column, weight);
    }
  });
}

void check_degrees_not_negative(const Vector& degrees) {
  for (Index i = 0; i < degrees.size(); ++i) {
    if (degrees[i] < 0) {
      fail_argument("node {} has degree {}, expected no negative degrees", i, degrees[i]);
    }
  }
}

/// x / sum(x), for numbers that are not negative.
Vector normalized(const Vector& x, const char* name) {
  const double sum = x.sum();
  if (!(sum > 0 && std::isfinite(sum))) {
    fail_argument("the {} sum to {}, expected a positive finite number", name, sum);
  }
  return x / sum;
}

/// Sums of the rows of A; a self-loop counts once.
Vector row_sums(const Csr& A) {
  Vector sums = Vector::Zero(A.rows());
  for_each_entry(A, [&](Index row, Index, double weight) { sums[row] += weight; });
  return sums;
}

/// 1/x, and 0 where x is 0: rows of nodes without edges are empty, and any finite factor will do.
Vector inverse_or_zero(const Vector& x) {
  return (x.array() == 0).select(0.0, x.array().inverse()).matrix();
}

bool has_self_loops(const Csr& A) {
  bool found = false;
  for_each_entry(A, [&](Index row, Index column, double) { found = found || row == column; });
  return found;
}

/// A with its diagonal doubled. The pattern is shared, and without self-loops so is everything.
Csr with_doubled_self_loops(const Csr& A) {
  if (!has_self_loops(A)) return A;
  std::vector<double> values;
  values.reserve(A.columns.size());
  for_each_entry(A, [&](Index row, Index column, double weight) {
    values.push_back(row == column ? 2 * weight : weight);
  });
  return {.offsets = A.offsets, .columns = A.columns, .values = std::move(values)};
}

}  // namespace

Vector uniform_weights(Index nodes) {
  if (nodes < 1) fail_argument("weights of {} nodes, expected at least 1", nodes);
  return Vector::Constant(nodes, 1.0 / static_cast<double>(nodes));
}

Vector power_weights(const Graph& graph, double exponent) {
  if (!std::isfinite(exponent)) {
    fail_argument("the exponent of the weights is {}, expected a finite number", exponent);
  }
  const Vector degrees = graph.degrees();
  check_degrees_not_negative(degrees);
  const double largest = degrees.maxCoeff();
  if (largest == 0) fail_argument("all degrees are 0, expected at least one edge");
  const double shift = degrees.minCoeff() == 0 ? 1 : 0;
  // The largest base becomes 1, so that a positive power cannot overflow.
  const Vector bases = (degrees.array() + shift) / (largest + shift);
  return normalized(bases.array().pow(exponent), "powers of the degrees");
}

Vector degree_weights(const Graph& graph) {
  const Vector degrees = graph.degrees();
  check_degrees_not_negative(degrees);
  return normalized(degrees, "degrees");
}

Source adjacency(const Graph& graph) {
  const auto symmetric = graph.directed() ? std::nullopt : std::optional(true);
  return {Structure::csr(graph.adjacency(), symmetric), uniform_weights(graph.nodes())};
}

Source normalized_adjacency(const Graph& graph) {
  check_undirected(graph, "normalized adjacency");
  check_weights_not_negative(graph, "normalized adjacency");
  const Vector scaling = inverse_or_zero(row_sums(graph.adjacency()).cwiseSqrt());
  return {Structure::scaled_csr(graph.adjacency(), scaling, scaling, 1, true),
          uniform_weights(graph.nodes())};
}

Source modularity(const Graph& graph) {
  check_undirected(graph, "modularity");
  check_weights_not_negative(graph, "modularity");
  const Vector degrees = graph.degrees();
  Vector weights = normalized(degrees, "degrees");
  const Vector scaling = inverse_or_zero(degrees);
  const double w = degrees.sum() / 2;
  const Csr A = with_doubled_self_loops(graph.adjacency());
  return {Structure::scaled_csr(A, scaling, scaling, w, true), std::move(weights)};
}

}  // namespace srgw
