// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "srgw/fields.hpp"
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

/// Two levels of difficulty of GraphChallenge.
enum class ChallengeLevel { low, high };
constexpr auto names_of(ChallengeLevel) {
  return std::array{Named{ChallengeLevel::low, "low"}, Named{ChallengeLevel::high, "high"}};
}

/// The directed, degree-corrected graphs of the IEEE HPEC Graph Challenge (stochastic block
/// partition, Kao et al. 2017): floor(nodes^0.35) blocks whose sizes have a Dirichlet
/// distribution, and out- and in-degrees from a discrete power law with exponent 2.5 between
/// min(10, nodes / (4 blocks)) and min(100, nodes / blocks). Nodes are in no order.
struct GraphChallenge {
  Index nodes = 1000;
  /// low: 5 edges within blocks for one between them (in blocks of average size); high: 2.5.
  ChallengeLevel overlap = ChallengeLevel::low;
  /// Concentration of the Dirichlet distribution; low: 10, high: 10/3.
  ChallengeLevel size_variation = ChallengeLevel::low;
};

/// Artificial Benchmark for Community Detection (Kaminski, Pralat and Theberge 2021): degrees and
/// community sizes from discrete power laws. A share `noise` of the edge ends of each node is
/// paired at random over the whole graph, the others inside the community. Nodes are in no order.
struct Abcd {
  Index nodes = 1000;
  double noise = 0.25;           ///< xi; edges between communities are a little fewer
  double degree_exponent = 2.5;  ///< gamma
  Index smallest_degree = 5, largest_degree = 30;
  double size_exponent = 1.5;  ///< beta
  Index smallest_size = 20, largest_size = 250;
};

/// Simple graphs (no loops, no double edges) in time linear in the edges; same seed, same graph.
/// Each throws when a size, a probability or a degree is out of range.
[[nodiscard]] PlantedGraph generate(const PlantedPartition& options, std::uint64_t seed);
[[nodiscard]] PlantedGraph generate(const StochasticBlockModel& options, std::uint64_t seed);
[[nodiscard]] PlantedGraph generate(const DegreeCorrected& options, std::uint64_t seed);
[[nodiscard]] PlantedGraph generate(const Lfr& options, std::uint64_t seed);
[[nodiscard]] PlantedGraph generate(const GraphChallenge& options, std::uint64_t seed);
[[nodiscard]] PlantedGraph generate(const Abcd& options, std::uint64_t seed);

/// A random simple graph in which every node has as many neighbours as in the given one; weights
/// are dealt out anew and self-loops stay. What is left of a graph when its structure is taken
/// away. Linear in the edges. Throws for a directed graph.
[[nodiscard]] Graph rewired(const Graph& graph, std::uint64_t seed);

}  // namespace srgw
