// SPDX-License-Identifier: MIT
#pragma once

#include "base/random.hpp"
#include "completion/surroundings.hpp"
#include "dictionary/projector.hpp"

namespace srgw::detail {

/// Neighbours of the nodes of a symmetric structure: entries that are not 0, the diagonal aside.
[[nodiscard]] std::vector<std::vector<NodeId>> neighbours_of(const Matrix& structure);

/// Sets roles and fit by the plan onto the atom, from the product start.
void set_roles(Projector& projector, int worker, SeenGraph& graph);

/// A training graph of which some nodes are hidden.
struct HalfSeen {
  SeenGraph seen;
  std::vector<NodeId> shown, hidden;  ///< nodes of the training graph
};
/// `count` nodes chosen at random.
[[nodiscard]] HalfSeen hide_nodes(const std::vector<std::vector<NodeId>>& neighbours,
                                  const Matrix& features, Index count, Random& random);

}  // namespace srgw::detail
