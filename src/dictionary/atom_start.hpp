// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// B_kl = 1/2 + noise of deviation 0.01, symmetric and not below 0; X = centres of k-means on the
/// features of all nodes, ten tries (spec 6.2).
[[nodiscard]] Atom noisy_atom(std::span<const Sample> samples, Index size, std::uint64_t seed,
                              int threads);

/// One target node for each node of each graph: clusters of what is seen around it, with a little
/// noise, so that nodes which look alike in a graph need not share a target node.
[[nodiscard]] std::vector<Plan> descriptor_plans(std::span<const Sample> samples, Index size,
                                                 double alpha, std::uint64_t seed, int threads);

}  // namespace srgw::detail
