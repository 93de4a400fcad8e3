// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/structure_word.hpp"
#include "srgw/types.hpp"

namespace srgw::cli {

/// Sizes and options that determine memory and time of a run.
struct Workload {
  Index nodes = 0;
  Index entries = 0;  ///< of the adjacency
  bool weighted = false;
  Index columns = 0;  ///< m
  Storage storage = Storage::shared;
  double time = 0;  ///< of a kernel
  bool diagonal_target = false;
  bool hard_start = false;
  bool well_scaled = false;  ///< plans stay hard: modularity, stability, from a good start
  bool features = false;
  bool mirror = false;
  bool keeps_arrays = false;  ///< a share or relations: plans are arrays whatever the target is
  int relations = 0;          ///< beyond the first
  bool searches = false;      ///< the default search of partition() comes before the solve
  int starts = 1;
  int threads = 0;  ///< 0: all cores
};

/// A rough estimate, within a factor of about two.
struct Estimate {
  double graph = 0, structure = 0, solver = 0;  ///< bytes
  double seconds = 0;
  [[nodiscard]] double bytes() const { return graph + structure + solver; }
};
[[nodiscard]] Estimate estimate(const Workload& work);

/// Throws a resource error with the estimate and a remedy when it is above the limit.
void check_memory(const Estimate& estimate, const Workload& work,
                  std::optional<std::uint64_t> limit);

}  // namespace srgw::cli
