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

/// Memory and traffic, by the model of docs/ranks.md.
struct RankNeeds {
  double memory = 0;         ///< bytes, of the largest rank
  double reading = 0;        ///< bytes that all ranks send while reading
  double start = 0;          ///< bytes sent until there is a start
  double iteration = 0;      ///< bytes sent in an iteration without changed labels
  double changed_label = 0;  ///< bytes sent for each copy of a changed label
};
/// `searches`: the start is made by split and merge.
[[nodiscard]] RankNeeds estimate(const RankCut& cut, Index columns, bool searches);

/// Prints the result of `estimate --ranks`.
int print_rank_estimate(const RankCut& cut, Index columns, bool searches, const Common& common);

}  // namespace srgw::cli
