// SPDX-License-Identifier: MIT
#include "communities/search/shared_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t few = 256;  // labels, whose pairs fit the cache

/// Calls `add(sums, node)` for all nodes and gives the sums, of which each thread has its own.
template <class Add>
std::vector<std::int64_t> sum_over_nodes(const WeightedGraph& graph, std::size_t count, int threads,
                                         const Add& add) {
  std::vector<std::vector<std::int64_t>> sums(std::max(threads, 1));
  for_each_block(graph.size(), threads,
                 [&](Index, std::size_t first, std::size_t last, int worker) {
                   auto& own = sums[worker];
                   if (own.empty()) own.assign(count, 0);
                   for (std::size_t i = first; i < last; ++i) add(own, i);
                 });
  std::vector<std::int64_t> result(count, 0);
  for (const auto& own : sums) {
    for (std::size_t k = 0; k < own.size(); ++k) result[k] += own[k];
  }
  return result;
}

/// Weight between labels a and b, from all nodes of a.
struct Link {
  NodeId a = 0, b = 0;
  std::int64_t weight = 0;
};

/// Links of the rows here, each pair once, in order.
std::vector<Link> own_links(const WeightedGraph& graph, const Assignment& labels,
                            const Quanta& quanta) {
  std::vector<NodeId> order(graph.size());
  std::iota(order.begin(), order.end(), NodeId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId i, NodeId j) { return labels[i] < labels[j]; });
  std::vector<Link> links;
  std::vector<std::int64_t> sums;
  std::vector<NodeId> touched;
  for (std::size_t k = 0; k < order.size();) {
    const NodeId a = labels[order[k]];
    touched.clear();
    for (; k < order.size() && labels[order[k]] == a; ++k) {
      const NodeId i = order[k];
      const auto add = [&](NodeId b, double weight) {
        if (b >= sums.size()) sums.resize(std::size_t{b} + 1, 0);
        if (sums[b] == 0) touched.push_back(b);
        sums[b] += quanta.from(weight);
      };
      if (!graph.inside.empty()) add(a, graph.inside[i]);
      for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
        add(labels[graph.columns[e]], graph.weight(e));
      }
    }
    std::ranges::sort(touched);
    for (const NodeId b : touched) {
      if (sums[b] != 0) links.push_back({a, b, sums[b]});
      sums[b] = 0;
    }
  }
  return links;
}

/// Links of all ranks.
std::vector<Link> all_links(const WeightedGraph& graph, const Assignment& labels,
                            const Quanta& quanta) {
  std::vector<Link> own = own_links(graph, labels, quanta);
  if (graph.exchange->alone()) return own;
  auto all = items_of<Link>(graph.exchange->join(std::as_bytes(std::span(own))));
  std::ranges::sort(
      all, [](const Link& x, const Link& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  std::vector<Link> links;
  for (const Link& link : all) {
    if (!links.empty() && links.back().a == link.a && links.back().b == link.b) {
      links.back().weight += link.weight;
    } else {
      links.push_back(link);
    }
  }
  return links;
}

/// The same of few labels, through the array of all pairs.
std::vector<Link> links_of_few(const WeightedGraph& graph, const Assignment& labels,
                               std::size_t count, const Quanta& quanta, int threads) {
  auto sums = sum_over_nodes(graph, count * count, threads, [&](auto& own, std::size_t i) {
    std::int64_t* const row = own.data() + count * labels[i];
    if (graph.weights.empty()) {
      const std::int64_t one = quanta.from(1);
      for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
        row[labels[graph.columns[e]]] += one;
      }
    } else {
      for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
        row[labels[graph.columns[e]]] += quanta.from(graph.weights[e]);
      }
    }
    if (!graph.inside.empty()) row[labels[i]] += quanta.from(graph.inside[i]);
  });
  graph.exchange->sum(sums);
  std::vector<Link> links;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      const std::int64_t sum = sums[count * a + b];
      if (sum != 0) links.push_back({static_cast<NodeId>(a), static_cast<NodeId>(b), sum});
    }
  }
  return links;
}

}  // namespace

double sum_of_masses(const WeightedGraph& graph) {
  return sum_over_rows(*graph.exchange, graph.size(), 1,
                       [&](std::size_t i) { return std::abs(graph.mass[i]); });
}

double sum_of_weights(const WeightedGraph& graph, int threads) {
  return sum_over_rows(*graph.exchange, graph.size(), threads, [&](std::size_t i) {
    double sum = graph.inside.empty() ? 0 : std::abs(graph.inside[i]);
    if (graph.weights.empty()) return sum + static_cast<double>(graph.degree(i));
    for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
      sum += std::abs(graph.weights[e]);
    }
    return sum;
  });
}

std::vector<std::int64_t> cluster_masses(const WeightedGraph& graph, const Assignment& labels,
                                         std::size_t count, const Quanta& quanta) {
  std::vector<std::int64_t> masses(count, 0);
  for (std::size_t i = 0; i < graph.size(); ++i) masses[labels[i]] += quanta.from(graph.mass[i]);
  graph.exchange->sum(masses);
  return masses;
}

Assignment random_labels(const Exchange& exchange, Index rows, std::size_t count,
                         std::uint64_t seed) {
  Assignment labels(exchange.places(rows));
  for (Index first = 0; first < rows; first += block_rows) {
    Random random(seed, static_cast<std::uint64_t>((exchange.first_row() + first) / block_rows));
    for (Index i = first; i < std::min(rows, first + block_rows); ++i) {
      labels[i] = static_cast<NodeId>(random.below(count));
    }
  }
  exchange.refresh_all(std::span(labels));
  return labels;
}

std::size_t compact(const WeightedGraph& graph, Assignment& labels, std::size_t count) {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> first(count, never);
  for (std::size_t i = graph.size(); i-- > 0;) {
    first[labels[i]] = graph.exchange->first_row() + static_cast<std::int64_t>(i);
  }
  graph.exchange->least(first);
  std::vector<NodeId> order(count), names(count);
  std::iota(order.begin(), order.end(), NodeId{0});
  std::ranges::sort(order, {}, [&](NodeId c) { return std::pair(first[c], c); });
  for (std::size_t place = 0; place < count; ++place) {
    names[order[place]] = static_cast<NodeId>(place);
  }
  for (NodeId& label : labels) label = names[label];
  return count - static_cast<std::size_t>(std::ranges::count(first, never));
}

WeightedGraph quotient(const WeightedGraph& graph, const Assignment& labels, std::size_t count,
                       int threads) {
  const Quanta mass(sum_of_masses(graph)), weight(sum_of_weights(graph, threads));
  const std::vector<Link> links = count <= few ? links_of_few(graph, labels, count, weight, threads)
                                               : all_links(graph, labels, weight);
  WeightedGraph coarse;
  coarse.total = graph.total;
  coarse.inside.assign(count, 0);
  for (const std::int64_t sum : cluster_masses(graph, labels, count, mass)) {
    coarse.mass.push_back(mass.to(sum));
  }
  std::vector<std::uint64_t> offsets(count + 1, 0);
  std::vector<NodeId> columns;
  std::vector<double> weights;
  for (const Link& link : links) {
    if (link.a == link.b) {
      coarse.inside[link.a] = weight.to(link.weight);
      continue;
    }
    columns.push_back(link.b);
    weights.push_back(weight.to(link.weight));
    offsets[link.a + std::size_t{1}] = columns.size();
  }
  for (std::size_t c = 0; c < count; ++c) offsets[c + 1] = std::max(offsets[c + 1], offsets[c]);
  coarse.offsets = std::move(offsets);
  coarse.columns = std::move(columns);
  coarse.weights = std::move(weights);
  return coarse;
}

double quality(const WeightedGraph& graph, const Assignment& labels, std::size_t count,
               double resolution, int threads) {
  const Quanta mass(sum_of_masses(graph)), weight(sum_of_weights(graph, threads));
  const std::vector<std::int64_t> masses = cluster_masses(graph, labels, count, mass);
  auto inside = sum_over_nodes(graph, 1, threads, [&](auto& own, std::size_t i) {
    own[0] += weight.from(graph.add_inside(0, labels, i));
  });
  graph.exchange->sum(inside);
  double squares = 0;
  for (const std::int64_t sum : masses) squares += mass.to(sum) * mass.to(sum);
  return (weight.to(inside[0]) - resolution * squares / graph.total) / graph.total;
}

}  // namespace srgw::detail
