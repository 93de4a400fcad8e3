// SPDX-License-Identifier: MIT
#include "structure/transforms/degrees.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "graph/csr_build.hpp"

namespace srgw::detail {

namespace {

constexpr Index most_dense_nodes = 20'000;  // 3.2 GB

}  // namespace

void check_undirected(const Graph& graph, const char* transform) {
  if (graph.directed()) {
    fail_argument("{} of a directed graph, expected an undirected one", transform);
  }
}

void check_weights_not_negative(const Graph& graph, const char* transform) {
  if (!graph.weighted()) return;
  for_each_entry(graph.adjacency(), [&](Index row, Index column, double weight) {
    if (weight < 0) {
      fail_argument("{}: edge ({}, {}) has weight {}, expected no negative weights", transform, row,
                    column, weight);
    }
  });
}

void check_dense_size(Index nodes, const char* transform, const char* remedy) {
  if (nodes <= most_dense_nodes) return;
  fail_resource("{} of {} nodes is a dense array, expected at most {} nodes; {}", transform, nodes,
                most_dense_nodes, remedy);
}

void check_time(double t, const char* transform) {
  if (!(t >= 0 && std::isfinite(t))) {
    fail_argument("{}: t is {}, expected a finite number that is not negative", transform, t);
  }
}

Graph at_unit_scale(const Graph& graph) {
  constexpr int ordinary_exponents = 100;
  if (!graph.weighted()) return graph;
  const Csr& A = graph.adjacency();
  double largest = 0;
  for_each_entry(
      A, [&](Index, Index, double weight) { largest = std::max(largest, std::abs(weight)); });
  // Even, so that roots of degrees have the same bits at every scale.
  const int exponent = largest > 0 ? std::ilogb(largest) / 2 * 2 : 0;
  if (std::abs(exponent) <= ordinary_exponents) return graph;
  const auto scaled = [&](Index, Index, double weight) { return std::ldexp(weight, -exponent); };
  return Graph::from_adjacency(map_values(A, scaled), graph.directed());
}

Vector normalize(const Vector& x, const char* name) {
  const double sum = x.sum();
  if (!(sum > 0 && std::isfinite(sum))) {
    fail_argument("the {} sum to {}, expected a positive finite number", name, sum);
  }
  return x / sum;
}

Vector row_sums(const Csr& A) {
  Vector sums = Vector::Zero(A.rows());
  for_each_entry(A, [&](Index row, Index, double weight) { sums[row] += weight; });
  return sums;
}

Vector inverse_or_zero(const Vector& x) {
  return (x.array() == 0).select(0.0, x.array().inverse()).matrix();
}

Csr double_diagonal(const Csr& A) {
  return map_values(A, [](Index row, Index column, double weight) {
    return row == column ? 2 * weight : weight;
  });
}

Csr with_doubled_self_loops(const Graph& graph) {
  const Csr& A = graph.adjacency();
  // An edge has two entries, a self-loop one.
  return A.entries() == 2 * graph.edges() ? A : with_doubled_self_loops(A);
}

Csr with_doubled_self_loops(const Csr& A) {
  bool loops = false;
  for_each_entry(A, [&](Index row, Index column, double) { loops = loops || row == column; });
  return loops ? double_diagonal(A) : A;
}

}  // namespace srgw::detail
