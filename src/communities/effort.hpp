// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "srgw/partition.hpp"

namespace srgw::detail {

/// How much a search spends.
struct Effort {
  int solutions = 5;        ///< independent ones
  int combinations = 3;     ///< of pairs of them
  int trial_cycles = 2;     ///< V-cycles of a trial that chooses the resolution
  int solution_cycles = 3;  ///< of each solution
  int final_cycles = 5;     ///< of the best one
  /// With a free number of clusters: solutions on the graph in which nodes that all solutions join
  /// are contracted; 0: pairs of solutions are combined instead. That graph is small, so these cost
  /// little.
  int core_solutions = 0;
  /// Trials of resolutions share a contracted graph, and the best one is one of the solutions.
  bool contracts_trials = false;
};

/// What is searched.
struct EffortFor {
  std::size_t entries = 0;  ///< stored ones, two for an edge
  bool is_free = false;     ///< the number of clusters is
  bool is_copy = false;     ///< a rewired copy to compare with, one of many
};

/// The one place that says what an effort means.
[[nodiscard]] Effort effort_of(PartitionEffort effort, const EffortFor& graph);

}  // namespace srgw::detail
