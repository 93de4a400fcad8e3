// SPDX-License-Identifier: MIT
#include "communities/search/weighted_graph.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "base/parallel.hpp"
#include "base/union_find.hpp"

namespace srgw::detail {

namespace {

constexpr NodeId none = std::numeric_limits<NodeId>::max();

/// The nodes of each label, one label after the other.
struct Members {
  std::vector<std::uint64_t> offsets;
  std::vector<NodeId> nodes;

  Members(const Assignment& labels, std::size_t count)
      : offsets(count + 1, 0), nodes(labels.size()) {
    for (const NodeId label : labels) ++offsets[label + std::size_t{1}];
    for (std::size_t c = 0; c < count; ++c) offsets[c + 1] += offsets[c];
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      nodes[next[labels[i]]++] = static_cast<NodeId>(i);
    }
  }
};

}  // namespace

std::size_t compact(Assignment& labels) {
  NodeId largest = 0;
  for (const NodeId label : labels) largest = std::max(largest, label);
  std::vector<NodeId> names(std::size_t{largest} + 1, none);
  NodeId count = 0;
  for (NodeId& label : labels) {
    if (names[label] == none) names[label] = count++;
    label = names[label];
  }
  return count;
}

namespace {

/// Contracted rows of some labels, one after the other.
struct Rows {
  std::vector<std::uint64_t> lengths;
  std::vector<NodeId> columns;
  std::vector<double> weights;
};

/// What a thread needs to contract rows.
struct Sums {
  std::vector<double> of_label;  // zero between rows
  std::vector<NodeId> touched;
};

/// Appends the row of label `c`; its mass and what is inside go to `coarse`.
void contract_row(const WeightedGraph& graph, const Assignment& labels, const Members& members,
                  NodeId c, Sums& sums, WeightedGraph& coarse, Rows& rows) {
  double mass = 0, inside = 0;
  sums.touched.clear();
  for (std::uint64_t k = members.offsets[c]; k < members.offsets[c + std::size_t{1}]; ++k) {
    const NodeId i = members.nodes[k];
    mass += graph.mass[i];
    if (!graph.inside.empty()) inside += graph.inside[i];
    for (std::uint64_t e = graph.offsets[i]; e < graph.offsets[i + std::size_t{1}]; ++e) {
      const NodeId other = labels[graph.columns[e]];
      const double weight = graph.weight(e);
      if (other == c) {
        inside += weight;
      } else {
        if (sums.of_label[other] == 0) sums.touched.push_back(other);
        sums.of_label[other] += weight;
      }
    }
  }
  coarse.mass[c] = mass;
  coarse.inside[c] = inside;
  const std::size_t before = rows.columns.size();
  for (const NodeId other : sums.touched) {
    if (sums.of_label[other] == 0) continue;  // named twice: weights that cancelled on the way
    rows.columns.push_back(other);
    rows.weights.push_back(sums.of_label[other]);
    sums.of_label[other] = 0;
  }
  rows.lengths.push_back(rows.columns.size() - before);
}

/// Labels cut into pieces of about as many nodes; the first label of each, and the end.
std::vector<std::size_t> pieces_of(const Members& members, std::size_t count) {
  constexpr std::uint64_t nodes_of_piece = 4096;
  std::vector<std::size_t> pieces{0};
  for (std::size_t c = 1; c < count; ++c) {
    if (members.offsets[c] - members.offsets[pieces.back()] >= nodes_of_piece) pieces.push_back(c);
  }
  pieces.push_back(count);
  return pieces;
}

/// An array that is written later, on several threads.
template <class T>
std::shared_ptr<T[]> unwritten(std::size_t size) {
  return std::make_shared_for_overwrite<T[]>(size);
}

template <class T>
SharedArray<T> shared(std::shared_ptr<T[]> values, std::size_t size) {
  const std::span<const T> view(values.get(), size);
  return {view, std::move(values)};
}

}  // namespace

WeightedGraph contract(const WeightedGraph& graph, const Assignment& labels, std::size_t count,
                       int threads) {
  const Members members(labels, count);
  const std::vector<std::size_t> pieces = pieces_of(members, count);
  const auto number = static_cast<Index>(pieces.size()) - 1;
  WeightedGraph coarse;
  coarse.total = graph.total;
  coarse.mass.resize(count);
  coarse.inside.resize(count);
  std::vector<Rows> rows(number);
  std::vector<Sums> sums(std::max(threads, 1));
  parallel_for(number, threads, [&](Index piece, int worker) {
    const std::size_t p = piece;
    Sums& own = sums[worker];
    if (own.of_label.empty()) own.of_label.assign(count, 0);
    for (std::size_t c = pieces[p]; c < pieces[p + 1]; ++c) {
      contract_row(graph, labels, members, static_cast<NodeId>(c), own, coarse, rows[p]);
    }
  });
  coarse.offsets.reserve(count + 1);
  coarse.offsets.push_back(0);
  for (const Rows& piece : rows) {
    for (const std::uint64_t length : piece.lengths) {
      coarse.offsets.push_back(coarse.offsets.back() + length);
    }
  }
  if (number == 1) {
    coarse.columns = std::move(rows[0].columns);
    coarse.weights = std::move(rows[0].weights);
    return coarse;
  }
  const std::size_t entries = coarse.offsets.back();
  auto columns = unwritten<NodeId>(entries);
  auto weights = unwritten<double>(entries);
  parallel_for(number, threads, [&](Index piece, int) {
    const std::size_t p = piece;
    const std::uint64_t first = coarse.offsets[pieces[p]];
    std::ranges::copy(rows[p].columns, columns.get() + first);
    std::ranges::copy(rows[p].weights, weights.get() + first);
    rows[p] = {};
  });
  coarse.columns = shared(std::move(columns), entries);
  coarse.weights = shared(std::move(weights), entries);
  return coarse;
}

WeightedGraph induced(const WeightedGraph& graph, const std::vector<NodeId>& nodes, int threads) {
  std::vector<NodeId> place(graph.size(), none);
  for (std::size_t k = 0; k < nodes.size(); ++k) place[nodes[k]] = static_cast<NodeId>(k);
  WeightedGraph part;
  part.total = 0;
  part.mass.reserve(nodes.size());
  for (const NodeId i : nodes) {
    part.mass.push_back(graph.mass[i]);
    if (!graph.inside.empty()) part.inside.push_back(graph.inside[i]);
    part.total += graph.mass[i];
  }
  const auto for_each_entry = [&](std::size_t k, auto&& with) {
    const NodeId i = nodes[k];
    for (std::uint64_t e = graph.offsets[i]; e < graph.offsets[i + std::size_t{1}]; ++e) {
      if (place[graph.columns[e]] != none) with(e);
    }
  };
  const auto rows = static_cast<Index>(nodes.size());
  const auto for_each_row = [&](auto&& with) {
    parallel_for(block_count(rows), threads, [&](Index block, int) {
      const std::size_t last = std::min(rows, (block + 1) * block_rows);
      for (std::size_t k = block * block_rows; k < last; ++k) with(k);
    });
  };
  part.offsets.assign(nodes.size() + 1, 0);
  for_each_row([&](std::size_t k) {
    std::uint64_t length = 0;
    for_each_entry(k, [&](std::uint64_t) { ++length; });
    part.offsets[k + 1] = length;
  });
  std::partial_sum(part.offsets.begin(), part.offsets.end(), part.offsets.begin());
  const std::size_t entries = part.offsets.back();
  auto columns = unwritten<NodeId>(entries);
  auto weights = unwritten<double>(graph.weights.empty() ? 0 : entries);
  for_each_row([&](std::size_t k) {
    NodeId* column = columns.get() + part.offsets[k];
    double* weight = weights.get() + (graph.weights.empty() ? 0 : part.offsets[k]);
    for_each_entry(k, [&](std::uint64_t e) {
      *column++ = place[graph.columns[e]];
      if (!graph.weights.empty()) *weight++ = graph.weights[e];
    });
  });
  part.columns = shared(std::move(columns), entries);
  if (!graph.weights.empty()) part.weights = shared(std::move(weights), entries);
  return part;
}

double quality(const WeightedGraph& graph, const Assignment& labels, double resolution,
               int threads) {
  NodeId largest = 0;
  for (const NodeId label : labels) largest = std::max(largest, label);
  std::vector<double> masses(std::size_t{largest} + 1, 0);
  for (std::size_t i = 0; i < graph.size(); ++i) masses[labels[i]] += graph.mass[i];
  const auto rows = static_cast<Index>(graph.size());
  std::vector<double> sums(block_count(rows), 0);
  parallel_for(block_count(rows), threads, [&](Index block, int) {
    const std::size_t last = std::min(rows, (block + 1) * block_rows);
    double sum = 0;
    for (std::size_t i = block * block_rows; i < last; ++i) {
      if (!graph.inside.empty()) sum += graph.inside[i];
      for (std::uint64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
        if (labels[graph.columns[e]] == labels[i]) sum += graph.weight(e);
      }
    }
    sums[block] = sum;
  });
  double inside = 0, squares = 0;
  for (const double sum : sums) inside += sum;
  for (const double mass : masses) squares += mass * mass;
  return (inside - resolution * squares / graph.total) / graph.total;
}

Assignment lift(const Assignment& coarse_of, const Assignment& coarse_labels) {
  Assignment labels(coarse_of.size());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = coarse_labels[coarse_of[i]];
  return labels;
}

namespace {

/// The root of most of some nodes.
NodeId frequent_root(UnionFind& sets, std::size_t size) {
  constexpr std::size_t sample = 256;
  std::vector<NodeId> roots;
  for (std::size_t k = 0; k < std::min(sample, size); ++k) {
    roots.push_back(sets.root(static_cast<NodeId>(k * size / std::min(sample, size))));
  }
  std::ranges::sort(roots);
  std::size_t longest = 0;
  NodeId found = none;
  for (std::size_t begin = 0, end = 0; begin < roots.size(); begin = end) {
    while (end < roots.size() && roots[end] == roots[begin]) ++end;
    if (end - begin > longest) {
      longest = end - begin;
      found = roots[begin];
    }
  }
  return found;
}

}  // namespace

Components components(const WeightedGraph& graph) {
  // A few edges of each node join most of what belongs together. What runs between the largest
  // tree and the rest is seen from the rest, so the other edges of that tree need not be looked at
  // (Sutton, Ben-Nun and Barak: Optimizing parallel graph connectivity computation via subgraph
  // sampling, 2018).
  constexpr std::uint64_t few = 2;
  UnionFind sets(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const std::uint64_t end = std::min(graph.offsets[i] + few, graph.offsets[i + 1]);
    for (std::uint64_t e = graph.offsets[i]; e < end; ++e) {
      sets.join(static_cast<NodeId>(i), graph.columns[e]);
    }
  }
  const NodeId largest = frequent_root(sets, graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (sets.root(static_cast<NodeId>(i)) == sets.root(largest)) continue;
    for (std::uint64_t e = graph.offsets[i] + few; e < graph.offsets[i + 1]; ++e) {
      sets.join(static_cast<NodeId>(i), graph.columns[e]);
    }
  }
  Components found{Assignment(graph.size()), 0};
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const NodeId root = sets.root(static_cast<NodeId>(i));  // the first node of the component
    found.labels[i] = root == i ? static_cast<NodeId>(found.count++) : found.labels[root];
  }
  return found;
}

}  // namespace srgw::detail
