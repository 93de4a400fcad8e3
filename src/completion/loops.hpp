// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "completion/fitting.hpp"
#include "srgw/completion.hpp"

namespace srgw::detail {

/// Throws unless graph and model have the same number of feature columns.
void check_kind(Index columns, const PartialGraph& graph);

/// First state of a search.
[[nodiscard]] inline Completion nothing_yet() {
  Completion nothing;
  nothing.value = std::numeric_limits<double>::infinity();
  return nothing;
}

/// The two searches for the free entries that a model likes best. `best` is nothing_yet() at first;
/// after a stop, which throws, it has what was found.
void complete_with(Fitting& model, const PartialGraph& graph, const ProjectedAdam& scheme,
                   const Run& run, Completion& best);
void complete_with(Fitting& model, const PartialGraph& graph, const Alternation& scheme,
                   const Run& run, Completion& best);

}  // namespace srgw::detail
