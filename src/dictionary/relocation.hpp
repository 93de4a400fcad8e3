// SPDX-License-Identifier: MIT
#pragma once

#include "base/random.hpp"
#include "dictionary/atom_sums.hpp"
#include "dictionary/projector.hpp"
#include "dictionary/shard.hpp"

namespace srgw::detail {

/// The data by which target nodes are moved.
struct Relocation {
  std::span<const Sample> samples;    ///< of this rank
  const Projector& projector;         ///< onto the atom
  const std::vector<double>& values;  ///< of the graphs
  Random& random;                     ///< in the same state on every rank
  Shard& shard;
};

/// Whether there are target nodes without mass.
[[nodiscard]] bool has_unused(const Vector& masses, std::size_t graphs);

/// Sends one node to each target node without mass: graphs are drawn in proportion to their values,
/// then one of their nodes in proportion to what it adds. The row of the atom becomes a copy of
/// that which the node had, so that the loss does not rise. True if a plan changed.
bool revive(const Relocation& relocation, const Vector& masses, std::vector<Plan>& plans,
            Atom& atom);

/// The two target nodes that may become one at the least cost, if the atom is the best one before
/// and after; the second is to stay.
struct Merge {
  Index from = 0, to = 0;
  double cost = 0;
};
[[nodiscard]] Merge cheapest_merge(const AtomSums& sums, double alpha);

}  // namespace srgw::detail
