// SPDX-License-Identifier: MIT
// Learning and embedding on the public datasets; skipped where they are absent.
#include "srgw/dictionary.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "srgw/io.hpp"

namespace srgw {
namespace {

/// The graphs of a dataset in $SRGW_DATA_DIR, or ../shared/data beside the tree.
std::optional<std::vector<Sample>> samples_of(const char* name, benchmark::State& state) {
  const char* folder = std::getenv("SRGW_DATA_DIR");
  const auto path =
      std::filesystem::path(folder != nullptr ? folder : SRGW_DEFAULT_DATA_DIR) / "tud" / name;
  if (!std::filesystem::exists(path)) {
    state.SkipWithError("shared data not found");
    return std::nullopt;
  }
  const Dataset dataset = io::read_dataset(path);
  return make_samples(dataset, fit_features(dataset));
}

/// The stopping rule of the authors' code.
Projection papers_projection() {
  return {.method = ConditionalGradient{.stopping = Stopping::change_of_former}};
}

void learn_papers_scheme(benchmark::State& state, const char* name, Index size) {
  const auto samples = samples_of(name, state);
  if (!samples) return;
  double loss = 0;
  for (auto _ : state) {
    loss = learn(*samples, size, papers_projection(), AdamScheme{}, {.threads = 2}).loss;
  }
  state.counters["loss"] = loss;
}

void learn_closed_form(benchmark::State& state, const char* name, Index size) {
  const auto samples = samples_of(name, state);
  if (!samples) return;
  double loss = 0;
  for (auto _ : state) loss = learn(*samples, size, {}, ClosedForm{}, {.threads = 2}).loss;
  state.counters["loss"] = loss;
}

void embed_graphs(benchmark::State& state, const char* name, Index size) {
  const auto samples = samples_of(name, state);
  if (!samples) return;
  const Projection projection = papers_projection();
  const Dictionary dictionary{
      {.atoms = {learn(*samples, size, projection, AdamScheme{.epochs = 20}).atom}}, projection};
  for (auto _ : state) {
    benchmark::DoNotOptimize(embed(dictionary, *samples, {}, {.threads = 1}).mean_value);
  }
  state.counters["seconds_per_graph"] = benchmark::Counter(
      static_cast<double>(samples->size()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

constexpr auto ms = benchmark::kMillisecond;
BENCHMARK_CAPTURE(learn_papers_scheme, imdb_binary_20, "IMDB-BINARY", 20)->Unit(ms)->UseRealTime();
BENCHMARK_CAPTURE(learn_papers_scheme, mutag_20, "MUTAG", 20)->Unit(ms)->UseRealTime();
BENCHMARK_CAPTURE(learn_closed_form, imdb_binary_20, "IMDB-BINARY", 20)->Unit(ms)->UseRealTime();
BENCHMARK_CAPTURE(learn_closed_form, mutag_20, "MUTAG", 20)->Unit(ms)->UseRealTime();
BENCHMARK_CAPTURE(embed_graphs, imdb_binary_30, "IMDB-BINARY", 30)->Unit(ms);
BENCHMARK_CAPTURE(embed_graphs, mutag_20, "MUTAG", 20)->Unit(ms);

}  // namespace
}  // namespace srgw
