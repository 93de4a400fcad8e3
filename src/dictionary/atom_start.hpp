// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "dictionary/shard.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

// Starts are made from the nodes of all graphs by k-means, on the first rank.

/// The data that an atom may start from.
struct StartData {
  std::span<const Sample> samples;  ///< of this rank
  Index size;                       ///< of the atom
  Index columns;                    ///< of features
  std::uint64_t seed;
  int threads;
  Shard& shard;
};

/// B_kl = 1/2 + noise of deviation 0.01, symmetric and not below 0; X = centres of k-means on the
/// features of all nodes, ten tries.
[[nodiscard]] Atom noisy_atom(const StartData& data);

/// One target node for each node of each graph: clusters of what is seen around it, with a little
/// noise, so that nodes which look alike in a graph need not share a target node.
[[nodiscard]] std::vector<Plan> descriptor_plans(const StartData& data, double alpha);

}  // namespace srgw::detail
