// SPDX-License-Identifier: MIT
#include "structure/transforms/walk.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/message.hpp"
#include "base/row_blocks.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"
#include "structure/transforms/degrees.hpp"

namespace srgw::detail {

namespace {

constexpr double damping = 0.95;
// The change of a step, summed over the nodes; with jumps the distance to the limit is at most
// damping / (1 - damping) = 19 times as much.
constexpr double settled = 1e-14;
constexpr int most_steps = 100'000;

constexpr Index unreached = -1;

/// Arcs on a shortest way from node 0 to each node; arcs of weight 0 are none.
std::vector<Index> levels_from_first(const Csr& A) {
  std::vector<Index> levels(A.rows(), unreached);
  std::vector<Index> queue = {0};
  levels[0] = 0;
  with_rows(A, [&](const auto& rows) {
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index i = queue[head];
      for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
        const Index j = rows.columns[e];
        if (rows.value(e) == 0 || levels[j] != unreached) continue;
        levels[j] = levels[i] + 1;
        queue.push_back(j);
      }
    }
  });
  return levels;
}

bool all_reached(const std::vector<Index>& levels) {
  return std::ranges::find(levels, unreached) == levels.end();
}

/// The greatest common divisor of the lengths of all cycles of a strongly connected graph: that of
/// level_i + 1 - level_j over all arcs (i, j). 0 without arcs.
Index period(const Csr& A, const std::vector<Index>& levels) {
  Index divisor = 0;
  for_each_entry(A, [&](Index i, Index j, double weight) {
    if (weight > 0) divisor = std::gcd(divisor, levels[i] + 1 - levels[j]);
  });
  return divisor;
}

DirectedWalk::Kind kind_of(const Csr& A, const Csr& transposed) {
  const std::vector<Index> levels = levels_from_first(A);
  const bool connected = all_reached(levels) && all_reached(levels_from_first(transposed));
  const Index cycles = connected ? period(A, levels) : 0;
  if (cycles == 0) return DirectedWalk::Kind::teleporting;
  return cycles == 1 ? DirectedWalk::Kind::plain : DirectedWalk::Kind::lazy;
}

/// A_ij / sum_j A_ij by columns j; rows without arcs stay empty.
Csr transition_by_column(const Csr& transposed, const Vector& out) {
  return map_values(transposed, [&](Index, Index i, double weight) {
    return weight == 0 ? 0.0 : weight / out[i];
  });
}

/// The chance that node i jumps: P_ij = stay W_ij + jump_i / n.
Vector jump_chances(const Vector& out) {
  return (out.array() == 0).select(1.0, Vector::Constant(out.size(), 1 - damping)).matrix();
}

/// p' = p'P by power iteration. Without jumps it is made with the lazy walk, which has the same
/// limit and always gets there.
Vector stationary_of(const Csr& by_column, const Vector& jumps, int threads) {
  const Index n = by_column.rows();
  const bool jumping = jumps.size() > 0;
  const double moved = jumping ? damping : 0.5;
  Vector p = Vector::Constant(n, 1.0 / static_cast<double>(n));
  Vector next(n);
  double change = 0;
  for (int step = 0; step < most_steps; ++step) {
    const double landed = jumping ? p.dot(jumps) / static_cast<double>(n) : 0.0;
    with_rows(by_column, [&](const auto& rows) {
      for_each_row(n, threads, [&](Index j) {
        double sum = 0;
        for (std::size_t e = rows.begin(j); e < rows.end(j); ++e) {
          sum += rows.value(e) * p[rows.columns[e]];
        }
        next[j] = moved * sum + (jumping ? landed : 0.5 * p[j]);
      });
    });
    next /= next.sum();
    change = (next - p).cwiseAbs().sum();
    std::swap(p, next);
    if (change <= settled) return p;
  }
  fail_resource(
      "the random walk on {} nodes still moves by {} after {} steps, expected at most {}; "
      "take the undirected graph",
      n, change, most_steps, settled);
}

/// (S W S^-1 + S^-1 W'S)/2 times `moved`, with `stay` added on the diagonal.
Csr mean_of_both_directions(const Csr& W, const Csr& by_column, const Vector& s, double moved,
                            double stay) {
  Csr mean = unite(W, by_column, [&](const EntryPair& pair) {
    const double there = pair.first ? *pair.first * (s[pair.row] / s[pair.column]) : 0.0;
    const double back = pair.second ? *pair.second * (s[pair.column] / s[pair.row]) : 0.0;
    return moved * std::midpoint(there, back);
  });
  if (stay == 0) return mean;
  CsrBuilder diagonal(W.rows(), W.rows());
  for (Index i = 0; i < W.rows(); ++i) diagonal.add(i, i, stay);
  return unite(mean, std::move(diagonal).finish(W.rows()), [](const EntryPair& pair) {
    return pair.first.value_or(0) + pair.second.value_or(0);
  });
}

}  // namespace

Walk undirected_walk(const Graph& graph, const char* transform) {
  check_undirected(graph, transform);
  check_weights_not_negative(graph, transform);
  const Vector sums = row_sums(graph.adjacency());
  const double shift = sums.minCoeff() == 0 ? 1 : 0;
  return {.entries = graph.adjacency(),
          .scale = (sums.array() + shift).sqrt().inverse().matrix(),
          .u = {},
          .v = {}};
}

Walk stability_walk(const Graph& graph, const char* transform) {
  check_undirected(graph, transform);
  check_weights_not_negative(graph, transform);
  return {.entries = with_doubled_self_loops(graph),
          .scale = inverse_or_zero(graph.degrees().cwiseSqrt()),
          .u = {},
          .v = {}};
}

DirectedWalk directed_walk(const Graph& graph, const char* transform, int threads) {
  using Kind = DirectedWalk::Kind;
  check_weights_not_negative(graph, transform);
  const Csr& A = graph.adjacency();
  const Csr transposed = transpose(A);
  const Vector out = row_sums(A);
  const Csr by_column = transition_by_column(transposed, out);

  DirectedWalk result;
  result.kind = kind_of(A, transposed);
  const bool jumping = result.kind == Kind::teleporting;
  const Vector jumps = jumping ? jump_chances(out) : Vector();
  result.stationary = stationary_of(by_column, jumps, threads);
  const Vector s = result.stationary.cwiseSqrt();
  if (!(s.minCoeff() > 0)) {
    fail_argument("{}: a node is visited with probability 0 in floating point; {}", transform,
                  "expected arcs whose weights differ less");
  }
  const double moved = jumping ? damping : result.kind == Kind::lazy ? 0.5 : 1.0;
  const double stay = result.kind == Kind::lazy ? 0.5 : 0.0;
  result.walk.entries = mean_of_both_directions(transpose(by_column), by_column, s, moved, stay);
  if (jumping) {  // S (jumps 1'/n) S^-1 = u v'
    result.walk.u = s.cwiseProduct(jumps);
    result.walk.v = s.cwiseInverse() / static_cast<double>(graph.nodes());
  }
  return result;
}

double largest_eigenvalue_bound(const Walk& walk, double slack, int threads) {
  constexpr int steps = 100;
  const Index n = walk.size();
  // (N + I)x, so that bipartite graphs settle too; its entries stay positive.
  Vector x = Vector::Ones(n);
  Vector next(n);
  double bound = 1;
  for (int step = 0; step < steps; ++step) {
    apply_walk(walk, x.data(), 1, next.data(), threads);
    next += x;
    // Collatz and Wielandt: no eigenvalue of N is above max_i (N x)_i / x_i for a positive x, and
    // one is at least x'N x / x'x.
    bound = std::min(bound, (next.cwiseQuotient(x).array() - 1).maxCoeff());
    if (bound - (next.dot(x) / x.squaredNorm() - 1) <= slack) break;
    x = next / next.maxCoeff();
  }
  return std::max(bound, 0.0);
}

Walk heat_walk(const Graph& graph, int threads) {
  return graph.directed() ? directed_walk(graph, "heat kernel", threads).walk
                          : undirected_walk(graph, "heat kernel");
}

}  // namespace srgw::detail
