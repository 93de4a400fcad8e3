// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// A random graph and the blocks it was drawn from.
struct PlantedGraph {
  Graph graph;
  Assignment blocks;
};

/// Blocks of (nearly) equal size and a given mean degree, of which a share stays inside blocks.
struct PlantedPartition {
  Index nodes = 1000;
  Index blocks = 10;
  double mean_degree = 20;
  double inside = 0.8;  ///< expected share of the edges inside a block
};

/// Independent edges with probability p(block_i, block_j); blocks are contiguous ranges of nodes.
struct StochasticBlockModel {
  std::vector<Index> sizes;
  Matrix probabilities;  ///< blocks x blocks; symmetric unless directed
  bool directed = false;
};

/// As PlantedPartition, with expected degrees from a power law: degree-corrected blocks.
struct DegreeCorrected {
  Index nodes = 1000;
  Index blocks = 10;
  double mean_degree = 20;
  double inside = 0.8;
  double exponent = 2.5;      ///< of the degree distribution, above 2
  double largest_degree = 0;  ///< 0: sqrt(nodes * mean_degree)
};

/// Communities of unequal size and nodes of unequal degree, both from power laws, of which each
/// node has the same expected share of its edges outside: the benchmark of Lancichinetti, Fortunato
/// and Radicchi (2008). Nodes are in no order.
struct Lfr {
  Index nodes = 1000;
  double mean_degree = 20;
  double largest_degree = 50;
  double mixing = 0.3;           ///< expected share of a node's edges that leave its community
  double degree_exponent = 2.5;  ///< above 2
  double size_exponent = 1.5;    ///< at least 1
  Index smallest_size = 20, largest_size = 100;
};

/// Simple graphs (no loops, no double edges) in time linear in the edges; same seed, same graph.
/// Each throws when a size, a probability or a degree is out of range.
[[nodiscard]] PlantedGraph generate(const PlantedPartition& options, std::uint64_t seed);
[[nodiscard]] PlantedGraph generate(const StochasticBlockModel& options, std::uint64_t seed);
[[nodiscard]] PlantedGraph generate(const DegreeCorrected& options, std::uint64_t seed);
[[nodiscard]] PlantedGraph generate(const Lfr& options, std::uint64_t seed);

/// A random simple graph in which every node has as many neighbours as in the given one; weights
/// are dealt out anew and self-loops stay. What is left of a graph when its structure is taken
/// away. Linear in the edges. Throws for a directed graph.
[[nodiscard]] Graph rewired(const Graph& graph, std::uint64_t seed);

}  // namespace srgw
