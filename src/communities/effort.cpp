// SPDX-License-Identifier: MIT
#include "communities/effort.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t smallest_large = 1'000'000;  // stored entries, two for an edge

constexpr Effort quick{.solutions = 2,
                       .combinations = 0,
                       .trial_cycles = 1,
                       .solution_cycles = 0,
                       .final_cycles = 1,
                       .core_solutions = 2,
                       .contracts_trials = true};
constexpr Effort normal{};
constexpr Effort normal_large{
    .solutions = 3, .combinations = 2, .trial_cycles = 1, .solution_cycles = 2};
constexpr Effort thorough{.solutions = 20,
                          .combinations = 20,
                          .trial_cycles = 3,
                          .solution_cycles = 5,
                          .final_cycles = 20};
constexpr Effort thorough_large{
    .solutions = 8, .combinations = 8, .trial_cycles = 2, .solution_cycles = 3, .final_cycles = 10};

}  // namespace

Effort effort_of(PartitionEffort effort, std::size_t entries) {
  const bool large = entries > smallest_large;
  switch (effort) {
    case PartitionEffort::quick: break;
    case PartitionEffort::normal: return large ? normal_large : normal;
    case PartitionEffort::thorough: return large ? thorough_large : thorough;
  }
  return quick;
}

}  // namespace srgw::detail
