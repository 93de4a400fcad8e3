// SPDX-License-Identifier: MIT
#pragma once

#include "completion/fitting.hpp"
#include "srgw/completion.hpp"

namespace srgw::detail {

/// Throws unless graph and model have the same number of feature columns.
void check_kind(Index columns, const PartialGraph& graph);

/// The two searches for the free entries that a model likes best.
[[nodiscard]] Completion completed(Fitting& model, const PartialGraph& graph,
                                   const ProjectedAdam& scheme, const Run& run);
[[nodiscard]] Completion completed(Fitting& model, const PartialGraph& graph,
                                   const Alternation& scheme, const Run& run);

}  // namespace srgw::detail
