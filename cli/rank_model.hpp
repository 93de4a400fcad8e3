// SPDX-License-Identifier: MIT
#pragma once

#include "cli/common.hpp"
#include "cli/memory.hpp"
#include "srgw/graph.hpp"

namespace srgw::cli {

/// How `partition` spreads a graph over ranks.
struct RankCut {
  int ranks = 1;
  Index nodes = 0, entries = 0;  ///< of the graph
  bool weighted = false;
  // The most that one rank has.
  Index most_rows = 0, most_entries = 0;
  Index most_copies = 0;  ///< nodes of others that its rows have edges to
  Index copies = 0;       ///< of all ranks
  Index crossing = 0;     ///< entries between rows of different ranks
};
[[nodiscard]] RankCut cut_over_ranks(const Graph& graph, int ranks);

/// What it takes, by the model of docs/ranks.md.
struct RankNeeds {
  double memory = 0;         ///< bytes, of the largest rank
  double reading = 0;        ///< bytes that ranks send each other, all together
  double start = 0;          ///< the same from then on until there is a start
  double iteration = 0;      ///< the same of an iteration that changes no copied label
  double changed_label = 0;  ///< the same, for each copy of a label that changes
};
/// `searches`: the start is made by split and merge.
[[nodiscard]] RankNeeds estimate(const RankCut& cut, Index columns, bool searches);

/// What `estimate --ranks` prints.
int print_rank_estimate(const RankCut& cut, Index columns, bool searches, const Common& common);

}  // namespace srgw::cli
