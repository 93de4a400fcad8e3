// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "solvers/watch.hpp"
#include "srgw/partition.hpp"
#include "srgw/structure.hpp"

namespace srgw::detail {

/// A problem whose target structure, target features or both are found along the way.
struct Alternation {
  const Source& source;
  Structure target;  ///< the first one, or the only one
  bool learns_target = false;
  const PartitionFeatures* features = nullptr;
  double sparsity = 0;
};

struct Alternated {
  Solution solution;
  Structure target;
  Matrix target_features;
  int rounds = 0;
};

/// Solves for the plan and for the target in turn, each of which lowers the objective, until that
/// falls by less than 1e-6 of itself or 50 rounds are over.
[[nodiscard]] Alternated alternate(const Alternation& problem, const Plan& start,
                                   const Method& method, const Run& run);

/// The same run with the time that is left of it.
[[nodiscard]] Run rest_of(const Run& run, const Watch& watch);

/// Nodes of like features start together: k-means on the rows.
[[nodiscard]] Plan plan_by_features(const Vector& weights, const Matrix& rows, Index columns,
                                    std::uint64_t seed, int threads);

}  // namespace srgw::detail
