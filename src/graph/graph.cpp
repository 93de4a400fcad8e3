// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/message.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"
#include "graph/edges.hpp"
#include "graph/symmetry.hpp"

namespace srgw {

namespace {

using detail::EntryPair;
using detail::fail_argument;
using detail::symmetry_tolerance;

void check_entries(Index rows, std::span<const Entry> entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (std::max(entry.row, entry.column) >= rows) {
      fail_argument("entry {} is at ({}, {}), expected indices below {}", i, entry.row,
                    entry.column, rows);
    }
    if (!std::isfinite(entry.value)) {
      fail_argument("entry {} at ({}, {}) is {}, expected a finite number", i, entry.row,
                    entry.column, entry.value);
    }
  }
}

bool before(const Entry& a, const Entry& b) {
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}

/// Throws the error about the first place, by row and then column, that is given twice; there must
/// be one.
[[noreturn]] void fail_duplicate(std::span<const Entry> entries) {
  const auto fail = [](const Entry& first, double second) {
    fail_argument(
        "({}, {}) is given twice, as {} and {}; expected once, or a rule for duplicates: sum, "
        "maximum or first",
        first.row, first.column, first.value, second);
  };
  std::vector<Entry> sorted(entries.begin(), entries.end());
  std::stable_sort(sorted.begin(), sorted.end(), before);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (!before(sorted[i - 1], sorted[i])) fail(sorted[i - 1], sorted[i].value);
  }
  // Each is fine by itself: both directions of an edge contradict each other.
  for (const Entry& entry : sorted) {
    const Entry turned{entry.column, entry.row};
    const auto other = std::lower_bound(sorted.begin(), sorted.end(), turned, before);
    if (other == sorted.end() || before(turned, *other) || other->value == entry.value) continue;
    fail(entry, other->value);
  }
  fail_argument("an entry is given twice, expected once");
}

/// A pair whose weights differ by more than rounding.
std::optional<EntryPair> find_asymmetry(const Csr& rows, const Csr& transposed) {
  std::optional<EntryPair> found;
  detail::for_each_pair(rows, transposed, [&](const EntryPair& pair) {
    const double weight = pair.first.value_or(0);
    const double mirror = pair.second.value_or(0);
    const double bound = symmetry_tolerance * std::max(std::abs(weight), std::abs(mirror));
    if (!found && !(std::abs(weight - mirror) <= bound)) found = pair;
  });
  return found;
}

Index count_self_loops(const Csr& adjacency) {
  Index loops = 0;
  detail::for_each_entry(adjacency,
                         [&](Index row, Index column, double) { loops += row == column ? 1 : 0; });
  return loops;
}

}  // namespace

void detail::check_symmetric(const Csr& rows, const Csr& transposed, Index first_row) {
  if (const auto pair = find_asymmetry(rows, transposed)) {
    fail_argument(
        "weight ({0}, {1}) is {2} but ({1}, {0}) is {3}, expected equal weights or a directed "
        "graph",
        first_row + pair->row, pair->column, pair->first.value_or(0), pair->second.value_or(0));
  }
}

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
  detail::check_row_count(nodes);
  check_entries(nodes, edges);
  detail::EdgeChunk chunk;
  chunk.reserve(edges.size());
  for (const Entry& edge : edges) chunk.add(edge.row, edge.column, edge.value);
  detail::EdgeList list{.nodes = nodes, .directed = directed};
  list.chunks.push_back(std::move(chunk));
  return detail::make_graph(std::move(list), duplicates, 1,
                            [&](const detail::DuplicateEdge&) { fail_duplicate(edges); });
}

Csr make_csr(Index rows, std::span<const Entry> entries, Duplicates duplicates) {
  Csr csr = Graph::from_edges(rows, entries, true, duplicates).adjacency();
  // Unlike an edge, an entry may not be repeated even if it is 1.
  if (duplicates == Duplicates::refuse && csr.columns.size() != entries.size()) {
    fail_duplicate(entries);
  }
  return csr;
}

Graph Graph::from_adjacency(Csr adjacency, bool directed) {
  check(adjacency);
  if (!directed && !detail::find_mirrors(adjacency, 1).complete) {
    detail::check_symmetric(adjacency, transpose(adjacency));
  }
  return Graph(std::move(adjacency), directed);
}

Graph Graph::from_matrix(Csr matrix) {
  check(matrix);
  const bool directed = !detail::find_mirrors(matrix, 1).complete &&
                        find_asymmetry(matrix, transpose(matrix)).has_value();
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
  return Graph(detail::unite(adjacency_, transpose(adjacency_), detail::larger_weight), false);
}

}  // namespace srgw
