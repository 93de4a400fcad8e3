// SPDX-License-Identifier: MIT
// One product with an implicit heat kernel, and what it is of one with its sparse walk: about the
// degree of the series.
#include <benchmark/benchmark.h>

#include <chrono>

#include "base/random.hpp"
#include "srgw/generate.hpp"
#include "srgw/transform.hpp"
#include "structure/without_rows.hpp"

namespace srgw::detail {
namespace {

Graph planted(Index nodes) {
  return generate(PlantedPartition{.nodes = nodes, .blocks = 15, .mean_degree = 25}, 1).graph;
}

const ImplicitKernelStorage& kernel_of(const Source& source) {
  return std::get<ImplicitKernelStorage>(detail::storage_of(source.structure).form);
}

double seconds_of_walk(const ImplicitKernelStorage& kernel, const Matrix& x, Matrix& y) {
  const auto start = std::chrono::steady_clock::now();
  apply_walk(kernel.walk, x.data(), x.cols(), y.data(), 1);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void implicit_product(benchmark::State& state) {
  const Index nodes = state.range(0);
  const Source source = implicit_heat_kernel(planted(nodes), 5);
  const ImplicitKernelStorage& kernel = kernel_of(source);
  Random random(1, 0);
  Matrix x(nodes, state.range(1));
  for (double& entry : x.reshaped()) entry = random.normal();
  Matrix y(x.rows(), x.cols());
  double walk = 0;
  for (auto _ : state) {
    apply(kernel, x.data(), x.cols(), y.data(), 1);
    state.PauseTiming();
    walk += seconds_of_walk(kernel, x, y);
    state.ResumeTiming();
  }
  state.counters["degree"] = kernel.series.degree();
  state.counters["walk_ms"] = benchmark::Counter(walk * 1e3, benchmark::Counter::kAvgIterations);
}

void implicit_square_form(benchmark::State& state) {
  const Source source = implicit_heat_kernel(planted(state.range(0)), 5);
  SquareForm form;
  for (auto _ : state) form = source.structure.square_form_estimate(source.weights);
  state.counters["relative_error"] = form.error / form.value;
}

BENCHMARK(implicit_product)
    ->Args({2000, 15})
    ->Args({100'000, 1})
    ->Args({100'000, 15})
    ->Args({100'000, 64})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(implicit_square_form)->Arg(2000)->Arg(5000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace srgw::detail
