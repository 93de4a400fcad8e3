// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/completion.hpp"

namespace srgw::detail {

/// Throws unless graph and dictionary have the same number of feature columns.
void check_kind(const Dictionary& dictionary, const PartialGraph& graph);

/// The two searches for the free entries that an atom likes best.
[[nodiscard]] Completion completed(const Atom& atom, const Projection& projection,
                                   const PartialGraph& graph, const ProjectedAdam& scheme,
                                   const Run& run);
[[nodiscard]] Completion completed(const Atom& atom, const Projection& projection,
                                   const PartialGraph& graph, const Alternation& scheme,
                                   const Run& run);

}  // namespace srgw::detail
