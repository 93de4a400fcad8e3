// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/partition.hpp"

namespace srgw {
namespace {

void report(benchmark::State& state, const PlantedGraph& planted, const Partition& found) {
  state.counters["ami"] = metrics::adjusted_mutual_information(planted.blocks, found.labels);
  state.counters["clusters"] = static_cast<double>(found.clusters);
  state.counters["edges"] = static_cast<double>(planted.graph.edges());
}

// Fifteen blocks, mean degree 25: tree-like from close by when large.
void partition_planted(benchmark::State& state) {
  const PlantedGraph planted = generate(
      PlantedPartition{.nodes = state.range(0), .blocks = 15, .mean_degree = 25, .inside = 0.8}, 1);
  Partition found;
  for (auto _ : state) found = partition(planted.graph, {.clusters = 15});
  report(state, planted, found);
}
BENCHMARK(partition_planted)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();

// Communities of 1,000 nodes with degrees from a power law.
void partition_degree_corrected(benchmark::State& state) {
  const Index nodes = state.range(0);
  const PlantedGraph planted = generate(
      DegreeCorrected{.nodes = nodes, .blocks = nodes / 1000, .mean_degree = 25, .inside = 0.8}, 1);
  Partition found;
  for (auto _ : state) found = partition(planted.graph, {.clusters = nodes / 1000});
  report(state, planted, found);
}
BENCHMARK(partition_degree_corrected)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();

// The number of clusters free.
void partition_lfr(benchmark::State& state) {
  const PlantedGraph planted = generate(Lfr{.nodes = state.range(0), .mixing = 0.4}, 1);
  Partition found;
  for (auto _ : state) found = partition(planted.graph);
  report(state, planted, found);
}
BENCHMARK(partition_lfr)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();

}  // namespace
}  // namespace srgw
