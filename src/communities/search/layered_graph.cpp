// SPDX-License-Identifier: MIT
#include "communities/search/layered_graph.hpp"

#include <algorithm>
#include <numeric>

#include "base/row_blocks.hpp"

namespace srgw::detail {

namespace {

/// Calls with(column, weight) for the entries of a row in the sum of all layers, ascending.
template <class With>
void for_each_sum(std::span<const WeightedGraph> layers, const std::vector<double>& factors,
                  std::size_t row, const With& with) {
  constexpr NodeId end = std::numeric_limits<NodeId>::max();
  std::vector<std::uint64_t> next(layers.size());
  for (std::size_t l = 0; l < layers.size(); ++l) next[l] = layers[l].begin(row);
  const auto column_of = [&](std::size_t l) {
    return next[l] < layers[l].end(row) ? layers[l].columns[next[l]] : end;
  };
  for (;;) {
    NodeId column = end;
    for (std::size_t l = 0; l < layers.size(); ++l) column = std::min(column, column_of(l));
    if (column == end) return;
    double weight = 0;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      if (column_of(l) != column) continue;
      weight += factors[l] * layers[l].weight(next[l]);
      ++next[l];
    }
    if (weight > 0) with(column, weight);
  }
}

}  // namespace

WeightedGraph combine_layers(std::span<const WeightedGraph> layers, std::span<const double> weights,
                             int threads) {
  const std::size_t number = layers.size();
  const std::size_t size = layers[0].size();
  const auto reference =
      static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
  WeightedGraph sum;
  sum.layers.masses.resize(size * number);
  for (std::size_t l = 0; l < number; ++l) {
    const double factor =
        weights[l] / weights[reference] * (layers[reference].total / layers[l].total);
    sum.layers.factors.push_back(factor);
    sum.layers.totals.push_back(layers[l].total / factor);
  }
  std::vector<std::uint64_t> offsets(size + 1, 0);
  for_each_row(static_cast<Index>(size), threads, [&](std::size_t i) {
    for_each_sum(layers, sum.layers.factors, i, [&](NodeId, double) { ++offsets[i + 1]; });
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<NodeId> columns(offsets.back());
  std::vector<double> values(offsets.back());
  sum.mass.resize(size);
  for_each_row(static_cast<Index>(size), threads, [&](std::size_t i) {
    std::uint64_t next = offsets[i];
    for_each_sum(layers, sum.layers.factors, i, [&](NodeId column, double weight) {
      columns[next] = column;
      values[next++] = weight;
    });
    for (std::size_t l = 0; l < number; ++l) {
      sum.layers.masses[i * number + l] = layers[l].mass[i];
      sum.mass[i] += sum.layers.factors[l] * layers[l].mass[i];
    }
  });
  sum.total = std::accumulate(sum.mass.begin(), sum.mass.end(), 0.0);
  sum.offsets = std::move(offsets);
  sum.columns = std::move(columns);
  sum.weights = std::move(values);
  return sum;
}

}  // namespace srgw::detail
