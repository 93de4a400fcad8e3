// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/graph.hpp"
#include "srgw/structure.hpp"

namespace srgw {

/// h_i proportional to 1.
[[nodiscard]] Vector uniform_weights(Index nodes);
/// h_i proportional to (degree_i + a)^b, with a = 1 if some node has no edge, else 0. b = 1 and
/// a = 0 gives degree weights. Throws when a degree is negative or all are zero.
[[nodiscard]] Vector power_weights(const Graph& graph, double exponent);
/// h_i proportional to degree_i; nodes without edges get no mass. Throws when there is no edge.
[[nodiscard]] Vector degree_weights(const Graph& graph);

/// C = A, with uniform weights; directed graphs give an asymmetric structure.
[[nodiscard]] Source adjacency(const Graph& graph);

/// C = D^-1/2 A D^-1/2 with D the row sums of A (a self-loop counts once) and uniform weights; rows
/// of nodes without edges are zero. Throws for a directed graph and for negative weights.
[[nodiscard]] Source normalized_adjacency(const Graph& graph);

/// C_ij = w A_ij / (d_i d_j) and h_i = d_i / 2w with 2w the sum of degrees; a self-loop of weight v
/// counts 2v in A_ii and in d_i. For every hard plan onto the identity, value = constant - Q with Q
/// Newman's modularity (onto c I: constant - c Q_c, Q_c the modularity at resolution c). Throws for
/// a directed graph, negative weights and a graph without edges.
[[nodiscard]] Source modularity(const Graph& graph);

}  // namespace srgw
