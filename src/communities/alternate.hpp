// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "srgw/partition.hpp"
#include "srgw/structure.hpp"

namespace srgw::detail {

/// A problem whose target structure, target features or both are found along the way.
struct Alternation {
  const Source& source;
  Structure target;  ///< the first one, or the only one
  bool learns_target = false;
  const PartitionFeatures* features = nullptr;
  std::optional<Vector> target_weights = {};  ///< that clusters have to have
  Loss loss = Loss::square;
  double sparsity = 0;
  double entropy = 0;

  [[nodiscard]] bool learns() const { return learns_target || features != nullptr; }
};

/// The problem with a target as it is.
[[nodiscard]] Problem problem_of(const Alternation& problem, const Structure& target);

struct Alternated {
  Solution solution;
  Structure target;
  Matrix target_features;
  int rounds = 0;
};

/// Solves for the plan and for the target in turn, each of which lowers the objective, until that
/// falls by less than 1e-6 of itself or 50 rounds are over. If a run with a limit is stopped, the
/// result is that of the last round, or the start.
[[nodiscard]] Alternated alternate(const Alternation& problem, const Plan& start,
                                   const Method& method, const Run& run);

/// Throws Stopped if a solve that ended with this status was stopped.
void pass_on_stop(Status status);

/// Value and gap of a plan as it is (mirror descent: after one step). Takes one pass and cannot be
/// stopped.
[[nodiscard]] Alternated evaluate(const Alternation& problem, const Plan& plan, Method method,
                                  int threads);

/// Nodes of like features start together: k-means on the rows.
[[nodiscard]] Plan plan_by_features(const Vector& weights, const Matrix& rows, Index columns,
                                    std::uint64_t seed, int threads);

/// Ten penalties, each twice the last, up to that of the options; each goes on from the plan of the
/// last. Returns what the last one gives.
[[nodiscard]] Alternated follow_path(const Alternation& problem, const Plan& start,
                                     const PartitionOptions& options, const Graph& graph,
                                     const Run& run, std::vector<PartitionPathPoint>& path);

}  // namespace srgw::detail
