// SPDX-License-Identifier: MIT
#include "cli/rank_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "cli/exit_code.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

// Fitted to what ranks said of themselves, on planted and LFR graphs of 10^5 and 10^6 nodes on 2 to
// 4 ranks (docs/ranks.md).
constexpr double base_memory = 22e6;  // program, MPI and its buffers
constexpr double read_entry_memory = 12, weighted_read_entry_memory = 24;  // while rows are made
constexpr double entry_memory = 4.5, weighted_entry_memory = 13.5;         // when they are there
constexpr double row_memory = 39, copy_memory = 77;
constexpr double pair_memory = 100;
constexpr double copy_traffic = 35;          // until there is a start: numbers, weights, components
constexpr double search_copy_traffic = 153;  // the same with all products and sweeps of a search
constexpr double search_column_traffic = 5500;  // of a rank: sums of that search
constexpr double rank_traffic = 92;             // of an iteration, besides the columns

// Seconds of one core for each entry, on planted graphs of 10^6 nodes and 25 million entries.
constexpr double read_seconds = 1e-7;
constexpr double search_seconds = 4e-7, free_start_seconds = 1e-6, start_seconds = 1e-7;
// A network of 10 Gbit/s, and how often ranks meet for a start.
constexpr double bandwidth = 1.25e9, latency = 2e-5, calls = 500;

double label_bytes(Index columns) {
  if (columns <= std::numeric_limits<std::uint8_t>::max()) return 1;
  return columns <= std::numeric_limits<std::uint16_t>::max() ? 2 : 4;
}

}  // namespace

RankCut cut_over_ranks(const Graph& graph, int ranks) {
  const std::vector<Index> starts = io::shard_starts(graph, ranks);
  const Csr& csr = graph.adjacency();
  RankCut cut{.ranks = ranks,
              .nodes = graph.nodes(),
              .entries = csr.entries(),
              .weighted = graph.weighted()};
  const auto offset = [&](Index row) {
    return std::visit([&](const auto& offsets) { return static_cast<std::size_t>(offsets[row]); },
                      csr.offsets);
  };
  std::vector<int> seen_by(graph.nodes(), -1);
  for (int r = 0; r < ranks; ++r) {
    const Index begin = starts[r];
    const Index end = starts[r + 1];
    Index copies = 0;
    for (std::size_t e = offset(begin); e < offset(end); ++e) {
      const auto column = Index{csr.columns[e]};
      if (column >= begin && column < end) continue;
      ++cut.crossing;
      int& seen = seen_by[column];
      copies += seen == r ? 0 : 1;
      seen = r;
    }
    cut.copies += copies;
    cut.most_copies = std::max(cut.most_copies, copies);
    cut.most_rows = std::max(cut.most_rows, end - begin);
    cut.most_entries = std::max(cut.most_entries, static_cast<Index>(offset(end) - offset(begin)));
  }
  return cut;
}

RankCut cut_over_ranks(Index nodes, Index edges, bool weighted, int ranks) {
  const auto part = [&](double count) { return static_cast<Index>(std::ceil(count / ranks)); };
  const auto n = static_cast<double>(nodes), entries = 2 * static_cast<double>(edges);
  const double others = 1 - 1.0 / ranks;
  const double copies = n * (ranks - 1) * (1 - std::pow(others, entries / n));
  return {.ranks = ranks,
          .nodes = nodes,
          .entries = 2 * edges,
          .weighted = weighted,
          .most_rows = part(n),
          .most_entries = part(entries),
          .most_copies = part(copies),
          .copies = static_cast<Index>(copies),
          .crossing = static_cast<Index>(entries * others)};
}

RankNeeds estimate(const RankCut& cut, const RankWork& work) {
  const Index columns = work.columns;
  const bool searches = work.searches;
  const auto number = [](Index count) { return static_cast<double>(count); };
  const double others = 1 - 1.0 / cut.ranks;
  const double arc = cut.weighted ? 16 : 8;
  RankNeeds needs;
  const double entries = number(cut.most_entries);
  const double made = (cut.weighted ? weighted_read_entry_memory : read_entry_memory) * entries;
  const double kept = (cut.weighted ? weighted_entry_memory : entry_memory) * entries +
                      row_memory * number(cut.most_rows) + copy_memory * number(cut.most_copies);
  // A free number of clusters begins with many labels, whose linked pairs each rank holds.
  const double labels = work.free ? std::min(1024.0, number(cut.nodes) / 4) : 0;
  const double pairs = std::min(labels * labels / 2, number(cut.entries) / 2);
  needs.memory = base_memory + std::max(made, kept + pair_memory * pairs);
  // Lines are anywhere, so edges go to any rank; then to the row of their other end.
  needs.reading = arc * (number(cut.entries) / 2 * others + number(cut.crossing) / 2);
  needs.start = (searches ? search_copy_traffic : copy_traffic) * number(cut.copies) +
                (searches ? search_column_traffic : 0) * number(columns) * cut.ranks;
  needs.iteration = cut.ranks * (rank_traffic + 8 * number(columns));
  needs.changed_label = 4 + label_bytes(columns);
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int threads = work.threads > 0 ? work.threads : cores;
  const double start = searches ? (work.free ? free_start_seconds : search_seconds) : start_seconds;
  const double computing =
      (read_seconds + work.starts * start) * entries / static_cast<double>(threads);
  const double sent = needs.reading + work.starts * needs.start;
  const double waiting = calls * work.starts * latency * std::log2(cut.ranks);
  needs.seconds = computing + sent / (cut.ranks * bandwidth) + waiting;
  return needs;
}

int print_rank_estimate(const RankCut& cut, const RankWork& work, const Common& common) {
  const Index columns = work.columns;
  const RankNeeds needs = estimate(cut, work);
  if (common.json) {
    print_json({{"bytes", static_cast<std::uint64_t>(needs.memory)},
                {"seconds", needs.seconds},
                {"ranks", cut.ranks},
                {"n", cut.nodes},
                {"m", columns},
                {"entries", cut.entries},
                {"entries_of_a_rank", cut.most_entries},
                {"copies", cut.copies},
                {"traffic_reading", static_cast<std::uint64_t>(needs.reading)},
                {"traffic_start", static_cast<std::uint64_t>(needs.start)},
                {"traffic_iteration", static_cast<std::uint64_t>(needs.iteration)},
                {"traffic_changed_label", needs.changed_label}});
    return exit_fine;
  }
  fmt::print("memory        {} of the largest of {} ranks\n", size_text(needs.memory), cut.ranks);
  fmt::print("seconds       {:.2g}, very roughly, with a network of 1.25 GB/s\n", needs.seconds);
  fmt::print(
      "traffic       {} to read an edge list, {} until there is a start,\n"
      "              {} an iteration and {:.0f} bytes for each copied label that changes\n",
      size_text(needs.reading), size_text(needs.start), size_text(needs.iteration),
      needs.changed_label);
  fmt::print("problem       {} nodes onto {}; a rank has at most {} of {} entries\n", cut.nodes,
             columns, cut.most_entries, cut.entries);
  fmt::print("copies        {} nodes have edges to rows of other ranks, at most {} of a rank\n",
             cut.copies, cut.most_copies);
  return exit_fine;
}

}  // namespace srgw::cli
