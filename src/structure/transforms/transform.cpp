// SPDX-License-Identifier: MIT
#include "srgw/transform.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/message.hpp"
#include "structure/transforms/degrees.hpp"

namespace srgw {

namespace {

using namespace detail;

void check_degrees_not_negative(const Vector& degrees) {
  for (Index i = 0; i < degrees.size(); ++i) {
    if (degrees[i] < 0) {
      fail_argument("node {} has degree {}, expected no negative degrees", i, degrees[i]);
    }
  }
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
  if (!std::isfinite(degrees.sum()) && degrees.minCoeff() > 0) {
    return power_weights(at_unit_scale(graph), exponent);
  }
  const double largest = degrees.maxCoeff();
  if (largest == 0) fail_argument("all degrees are 0, expected at least one edge");
  const double shift = degrees.minCoeff() == 0 ? 1 : 0;
  // The largest base becomes 1, so that a positive power cannot overflow.
  const Vector bases = (degrees.array() + shift) / (largest + shift);
  return normalize(bases.array().pow(exponent), "powers of the degrees");
}

Vector degree_weights(const Graph& graph) {
  const Vector degrees = at_unit_scale(graph).degrees();
  check_degrees_not_negative(degrees);
  return normalize(degrees, "degrees");
}

Vector interpolated_weights(VectorView weights, Index count) {
  if (weights.size() < 1 || count < 1) {
    fail_argument("{} weights to be read at {} places, expected at least 1 of each", weights.size(),
                  count);
  }
  Vector sorted = weights;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  Vector result(count);
  for (Index k = 0; k < count; ++k) {
    const double place =
        count == 1 ? 0
                   : static_cast<double>(k * (sorted.size() - 1)) / static_cast<double>(count - 1);
    const auto left = std::min(static_cast<Index>(place), sorted.size() - 1);
    const Index right = std::min(left + 1, sorted.size() - 1);
    const double share = place - static_cast<double>(left);
    result[k] = (1 - share) * sorted[left] + share * sorted[right];
  }
  return normalize(result, "interpolated weights");
}

Source adjacency(const Graph& graph) {
  const auto symmetric = graph.directed() ? std::nullopt : std::optional(true);
  return {Structure::csr(graph.adjacency(), symmetric), uniform_weights(graph.nodes())};
}

Source normalized_adjacency(const Graph& graph) {
  check_undirected(graph, "normalized adjacency");
  check_weights_not_negative(graph, "normalized adjacency");
  const Graph scaled = at_unit_scale(graph);
  const Vector scaling = inverse_or_zero(row_sums(scaled.adjacency()).cwiseSqrt());
  return {Structure::scaled_csr(scaled.adjacency(), scaling, scaling, 1, true),
          uniform_weights(graph.nodes())};
}

Source modularity(const Graph& graph) {
  check_undirected(graph, "modularity");
  check_weights_not_negative(graph, "modularity");
  const Graph scaled = at_unit_scale(graph);
  const Vector degrees = scaled.degrees();
  Vector weights = normalize(degrees, "degrees");
  const Vector scaling = inverse_or_zero(degrees);
  const double w = degrees.sum() / 2;
  const Csr A = with_doubled_self_loops(scaled);
  return {Structure::scaled_csr(A, scaling, scaling, w, true), std::move(weights)};
}

}  // namespace srgw
