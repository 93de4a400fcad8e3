// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "cli/solving.hpp"

namespace srgw::cli {

/// Clusters with features: those of the target are the means of k-means first, then the means under
/// the plan, and solving alternates with this until no label changes.
[[nodiscard]] Solution solve_with_features(const Source& source, const Structure& target,
                                           const Matrix& features,
                                           const std::optional<StartFile>& start,
                                           const Solving& solving, const Setup& setup);

}  // namespace srgw::cli
