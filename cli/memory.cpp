// SPDX-License-Identifier: MIT
#include "cli/memory.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "cli/common.hpp"
#include "srgw/transform.hpp"
#include "srgw/types.hpp"

namespace srgw::cli {

namespace {

constexpr double number = 8, index = 4;  // bytes
// The solver keeps labels instead of arrays from so many entries of the plan on, and may turn to
// arrays up to the second when plans do not stay hard (docs/design.md).
constexpr double many_entries = 262144, most_entries = 67108864;
// Measured as peaks of the resident set on planted graphs, from 20,000 nodes: arrays as large as
// the plan that a start keeps, with either method and beyond that for a kernel that is not formed;
// more where a share or relations need them, each relation of which has an m x m array, too;
// vectors that a spectral start keeps, at most a block of them.
constexpr double gradient_arrays = 6.5, mirror_arrays = 9.5, kernel_arrays = 3.5,
                 general_arrays = 3;
constexpr double vectors = 1.5, most_vectors = 64;
// Bytes of the search: contracted graphs on each thread, for each entry and each node; rewired
// copies of the graph for the test, for each entry (dense graphs have a table of edges besides).
// Measured on planted graphs, grids and complete graphs, from 10^5 to 10^7 entries.
constexpr double search_entry = 24, search_node = 100, copy_entry = 60;
constexpr int search_starts = 5;
// Seconds of the search for each entry, on one core; from so many entries on it makes fewer trials.
// Without communities the test adds up to twenty searches of copies.
constexpr double thorough_search = 2e-6, quick_search = 5e-7, quick_from = 1e6;

int thread_count(const Workload& work) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return work.threads > 0 ? work.threads : cores;
}

bool is_formed(const Workload& work) {
  return work.storage == Storage::dense ||
         (work.storage == Storage::kernel && work.nodes <= largest_formed_kernel);
}

/// Degrees of the series of a kernel that is not formed (docs/structures.md).
double degrees(const Workload& work) { return 6 + std::sqrt(48 * work.time); }

bool keeps_labels(const Workload& work) {
  const double plan = static_cast<double>(work.nodes) * static_cast<double>(work.columns);
  const bool sparse = work.storage == Storage::shared || work.storage == Storage::copied;
  return sparse && work.diagonal_target && work.hard_start && !work.features && !work.mirror &&
         !work.keeps_arrays && plan >= many_entries;
}

}  // namespace

Estimate estimate(const Workload& work) {
  const auto n = static_cast<double>(work.nodes), m = static_cast<double>(work.columns);
  const auto entries = static_cast<double>(work.entries);
  const double plan = n * m;
  Estimate result;
  result.graph = index * (n + entries) + (work.weighted ? number * entries : 0);

  double product = entries;  // operations of a product with an assignment
  if (is_formed(work)) {
    // The eigenvectors of a kernel stand next to the matrix and a copy.
    result.structure = number * n * n * (work.storage == Storage::kernel ? 3 : 1);
    product = n * n;
  } else if (work.storage == Storage::kernel) {
    result.structure = (index + number) * entries + 3 * number * n * most_vectors;
    product = entries * degrees(work) * m;
  } else {
    result.structure =
        (work.storage == Storage::copied ? (index + number) * entries : 0) + 2 * number * n;
  }

  // Further relations are taken for graphs like the first.
  const double pairs = 1 + work.relations;
  result.graph *= pairs;
  result.structure *= pairs;
  product *= pairs;

  const int at_once = std::min(work.starts, thread_count(work));
  const bool labels = keeps_labels(work);
  const bool arrays = !labels || (!work.well_scaled && plan <= most_entries);
  const double block = std::min(m, most_vectors);
  const double spectral = work.hard_start ? vectors * number * n * block : 0;
  const double kernel = work.storage == Storage::kernel && !is_formed(work) ? kernel_arrays : 0;
  const double copies = (work.mirror ? mirror_arrays : gradient_arrays) + kernel +
                        (work.keeps_arrays ? general_arrays : 0);
  const double crosses = work.keeps_arrays ? number * pairs * m * m : 0;
  const double workspace = (arrays ? copies * number * plan : 0) + crosses + 80 * n;
  result.solver = at_once * std::max(workspace, spectral) + (work.features ? number * plan : 0);
  if (work.searches) {
    const int searches = std::min(search_starts, thread_count(work));
    const double search = searches * (search_entry * entries + search_node * n);
    const bool dense = entries > n * n / 8;
    const double table = dense ? number * std::exp2(std::ceil(std::log2(6 * entries))) : 0;
    result.solver = std::max({result.solver, search, copy_entry * entries + table});
  }

  // From the pace of one core: about 1e9 entries of products and 2e8 of plans a second.
  const double iterations = labels && work.well_scaled ? 20 : 100;
  const double pass = product / 1e9 + (arrays ? plan / (work.mirror ? 2e7 : 2e8) : n / 1e8);
  const double rounds = std::ceil(static_cast<double>(work.starts) / at_once);
  // A filtered block: products with the structure, and vectors made orthogonal.
  double start = work.hard_start ? (40 * block * entries + 10 * block * block * n) / 1e9 : 0;
  if (work.searches) start = entries * (entries < quick_from ? thorough_search : quick_search);
  result.seconds = rounds * (iterations * pass + start);
  if (is_formed(work)) {
    // An eigendecomposition, or a search from every node.
    result.seconds += work.storage == Storage::kernel ? n * n * n / 1.5e9 : n * entries / 1e8;
  }
  return result;
}

void check_memory(const Estimate& estimate, const Workload& work,
                  std::optional<std::uint64_t> limit) {
  if (!limit || estimate.bytes() <= static_cast<double>(*limit)) return;
  const char* remedy = "fewer --threads keep fewer starts in memory at once";
  if (work.searches) {
    remedy = "fewer --threads keep fewer contracted graphs in memory at once";
  } else if (is_formed(work)) {
    remedy = "a sparse structure (modularity, adjacency) needs no n x n array";
  } else if (work.keeps_arrays) {
    remedy = "--share and --relation need n x m arrays: fewer target nodes make them smaller";
  } else if (!keeps_labels(work)) {
    remedy = "an identity target with a spectral start and a sparse structure needs no n x m array";
  }
  throw Error(Error::Kind::resource,
              fmt::format("about {} are needed (graph {}, structure {}, solver {}), more than the "
                          "{} of --max-memory; {}",
                          size_text(estimate.bytes()), size_text(estimate.graph),
                          size_text(estimate.structure), size_text(estimate.solver),
                          size_text(static_cast<double>(*limit)), remedy));
}

}  // namespace srgw::cli
