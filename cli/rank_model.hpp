// SPDX-License-Identifier: MIT
#pragma once

#include "cli/common.hpp"
#include "cli/memory.hpp"
#include "srgw/graph.hpp"

namespace srgw::cli {

/// How `partition` distributes a graph over ranks.
struct RankCut {
  int ranks = 1;
  Index nodes = 0, entries = 0;  ///< of the graph
  bool weighted = false;
  // The most that one rank has.
  Index most_rows = 0, most_entries = 0;
  Index most_copies = 0;  ///< nodes of other ranks that its rows have edges to
  Index copies = 0;       ///< of all ranks
  Index crossing = 0;     ///< entries between rows of different ranks
};
[[nodiscard]] RankCut cut_over_ranks(const Graph& graph, int ranks);
/// Estimates for a graph that is not there: all nodes have the mean degree, and neighbours
/// anywhere.
[[nodiscard]] RankCut cut_over_ranks(Index nodes, Index edges, bool weighted, int ranks);

/// The work of ranks on the graph.
struct RankWork {
  Index columns = 256;   ///< clusters at most; where they are free, those expected
  bool searches = true;  ///< the start is made by split and merge
  bool free = false;     ///< the number of clusters is
  int starts = 1;
  int threads = 0;  ///< of a rank; 0: all cores of this machine
};

/// Memory and traffic, by the model of docs/ranks.md.
struct RankNeeds {
  double memory = 0;         ///< bytes, of the largest rank
  double reading = 0;        ///< bytes that all ranks send while reading
  double start = 0;          ///< bytes sent until there is a start
  double iteration = 0;      ///< bytes sent in an iteration without changed labels
  double changed_label = 0;  ///< bytes sent for each copy of a changed label
  double seconds = 0;        ///< very roughly, with a network of 1.25 GB/s
};
[[nodiscard]] RankNeeds estimate(const RankCut& cut, const RankWork& work);

/// Prints the result of `estimate --ranks`.
int print_rank_estimate(const RankCut& cut, const RankWork& work, const Common& common);

}  // namespace srgw::cli
