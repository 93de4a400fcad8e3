// SPDX-License-Identifier: MIT
#include "communities/search/weighted_graph.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "base/parallel.hpp"
#include "base/row_blocks.hpp"
#include "communities/search/cluster_masses.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"
#include "structure/transforms/degrees.hpp"

namespace srgw::detail {

namespace {

constexpr NodeId none = std::numeric_limits<NodeId>::max();

}  // namespace

std::size_t label_bound(const Assignment& labels) {
  NodeId largest = 0;
  for (const NodeId label : labels) largest = std::max(largest, label);
  return std::size_t{largest} + 1;
}

Members::Members(const Assignment& labels, std::size_t count, std::span<const NodeId> order)
    : offsets(count + 1, 0), nodes(labels.size()) {
  for (const NodeId label : labels) ++offsets[label + std::size_t{1}];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const NodeId i = order.empty() ? static_cast<NodeId>(k) : order[k];
    nodes[next[labels[i]]++] = i;
  }
}

std::size_t compact(Assignment& labels) {
  std::vector<NodeId> names(label_bound(labels), none);
  NodeId count = 0;
  for (NodeId& label : labels) {
    if (names[label] == none) names[label] = count++;
    label = names[label];
  }
  return count;
}

LayerMasses LayerMasses::of_part(std::span<const NodeId> nodes) const {
  LayerMasses part{
      .factors = factors, .totals = std::vector<double>(totals.size(), 0), .masses = {}};
  part.masses.reserve(nodes.size() * totals.size());
  for (const NodeId i : nodes) {
    for (std::size_t l = 0; l < totals.size(); ++l) {
      part.masses.push_back(of(i)[l]);
      part.totals[l] += of(i)[l];
    }
  }
  for (std::size_t l = 0; l < totals.size(); ++l) {
    part.totals[l] = part.totals[l] > 0 ? part.totals[l] / factors[l] : 1;
  }
  return part;
}

WeightedGraph without_diagonal(const Csr& matrix) {
  const Csr kept =
      keep_entries(matrix, [](Index i, Index j, double weight) { return i != j && weight != 0; });
  WeightedGraph graph;
  with_rows(kept, [&](const auto& rows) {
    graph.offsets = std::vector<std::uint64_t>(rows.offsets.begin(), rows.offsets.end());
  });
  graph.columns = kept.columns;
  graph.weights = kept.values;
  return graph;
}

WeightedGraph modularity_graph(const Graph& graph) {
  check_weights_not_negative(graph, "modularity");
  WeightedGraph weighted = without_diagonal(graph.adjacency());
  weighted.mass.resize(graph.nodes());
  weighted.total = 0;
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    if (weighted.weights.empty()) {
      weighted.mass[i] = static_cast<double>(weighted.degree(i));
    } else {
      for (std::uint64_t e = weighted.begin(i); e < weighted.end(i); ++e) {
        weighted.mass[i] += weighted.weights[e];
      }
    }
    weighted.total += weighted.mass[i];
  }
  return weighted;
}

namespace {

/// Contracted rows of some labels, one after the other.
struct Rows {
  std::vector<std::uint64_t> lengths;
  std::vector<NodeId> columns;
  std::vector<double> weights;
};

/// The buffers of a thread that contracts rows.
struct Sums {
  std::vector<double> of_label;  // zero between rows
  std::vector<NodeId> touched;
};

/// Appends the row of label `c`; its mass and what is inside go to `coarse`.
void contract_row(const WeightedGraph& graph, const Assignment& labels, const Members& members,
                  NodeId c, Sums& sums, WeightedGraph& coarse, Rows& rows) {
  double mass = 0, inside = 0;
  sums.touched.clear();
  const std::size_t layers = graph.layers.totals.size();
  for (const NodeId i : members.of(c)) {
    mass += graph.mass[i];
    for (std::size_t l = 0; l < layers; ++l) {
      coarse.layers.masses[c * layers + l] += graph.layers.of(i)[l];
    }
    if (!graph.inside.empty()) inside += graph.inside[i];
    for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
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
  coarse.anchors = std::min(graph.anchors, count);
  coarse.mass.resize(count);
  coarse.layers.factors = graph.layers.factors;
  coarse.layers.totals = graph.layers.totals;
  coarse.layers.masses.assign(count * graph.layers.totals.size(), 0);
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
  std::vector<std::uint64_t> offsets{0};
  offsets.reserve(count + 1);
  for (const Rows& piece : rows) {
    for (const std::uint64_t length : piece.lengths) offsets.push_back(offsets.back() + length);
  }
  coarse.offsets = std::move(offsets);
  if (number == 1) {
    coarse.columns = std::move(rows[0].columns);
    coarse.weights = std::move(rows[0].weights);
    return coarse;
  }
  const std::size_t entries = coarse.offsets[count];
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
  part.anchors = std::ranges::count_if(nodes, [&](NodeId i) { return i < graph.anchors; });
  part.mass.reserve(nodes.size());
  for (const NodeId i : nodes) {
    part.mass.push_back(graph.mass[i]);
    if (!graph.inside.empty()) part.inside.push_back(graph.inside[i]);
    part.total += graph.mass[i];
  }
  part.layers = graph.layers.of_part(nodes);
  const auto for_each_entry_of = [&](std::size_t k, auto&& with) {
    const NodeId i = nodes[k];
    for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
      if (place[graph.columns[e]] != none) with(e);
    }
  };
  std::vector<std::uint64_t> offsets(nodes.size() + 1, 0);
  for_each_row(nodes.size(), threads, [&](std::size_t k) {
    for_each_entry_of(k, [&](std::uint64_t) { ++offsets[k + 1]; });
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  const std::size_t entries = offsets.back();
  auto columns = unwritten<NodeId>(entries);
  auto weights = unwritten<double>(graph.weights.empty() ? 0 : entries);
  for_each_row(nodes.size(), threads, [&](std::size_t k) {
    NodeId* column = columns.get() + offsets[k];
    double* weight = weights.get() + (graph.weights.empty() ? 0 : offsets[k]);
    for_each_entry_of(k, [&](std::uint64_t e) {
      *column++ = place[graph.columns[e]];
      if (!graph.weights.empty()) *weight++ = graph.weights[e];
    });
  });
  part.offsets = std::move(offsets);
  part.columns = shared(std::move(columns), entries);
  if (!graph.weights.empty()) part.weights = shared(std::move(weights), entries);
  return part;
}

double quality(const WeightedGraph& graph, const Assignment& labels, double resolution, int threads,
               const PutAside& aside) {
  const auto counts = [&](NodeId label) { return label < aside.from || aside.mass.has_value(); };
  const auto last = std::min(static_cast<NodeId>(label_bound(labels)), aside.from);
  std::vector<double> masses(std::size_t{last} + 1, 0);  // the last: put aside
  masses[last] = aside.mass.value_or(0);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (counts(labels[i])) masses[std::min(labels[i], last)] += graph.mass[i];
  }
  double inside = 0;
  for (const double sum : block_sums(graph.size(), threads, [&](double sum, std::size_t i) {
         return counts(labels[i]) ? graph.add_inside(sum, labels, i) : sum;
       })) {
    inside += sum;
  }
  if (graph.layers.any()) {
    ClusterMasses clusters(graph, std::size_t{last} + 1);
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (counts(labels[i])) clusters.add(graph, i, std::min(labels[i], last));
    }
    double expected = 0;
    for (std::size_t l = 0; l < graph.layers.totals.size(); ++l) {
      double squares = 0;
      for (std::size_t c = 0; c < clusters.size(); ++c) {
        squares += clusters.of_layers(c)[l] * clusters.of_layers(c)[l];
      }
      expected += resolution * squares / graph.layers.totals[l];
    }
    return (inside - expected) / graph.total;
  }
  double squares = 0;
  for (const double mass : masses) squares += mass * mass;
  return (inside - resolution * squares / graph.total) / graph.total;
}

Assignment lift(const Assignment& coarse_of, const Assignment& coarse_labels) {
  Assignment labels(coarse_of.size());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = coarse_labels[coarse_of[i]];
  return labels;
}

}  // namespace srgw::detail
