// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "communities/search/weighted_graph.hpp"

namespace srgw::detail {

/// Several layers on the same nodes as one graph, whose quality is the weighted mean of their
/// modularities. With weights w_l and the sums T_l of the masses of layer l, it has the weights
///     sum_l f_l a_ij^l,    f_l = (w_l / T_l) / (w_r / T_r),
/// where r is the layer of the largest weight, so that the weights of equal layers stay whole
/// numbers. Layers are graphs of modularity_graph() and have edges; weights are above 0.
[[nodiscard]] WeightedGraph combine_layers(std::span<const WeightedGraph> layers,
                                           std::span<const double> weights, int threads = 1);

}  // namespace srgw::detail
