// SPDX-License-Identifier: MIT
#include "srgw/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "graph/csr_rows.hpp"

namespace srgw::metrics {

namespace {

using detail::fail_argument;
using Label = NodeId;

/// A labeling whose labels are 0, 1, ... in order of appearance.
struct Clusters {
  std::vector<std::uint32_t> numbers;
  std::vector<Index> sizes;

  explicit Clusters(std::span<const Label> labels) {
    std::unordered_map<Label, std::uint32_t> number_of;
    numbers.reserve(labels.size());
    for (const Label label : labels) {
      const auto next = static_cast<std::uint32_t>(sizes.size());
      const auto [found, is_new] = number_of.try_emplace(label, next);
      if (is_new) sizes.push_back(0);
      numbers.push_back(found->second);
      ++sizes[found->second];
    }
  }
};

/// Numbers the items of all ranks in order of appearance over all of them.
struct SharedClusters {
  std::vector<std::uint32_t> numbers;  // of the items of this rank
  std::vector<Index> sizes;            // of all

  SharedClusters(std::span<const Label> labels, Ranks& ranks) {
    const Clusters own(labels);
    std::vector<Label> occurring(own.sizes.size());
    for (std::size_t i = labels.size(); i-- > 0;) occurring[own.numbers[i]] = labels[i];
    std::unordered_map<Label, std::uint32_t> number_of;
    for (const Label label : gather_items(ranks, occurring)) {
      number_of.try_emplace(label, static_cast<std::uint32_t>(number_of.size()));
    }
    std::vector<std::int64_t> counts(number_of.size(), 0);
    for (const Label label : labels) {
      numbers.push_back(number_of.at(label));
      ++counts[numbers.back()];
    }
    ranks.sum(counts);
    sizes.assign(counts.begin(), counts.end());
  }
};

void check_sizes(std::span<const Label> a, std::span<const Label> b) {
  if (a.size() != b.size()) {
    fail_argument("labelings of {} and {} items, expected the same items in both", a.size(),
                  b.size());
  }
}

/// The number of pairs of each kind, of labels numbered from 0.
std::vector<Contingency::Cell> count_pairs(std::span<const std::uint32_t> a,
                                           std::span<const std::uint32_t> b, std::uint64_t width) {
  // Equal pairs of labels become neighbours; each run of them is a cell.
  std::vector<std::uint64_t> keys(a.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = a[i] * width + b[i];
  std::sort(keys.begin(), keys.end());
  std::vector<Contingency::Cell> cells;
  for (auto run = keys.begin(); run != keys.end();) {
    const auto end = std::find_if(run, keys.end(), [&](auto key) { return key != *run; });
    cells.push_back({*run / width, *run % width, end - run});
    run = end;
  }
  return cells;
}

double pairs(Index items) {
  return static_cast<double>(items) * static_cast<double>(items - 1) / 2;
}

double pairs(const std::vector<Index>& sizes) {
  double sum = 0;
  for (const Index size : sizes) sum += pairs(size);
  return sum;
}

/// How many pairs of items the labelings put together or apart.
struct PairCounts {
  double both_together = 0, only_a, only_b, both_apart;

  explicit PairCounts(const Contingency& table) {
    for (const Contingency::Cell& cell : table.cells) both_together += pairs(cell.count);
    only_a = pairs(table.rows) - both_together;
    only_b = pairs(table.columns) - both_together;
    both_apart = pairs(table.items) - both_together - only_a - only_b;
  }
};

double entropy(const std::vector<Index>& sizes, Index items) {
  const auto n = static_cast<double>(items);
  double sum = 0;
  for (const Index size : sizes) {
    const double share = static_cast<double>(size) / n;
    sum -= share * std::log(share);
  }
  return sum;
}

// sum over cells of n_ij/n log(n n_ij / (a_i b_j))
double mutual_information(const Contingency& table) {
  const auto n = static_cast<double>(table.items);
  double sum = 0;
  for (const auto& [row, column, items] : table.cells) {
    const auto count = static_cast<double>(items);
    const double by_chance =
        static_cast<double>(table.rows[row]) * static_cast<double>(table.columns[column]) / n;
    sum += count / n * std::log(count / by_chance);
  }
  return std::max(sum, 0.0);
}

/// The mean of k log(k / (a b/n)) when k, the common items of two clusters of a and b items among
/// n, is hypergeometric. Probabilities are walked from the mode outwards by their ratios
///     p(k+1)/p(k) = (a-k)(b-k) / ((k+1)(n-a-b+k+1))
/// until they vanish, and scaled by their own sum: few terms, and no factorials that cancel.
double expected_common_information(double a, double b, double n) {
  constexpr double vanishing = 1e-20;
  const double log_by_chance = std::log(a) + std::log(b) - std::log(n);
  const double rest = n - a - b;
  const double mode = std::floor((a + 1) * (b + 1) / (n + 2));
  double weight = 0, sum = 0;
  const auto add = [&](double k, double p) {
    weight += p;
    if (k > 0) sum += p * k * (std::log(k) - log_by_chance);
  };
  add(mode, 1);
  for (double k = mode, p = 1; k < std::min(a, b) && p > vanishing; add(++k, p)) {
    p *= (a - k) * (b - k) / ((k + 1) * (rest + k + 1));
  }
  for (double k = mode, p = 1; k > std::max(0.0, -rest) && p > vanishing; add(--k, p)) {
    p *= k * (rest + k) / ((a - k + 1) * (b - k + 1));
  }
  return sum / weight;
}

/// How many clusters there are of each size.
std::map<Index, Index> count_sizes(const std::vector<Index>& sizes) {
  std::map<Index, Index> counts;
  for (const Index size : sizes) ++counts[size];
  return counts;
}

// Only the sizes matter, and there are at most sqrt(2n) different ones.
double expected_mutual_information(const Contingency& table) {
  const auto n = static_cast<double>(table.items);
  const auto sizes_b = count_sizes(table.columns);
  double sum = 0;
  for (const auto& [a, clusters_a] : count_sizes(table.rows)) {
    for (const auto& [b, clusters_b] : sizes_b) {
      detail::throw_if_stopped();
      const double clusters = static_cast<double>(clusters_a) * static_cast<double>(clusters_b);
      sum +=
          clusters * expected_common_information(static_cast<double>(a), static_cast<double>(b), n);
    }
  }
  return sum / n;
}

double normaliser_of(const Contingency& table, Normaliser normaliser) {
  const double a = entropy(table.rows, table.items), b = entropy(table.columns, table.items);
  return normaliser == Normaliser::maximum ? std::max(a, b) : (a + b) / 2;
}

}  // namespace

Contingency contingency(std::span<const NodeId> a, std::span<const NodeId> b) {
  check_sizes(a, b);
  if (a.empty()) fail_argument("labelings of 0 items, expected at least one");
  Clusters first(a), second(b);
  Contingency table{.items = static_cast<Index>(a.size())};
  table.cells = count_pairs(first.numbers, second.numbers, second.sizes.size());
  table.rows = std::move(first.sizes);
  table.columns = std::move(second.sizes);
  return table;
}

Contingency contingency(std::span<const NodeId> a, std::span<const NodeId> b, Ranks& ranks) {
  check_sizes(a, b);
  const SharedClusters first(a, ranks), second(b, ranks);
  const auto own = count_pairs(first.numbers, second.numbers, second.sizes.size());
  std::map<std::pair<std::size_t, std::size_t>, Index> all;
  for (const auto& [row, column, count] : gather_items(ranks, own)) all[{row, column}] += count;
  Contingency table{.rows = first.sizes, .columns = second.sizes};
  for (const auto& [place, count] : all) {
    table.cells.push_back({place.first, place.second, count});
    table.items += count;
  }
  if (table.items == 0) fail_argument("labelings of 0 items, expected at least one");
  return table;
}

double rand_index(const Contingency& table) {
  if (table.same_partition()) return 1;
  const PairCounts count(table);
  return (count.both_together + count.both_apart) / pairs(table.items);
}

double adjusted_rand_index(const Contingency& table) {
  if (table.same_partition()) return 1;
  const auto [together, only_a, only_b, apart] = PairCounts(table);
  return 2 * (together * apart - only_a * only_b) /
         ((together + only_a) * (only_a + apart) + (together + only_b) * (only_b + apart));
}

double normalized_mutual_information(const Contingency& table, Normaliser normaliser) {
  if (table.same_partition()) return 1;
  return mutual_information(table) / normaliser_of(table, normaliser);
}

double adjusted_mutual_information(const Contingency& table, Normaliser normaliser) {
  if (table.same_partition()) return 1;
  if (table.rows.size() == 1 || table.columns.size() == 1) return 0;
  const double expected = expected_mutual_information(table);
  return (mutual_information(table) - expected) / (normaliser_of(table, normaliser) - expected);
}

double rand_index(std::span<const NodeId> a, std::span<const NodeId> b) {
  return rand_index(contingency(a, b));
}

double adjusted_rand_index(std::span<const NodeId> a, std::span<const NodeId> b) {
  return adjusted_rand_index(contingency(a, b));
}

double mutual_information(std::span<const NodeId> a, std::span<const NodeId> b) {
  return mutual_information(contingency(a, b));
}

double expected_mutual_information(std::span<const NodeId> a, std::span<const NodeId> b) {
  return expected_mutual_information(contingency(a, b));
}

double normalized_mutual_information(std::span<const NodeId> a, std::span<const NodeId> b,
                                     Normaliser normaliser) {
  return normalized_mutual_information(contingency(a, b), normaliser);
}

double adjusted_mutual_information(std::span<const NodeId> a, std::span<const NodeId> b,
                                   Normaliser normaliser) {
  return adjusted_mutual_information(contingency(a, b), normaliser);
}

// Stored entries are arcs. An undirected edge is two of them, so that its self-loop counts twice,
// and then both cases read  sum_c [ inside_c / W - resolution out_c in_c / W^2 ],  W the sum of
// arcs.
double modularity(const Graph& graph, std::span<const NodeId> labels, double resolution) {
  if (static_cast<Index>(labels.size()) != graph.nodes()) {
    fail_argument("labels has {} entries, expected {}, one for each node", labels.size(),
                  graph.nodes());
  }
  const Clusters clusters(labels);
  const auto count = static_cast<Index>(clusters.sizes.size());
  Vector out = Vector::Zero(count), in = Vector::Zero(count);
  double inside = 0;
  detail::StopCounter stop(1 << 16);
  detail::for_each_entry(graph.adjacency(), [&](Index i, Index j, double weight) {
    stop.throw_if_stopped();
    const double arcs = i == j && !graph.directed() ? 2 * weight : weight;
    const auto from = clusters.numbers[i];
    const auto to = clusters.numbers[j];
    out[from] += arcs;
    in[to] += arcs;
    if (from == to) inside += arcs;
  });
  const double total = out.sum();
  if (!(total > 0)) fail_argument("edge weights sum to {}, expected a positive number", total);
  return inside / total - resolution * (out / total).dot(in / total);
}

}  // namespace srgw::metrics
