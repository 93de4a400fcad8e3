// SPDX-License-Identifier: MIT
// The parts of a solve, small and large.
#include "srgw/solve.hpp"

#include <benchmark/benchmark.h>

#include "base/kmeans.hpp"
#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/transform.hpp"

namespace srgw {
namespace {

PlantedGraph planted(Index nodes) {
  return generate(PlantedPartition{.nodes = nodes, .blocks = 15, .mean_degree = 25}, 1);
}

void generate_planted(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(planted(state.range(0)));
}

void modularity_structure(benchmark::State& state) {
  const PlantedGraph graph = planted(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(modularity(graph.graph));
}

/// The modularity structure of a planted graph onto the identity; owns what the problem looks at.
struct Planted {
  explicit Planted(Index nodes) : source(modularity(planted(nodes).graph)) {}
  Source source;
  Structure target = Structure::scaled_identity(15);
  Problem problem{.source = source.structure, .weights = source.weights, .target = target};
};

void reference_gradient(benchmark::State& state) {
  const Planted given(state.range(0));
  const Problem& problem = given.problem;
  const Plan plan = initial_plan(problem, Start::random_labels, 1);
  for (auto _ : state) benchmark::DoNotOptimize(gradient(problem, plan));
}

template <Start start>
void initial(benchmark::State& state) {
  const Planted given(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(initial_plan(given.problem, start, 1, 2));
}

void solve_modularity(benchmark::State& state) {
  const Planted given(state.range(0));
  const Problem& problem = given.problem;
  const Plan start = initial_plan(problem, Start::random_labels, 1);
  int iterations = 0;
  for (auto _ : state) iterations = solve(problem, ConditionalGradient{}, start).iterations;
  state.counters["iterations"] = iterations;
}

void solve_small_dense_target(benchmark::State& state) {
  const Index n = state.range(0);
  const PlantedGraph graph =
      generate(PlantedPartition{.nodes = n, .blocks = 2, .mean_degree = 6}, 1);
  const Source source = adjacency(graph.graph);
  Matrix atom = Matrix::Random(30, 30).cwiseAbs();
  atom = (0.5 * (atom + atom.transpose())).eval();
  const Structure target = Structure::dense(atom);
  const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
  Solver solver(ConditionalGradient{.stopping = Stopping::change}, {.threads = 1});
  for (auto _ : state) benchmark::DoNotOptimize(solver.solve(problem).value);
}

void adjusted_mutual_information(benchmark::State& state) {
  const PlantedGraph graph = planted(state.range(0));
  const Assignment other = planted(state.range(0) + 7).blocks;
  const std::span<const NodeId> cut(other.data(), graph.blocks.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(metrics::adjusted_mutual_information(graph.blocks, cut));
  }
}

constexpr auto ms = benchmark::kMillisecond;
BENCHMARK(generate_planted)->Arg(1000)->Arg(100000)->Unit(ms);
BENCHMARK(modularity_structure)->Arg(1000)->Arg(100000)->Unit(ms);
BENCHMARK(reference_gradient)->Arg(1000)->Arg(100000)->Unit(ms);
BENCHMARK(initial<Start::kmeans>)->Arg(2000)->Unit(ms);
BENCHMARK(initial<Start::spectral>)->Arg(2000)->Arg(100000)->Unit(ms);
BENCHMARK(solve_modularity)->Arg(1000)->Arg(100000)->Arg(1000000)->Unit(ms);
BENCHMARK(solve_small_dense_target)->Arg(12)->Arg(20)->Arg(100);
BENCHMARK(adjusted_mutual_information)->Arg(1000)->Arg(1000000)->Unit(ms);

}  // namespace
}  // namespace srgw
