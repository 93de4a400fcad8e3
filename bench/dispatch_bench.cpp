// SPDX-License-Identifier: MIT
// Why Highway: the same fused pass (blend, gradient, row minimum) as a plain loop that GCC clones
// for several instruction sets. Results are in docs/design.md.
#include <benchmark/benchmark.h>

#include <limits>
#include <vector>

#include "base/random.hpp"
#include "kernels/row_pass.hpp"

namespace srgw::detail {
namespace {

__attribute__((target_clones("avx512f", "avx2", "default"))) double cloned_pass(
    Index rows, Index columns, double step, const double* direction, const double* cost,
    double* cross, NodeId* minimiser) {
  double sum = 0;
  for (Index i = 0; i < rows; ++i) {
    double* y = cross + i * columns;
    const double* d = direction + i * columns;
    double smallest = std::numeric_limits<double>::infinity();
    NodeId at = 0;
    for (Index k = 0; k < columns; ++k) {
      y[k] = (1 - step) * y[k] + step * d[k];
      const double g = cost[k] - 4 * y[k];
      if (g < smallest) {
        smallest = g;
        at = static_cast<NodeId>(k);
      }
    }
    minimiser[i] = at;
    sum += y[at];
  }
  return sum;
}

struct Arrays {
  explicit Arrays(Index columns)
      : stride(padded_columns(columns)),
        cross(static_cast<std::size_t>(rows * stride)),
        direction(cross.size()),
        cost(static_cast<std::size_t>(stride), std::numeric_limits<double>::infinity()),
        weights(static_cast<std::size_t>(rows), 1.0 / static_cast<double>(rows)),
        minimiser(static_cast<std::size_t>(rows)) {
    Random random(1, 0);
    for (double& y : cross) y = random.uniform();
    for (double& y : direction) y = random.uniform();
    std::fill_n(cost.begin(), columns, 0.5);
  }

  static constexpr Index rows = 1000;
  Index stride;
  std::vector<double> cross, direction, cost, weights;
  std::vector<NodeId> minimiser;
};

void highway_pass(benchmark::State& state) {
  Arrays arrays(state.range(0));
  RowPass pass;
  pass.stride = arrays.stride;
  pass.cross = arrays.cross.data();
  pass.direction = arrays.direction.data();
  pass.step = 0.3;
  pass.column_cost = arrays.cost.data();
  pass.factor = 4;
  pass.weights = arrays.weights.data();
  pass.minimiser = arrays.minimiser.data();
  TieLists ties;
  for (auto _ : state) benchmark::DoNotOptimize(row_pass(pass, 0, Arrays::rows, ties));
}

void cloned_loop(benchmark::State& state) {
  Arrays arrays(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(cloned_pass(Arrays::rows, arrays.stride, 0.3, arrays.direction.data(),
                                         arrays.cost.data(), arrays.cross.data(),
                                         arrays.minimiser.data()));
  }
}

BENCHMARK(highway_pass)->Arg(15)->Arg(30)->Arg(100);
BENCHMARK(cloned_loop)->Arg(15)->Arg(30)->Arg(100);

}  // namespace
}  // namespace srgw::detail
