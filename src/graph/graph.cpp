// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/message.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"

namespace srgw {

namespace {

using detail::EntryPair;
using detail::symmetry_tolerance;

bool all_weights_are_one(std::span<const Entry> edges) {
  return std::all_of(edges.begin(), edges.end(), [](const Entry& e) { return e.value == 1; });
}

/// The same edges, each from its smaller end.
std::vector<Entry> oriented_upwards(std::span<const Entry> edges) {
  std::vector<Entry> result(edges.begin(), edges.end());
  for (Entry& edge : result) {
    if (edge.row > edge.column) std::swap(edge.row, edge.column);
  }
  return result;
}

/// Both rows of each edge. An edge that is given in both directions is one edge when the weights
/// agree, and else a duplicate.
Csr mirrored(const Csr& arcs, Duplicates duplicates) {
  return detail::unite(arcs, transpose(arcs), [&](const EntryPair& pair) {
    if (!pair.first) return *pair.second;
    if (!pair.second || *pair.first == *pair.second) return *pair.first;
    return detail::merge_duplicates(duplicates, pair.row, pair.column, *pair.first, *pair.second);
  });
}

/// A pair whose weights differ by more than rounding.
std::optional<EntryPair> find_asymmetry(const Csr& adjacency) {
  std::optional<EntryPair> found;
  detail::for_each_pair(adjacency, transpose(adjacency), [&](const EntryPair& pair) {
    const double weight = pair.first.value_or(0);
    const double mirror = pair.second.value_or(0);
    const double bound = symmetry_tolerance * std::max(std::abs(weight), std::abs(mirror));
    if (!found && !(std::abs(weight - mirror) <= bound)) found = pair;
  });
  return found;
}

void check_symmetric(const Csr& adjacency) {
  if (const auto pair = find_asymmetry(adjacency)) {
    detail::fail_argument(
        "weight ({0}, {1}) is {2} but ({1}, {0}) is {3}, expected equal weights or a directed "
        "graph",
        pair->row, pair->column, pair->first.value_or(0), pair->second.value_or(0));
  }
}

Index count_self_loops(const Csr& adjacency) {
  Index loops = 0;
  detail::for_each_entry(adjacency,
                         [&](Index row, Index column, double) { loops += row == column ? 1 : 0; });
  return loops;
}

}  // namespace

Graph::Graph(Csr adjacency, bool directed)
    : adjacency_(std::move(adjacency)),
      edges_(directed ? adjacency_.entries()
                      : (adjacency_.entries() + count_self_loops(adjacency_)) / 2),
      directed_(directed) {}

Graph::Graph(Trusted parts)
    : adjacency_(std::move(parts.adjacency)),
      edges_(parts.directed ? adjacency_.entries() : (adjacency_.entries() + parts.self_loops) / 2),
      directed_(parts.directed) {}

NodeId Graph::node_id(std::int64_t node) {
  if (node < 0 || node > std::numeric_limits<NodeId>::max()) {
    detail::fail_argument("an edge names node {}, expected one from 0 to {}", node,
                          std::numeric_limits<NodeId>::max());
  }
  return static_cast<NodeId>(node);
}

Graph Graph::from_edges(Index nodes, std::span<const Entry> edges, bool directed,
                        Duplicates duplicates) {
  const bool weighted = !all_weights_are_one(edges);
  // Without weights an edge that is given again says nothing new.
  if (!weighted && duplicates == Duplicates::refuse) duplicates = Duplicates::first;
  if (directed) return Graph(make_csr(nodes, edges, duplicates), true);
  // Which of two directions came first is seen only when both are written as one.
  if (weighted && duplicates == Duplicates::first) {
    return Graph(mirrored(make_csr(nodes, oriented_upwards(edges), duplicates), duplicates), false);
  }
  return Graph(mirrored(make_csr(nodes, edges, duplicates), duplicates), false);
}

Graph Graph::from_adjacency(Csr adjacency, bool directed) {
  check(adjacency);
  if (!directed) check_symmetric(adjacency);
  return Graph(std::move(adjacency), directed);
}

Graph Graph::from_matrix(Csr matrix) {
  check(matrix);
  const bool directed = find_asymmetry(matrix).has_value();
  return Graph(std::move(matrix), directed);
}

Vector Graph::degrees() const {
  Vector degrees = Vector::Zero(nodes());
  if (!directed_ && !weighted() && adjacency_.entries() == 2 * edges_) {  // and no self-loops
    detail::with_rows(adjacency_, [&](const auto& rows) {
      for (Index row = 0; row < rows.size(); ++row) {
        degrees[row] = static_cast<double>(rows.end(row) - rows.begin(row));
      }
    });
    return degrees;
  }
  detail::for_each_entry(adjacency_, [&](Index row, Index column, double weight) {
    degrees[row] += weight;
    // The other end of an undirected edge has a row of its own, unless the edge is a self-loop.
    if (directed_ || row == column) degrees[column] += weight;
  });
  return degrees;
}

Graph Graph::undirected() const {
  if (!directed_) return *this;
  return Graph(mirrored(adjacency_, Duplicates::maximum), false);
}

}  // namespace srgw
