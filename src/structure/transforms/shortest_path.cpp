// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "base/zeros.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/transform.hpp"
#include "structure/mirror_triangle.hpp"
#include "structure/transforms/degrees.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Number of edges to every node; `distances` starts at infinity.
template <class Rows>
void breadth_first(const Rows& rows, Index source, std::vector<Index>& queue, double* distances) {
  queue.assign(1, source);
  distances[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Index i = queue[head];
    for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
      const Index j = rows.columns[e];
      if (distances[j] != infinity) continue;
      distances[j] = distances[i] + 1;
      queue.push_back(j);
    }
  }
}

/// Dijkstra with outdated entries left in the heap.
template <class Rows>
void dijkstra(const Rows& rows, Index source, double* distances) {
  StopCounter stop;
  using Reached = std::pair<double, Index>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> heap;
  heap.emplace(0, source);
  distances[source] = 0;
  while (!heap.empty()) {
    const auto [distance, i] = heap.top();
    heap.pop();
    stop.throw_if_stopped();
    if (distance > distances[i]) continue;
    for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
      const Index j = rows.columns[e];
      const double longer = distance + rows.value(e);
      if (!(longer < distances[j])) continue;
      distances[j] = longer;
      heap.emplace(longer, j);
    }
  }
}

Matrix all_distances(const Csr& A, int threads) {
  const Index n = A.rows();
  Matrix distances = zeros(n, n);
  with_rows(A, [&](const auto& rows) {
    std::vector<std::vector<Index>> queues(resolve_threads(threads));
    parallel_for(n, threads, [&](Index i, int worker) {
      double* row = distances.data() + i * n;
      std::fill_n(row, n, infinity);
      if (A.has_values()) {
        dijkstra(rows, i, row);
      } else {
        breadth_first(rows, i, queues[worker], row);
      }
    });
  });
  return distances;
}

void replace_unreachable(Matrix& distances, std::optional<double> unreachable) {
  for (Index i = 0; i < distances.rows(); ++i) {
    for (Index j = 0; j < distances.cols(); ++j) {
      if (distances(i, j) != infinity) continue;
      if (!unreachable) {
        fail_argument(
            "shortest path: no path from node {} to node {}; expected a connected graph, "
            "or a distance for such pairs",
            i, j);
      }
      distances(i, j) = *unreachable;
    }
  }
}

}  // namespace

Source shortest_path(const Graph& graph, std::optional<double> unreachable, int threads) {
  if (unreachable && !std::isfinite(*unreachable)) {
    fail_argument(
        "shortest path: the distance of unconnected nodes is {}, expected a finite number",
        *unreachable);
  }
  check_weights_not_negative(graph, "shortest path");
  check_dense_size(graph.nodes(), "shortest path", "take a part of the graph");
  Matrix distances = all_distances(graph.adjacency(), threads);
  replace_unreachable(distances, unreachable);
  if (!graph.directed()) {  // the same path, added up from its other end
    mirror_triangle(distances, Triangle::upper, threads);
  }
  const auto symmetric = graph.directed() ? std::nullopt : std::optional(true);
  return {Structure::dense(std::move(distances), symmetric), uniform_weights(graph.nodes())};
}

}  // namespace srgw
