// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/graph.hpp"
#include "structure/chebyshev.hpp"

namespace srgw::detail {

/// D^-1/2 A D^-1/2 with D the row sums of A, plus 1 for every node as soon as one has no edge: I -
/// N has then a full diagonal, and the heat of nodes without edges decays like that of the others.
[[nodiscard]] Walk undirected_walk(const Graph& graph, const char* transform);

/// The walk with self-loops counted twice and no shift, as stability needs it
/// (docs/structures.md); rows of nodes without edges are zero.
[[nodiscard]] Walk stability_walk(const Graph& graph, const char* transform);

/// Chung's symmetric walk N = (S P S^-1 + S^-1 P'S)/2 with S^2 = diag(stationary).
struct DirectedWalk {
  enum class Kind { plain, lazy, teleporting };
  Kind kind = Kind::plain;
  Vector stationary;  ///< of P: positive, sums to 1
  Walk walk;
};

/// P is the random walk on the arcs if every node reaches every other and the lengths of the cycles
/// have no common divisor, the lazy walk (I + P)/2 if only the first holds, and otherwise PageRank:
/// with probability 0.05, and at nodes without out-arcs always, a jump to any node.
[[nodiscard]] DirectedWalk directed_walk(const Graph& graph, const char* transform, int threads);

/// An upper bound of the largest eigenvalue of a walk with scaled, non-negative entries. Power
/// iteration sharpens it until it is off by at most `slack`, or for 100 steps.
[[nodiscard]] double largest_eigenvalue_bound(const Walk& walk, double slack, int threads);

/// The walk N with exp(-tL) = exp(-t(I - N)): Chung's walk for a directed graph, else
/// undirected_walk.
[[nodiscard]] Walk heat_walk(const Graph& graph, int threads);

}  // namespace srgw::detail
