// SPDX-License-Identifier: MIT
// Exact transport between random masses: cold, and warm after a small change of the cost.
#include <benchmark/benchmark.h>

#include "base/random.hpp"
#include "srgw/plan.hpp"

namespace {

using namespace srgw;

struct Input {
  Matrix cost;
  Vector a, b;
};

Input random_input(Index n, Index m) {
  detail::Random random(5, 0);
  Matrix x(n, 2), y(m, 2);
  for (double& entry : x.reshaped()) entry = random.normal();
  for (double& entry : y.reshaped()) entry = random.normal();
  Input input{.cost = Matrix(n, m), .a = Vector(n), .b = Vector(m)};
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < m; ++k) input.cost(i, k) = (x.row(i) - y.row(k)).squaredNorm();
  }
  for (double& mass : input.a) mass = 0.1 + random.uniform();
  for (double& mass : input.b) mass = 0.1 + random.uniform();
  input.a /= input.a.sum();
  input.b /= input.b.sum();
  return input;
}

void transport_cold(benchmark::State& state) {
  const Input input = random_input(state.range(0), state.range(1));
  Index pivots = 0;
  for (auto _ : state) {
    const Transport answer = transport(input.cost, input.a, input.b);
    pivots = answer.steps;
    benchmark::DoNotOptimize(answer.cost);
  }
  state.counters["pivots"] = static_cast<double>(pivots);
}

void transport_warm(benchmark::State& state) {
  Input input = random_input(state.range(0), state.range(1));
  detail::Random random(6, 0);
  TransportSolver solver;
  (void)solver.solve(input.cost, input.a, input.b);
  for (auto _ : state) {
    state.PauseTiming();
    for (double& entry : input.cost.reshaped()) entry *= 1 + 0.01 * random.uniform();
    state.ResumeTiming();
    benchmark::DoNotOptimize(solver.solve(input.cost, input.a, input.b).cost);
  }
}

}  // namespace

BENCHMARK(transport_cold)
    ->Args({500, 500})
    ->Args({1000, 1000})
    ->Args({2000, 15})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(transport_warm)
    ->Args({500, 500})
    ->Args({1000, 1000})
    ->Args({2000, 15})
    ->Unit(benchmark::kMillisecond);
