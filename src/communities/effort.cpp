// SPDX-License-Identifier: MIT
#include "communities/effort.hpp"

namespace srgw::detail {

namespace {

// Stored entries, two for an edge.
constexpr std::size_t largest_smallest = 1'500;
constexpr std::size_t largest_tiny = 6'000;
constexpr std::size_t smallest_medium = 100'000;
constexpr std::size_t smallest_large = 1'000'000;

constexpr Effort quick{.solutions = 2,
                       .combinations = 0,
                       .trial_cycles = 1,
                       .solution_cycles = 0,
                       .final_cycles = 1,
                       .core_solutions = 2,
                       .contracts_trials = true};
constexpr Effort normal{};
/// Small graphs have many optima that are nearly as good as the best; many searches cost little
/// there.
constexpr Effort normal_tiny{.solutions = 30, .combinations = 30};
/// Some hundred edges: enough to find the largest modularity nearly always, in milliseconds.
constexpr Effort normal_smallest{.solutions = 120, .combinations = 30};
constexpr Effort normal_medium{.solutions = 4,
                               .combinations = 0,
                               .trial_cycles = 1,
                               .solution_cycles = 1,
                               .final_cycles = 2,
                               .core_solutions = 6,
                               .contracts_trials = true};
constexpr Effort normal_large{
    .solutions = 3, .combinations = 2, .trial_cycles = 1, .solution_cycles = 2};
constexpr Effort thorough{.solutions = 20,
                          .combinations = 20,
                          .trial_cycles = 3,
                          .solution_cycles = 5,
                          .final_cycles = 20};
constexpr Effort thorough_large{
    .solutions = 8, .combinations = 8, .trial_cycles = 2, .solution_cycles = 3, .final_cycles = 10};

Effort normal_of(const EffortFor& graph) {
  if (graph.is_free && !graph.is_copy && graph.entries <= largest_tiny) {
    return graph.entries <= largest_smallest ? normal_smallest : normal_tiny;
  }
  if (graph.is_free && graph.entries >= smallest_medium) return normal_medium;
  return graph.entries > smallest_large ? normal_large : normal;
}

}  // namespace

Effort effort_of(PartitionEffort effort, const EffortFor& graph) {
  switch (effort) {
    case PartitionEffort::quick: break;
    case PartitionEffort::normal: return normal_of(graph);
    case PartitionEffort::thorough:
      return graph.entries > smallest_large ? thorough_large : thorough;
  }
  return quick;
}

}  // namespace srgw::detail
