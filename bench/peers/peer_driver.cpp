// SPDX-License-Identifier: MIT
//
// srgw_peers: one run on a large planted graph, measured from inside; prints JSON.
//
//     srgw_peers nodes columns threads [t]
//
// With t: ten iterations on the implicit heat kernel at that time, and the time of one product.
//
// The graph has 15 blocks and mean degree 25, the structure is the modularity one and the start is
// random labels. Times of iterations are to be read in units of copy_seconds, the time in which two
// threads copy the bytes of the graph.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "srgw/srgw.hpp"
#include "structure/chebyshev.hpp"
#include "structure/storage.hpp"

namespace srgw {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Index planted_blocks = 15;
constexpr double mean_degree = 25;
constexpr std::uint64_t seed = 1;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A line of /proc/self/status, in bytes.
std::size_t memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kilobytes = 0;
    if (word == name + ":" && status >> kilobytes) return 1024 * kilobytes;
  }
  throw std::runtime_error("/proc/self/status has no " + name);
}

/// Gives freed memory back and lets VmHWM start again from what is resident then.
void forget_peak() {
  malloc_trim(0);
  std::ofstream refs("/proc/self/clear_refs");
  if (!(refs << 5 << std::flush)) throw std::runtime_error("/proc/self/clear_refs is not writable");
}

std::vector<std::span<const std::byte>> arrays(const Csr& csr) {
  const auto offsets =
      std::visit([](const auto& o) { return std::as_bytes(o.view()); }, csr.offsets);
  return {offsets, std::as_bytes(csr.columns.view()), std::as_bytes(csr.values.view())};
}

std::size_t size_in_bytes(const Csr& csr) {
  std::size_t size = 0;
  for (const auto array : arrays(csr)) size += array.size();
  return size;
}

/// Median time of copying the graph's arrays, each cut in two, into memory that is already there.
double copy_seconds(const Csr& csr) {
  constexpr int threads = 2;
  constexpr int repeats = 9;
  std::vector<std::byte> copy(size_in_bytes(csr));
  std::vector<double> seconds;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto begin = Clock::now();
    std::byte* to = copy.data();
    for (const auto array : arrays(csr)) {
      const std::size_t half = array.size() / threads;
      detail::parallel_for(threads, threads, [&](Index part, int) {
        const auto chunk = part == 0 ? array.first(half) : array.subspan(half);
        std::copy(chunk.begin(), chunk.end(), to + (part == 0 ? 0 : half));
      });
      to += array.size();
    }
    seconds.push_back(seconds_since(begin));
  }
  std::ranges::nth_element(seconds, seconds.begin() + repeats / 2);
  return seconds[repeats / 2];
}

nlohmann::json measure(Index nodes, Index columns, int threads) {
  const PlantedGraph planted = generate(
      PlantedPartition{.nodes = nodes, .blocks = planted_blocks, .mean_degree = mean_degree}, seed);
  const Csr& csr = planted.graph.adjacency();
  forget_peak();
  const std::size_t with_graph = memory("VmRSS");

  const Source source = modularity(planted.graph);
  const Structure target = Structure::scaled_identity(columns);
  const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
  const Plan start = initial_plan(problem, Start::random_labels, seed, threads);
  std::vector<double> reports;  // seconds from the call to each report of an iteration
  std::vector<double> steps;
  Clock::time_point begin;
  Solver solver(ConditionalGradient{},
                {.threads = threads, .observer = [&](const Progress& progress) {
                   reports.push_back(seconds_since(begin));
                   steps.push_back(progress.step);
                   return true;
                 }});
  begin = Clock::now();
  const Solution& solution = solver.solve(problem, start);
  const double seconds = seconds_since(begin);
  const std::size_t beyond_graph = memory("VmHWM") - with_graph;

  return {{"nodes", nodes},
          {"columns", columns},
          {"entries", csr.entries()},
          {"graph_bytes", size_in_bytes(csr)},
          {"bytes_beyond_graph", beyond_graph},
          {"copy_seconds", copy_seconds(csr)},
          {"seconds", seconds},
          {"report_seconds", reports},
          {"steps", steps},
          {"iterations", solution.iterations},
          {"status", name(solution.status)},
          {"value", solution.value},
          {"gap", solution.gap}};
}

nlohmann::json measure_kernel(Index nodes, Index columns, int threads, double t) {
  const PlantedGraph planted = generate(
      PlantedPartition{.nodes = nodes, .blocks = planted_blocks, .mean_degree = mean_degree}, seed);
  forget_peak();
  const std::size_t with_graph = memory("VmRSS");
  const Source source = implicit_heat_kernel(planted.graph, t, 1e-10, threads);
  const Structure target = Structure::scaled_identity(
      columns, static_cast<double>(planted_blocks) / static_cast<double>(nodes));
  const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
  const Plan start = initial_plan(problem, Start::random_labels, seed, threads);
  auto begin = Clock::now();
  (void)solve(problem, ConditionalGradient{.max_iterations = 10, .tolerance = 0}, start,
              {.threads = threads});
  const double seconds = seconds_since(begin);
  const std::size_t beyond_graph = memory("VmHWM") - with_graph;

  const auto& kernel =
      std::get<detail::ImplicitKernelStorage>(detail::storage_of(source.structure).form);
  const Matrix x = Matrix::Constant(nodes, columns, 1.0 / static_cast<double>(nodes));
  Matrix y(nodes, columns);
  begin = Clock::now();
  detail::apply(kernel, x.data(), columns, y.data(), threads);
  const double product = seconds_since(begin);
  begin = Clock::now();
  detail::apply_walk(kernel.walk, x.data(), columns, y.data(), threads);
  const double walk = seconds_since(begin);
  return {{"nodes", nodes},       {"degree", kernel.series.degree()},
          {"seconds", seconds},   {"product_seconds", product},
          {"walk_seconds", walk}, {"bytes_beyond_graph", beyond_graph}};
}

}  // namespace
}  // namespace srgw

int main(int count, char** arguments) {
  if (count != 4 && count != 5) {
    std::cerr << "usage: srgw_peers nodes columns threads [t]\n";
    return EXIT_FAILURE;
  }
  try {
    const auto nodes = std::stoll(arguments[1]);
    const auto columns = std::stoll(arguments[2]);
    const int threads = std::stoi(arguments[3]);
    std::cout << (count == 4
                      ? srgw::measure(nodes, columns, threads)
                      : srgw::measure_kernel(nodes, columns, threads, std::stod(arguments[4])))
              << '\n';
  } catch (const std::exception& error) {
    std::cerr << "srgw_peers: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
