// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/run.hpp"
#include "srgw/transform.hpp"
#include "srgw/types.hpp"

/// Graphs summarised by blocks of nodes: coarse graphs, block models and graphons.
namespace srgw {

struct CoarsenOptions {
  std::optional<Index> nodes = {};  ///< of the coarse graph; absent: ratio * nodes, rounded up
  double ratio = 0.3;
  /// adjacency, normalized_adjacency, laplacian or normalized_laplacian: those with sparse rows.
  StructureKind structure = StructureKind::adjacency;
  std::optional<VectorSpan> weights = {};   ///< of the nodes; absent: uniform
  std::optional<MatrixSpan> features = {};  ///< one row for each node, to be averaged
  /// The spectral error compares this many eigenvalues; absent: 10 for graphs of up to
  /// largest_spectrum nodes, else none. 0: none.
  std::optional<Index> eigenvalues = {};
};

/// Beyond so many nodes coarsen() computes eigenvalues only if their number is given.
constexpr Index largest_spectrum = 20'000;

/// A coarse graph whose nodes are sets of nodes.
struct Coarsening {
  Assignment labels;         ///< the coarse node of each node
  std::vector<Index> sizes;  ///< nodes of each coarse node, never 0
  Vector weights;            ///< masses of the coarse nodes
  /// Sums of the edge weights between and inside of coarse nodes. A self-loop has the weight of all
  /// edges inside.
  Graph graph = Graph::from_edges(1, std::span<const Entry>());
  /// The learned target: means of the structure over pairs of nodes, weighted by their masses.
  Csr means;
  Matrix features;         ///< coarse nodes x features: weighted means; empty without features
  double value = 0;        ///< objective E(C, means, labels)
  double start_value = 0;  ///< of the best start, before reassignments
  /// The smallest eigenvalues of the normalised Laplacian of the graph, and of the lifted graph in
  /// which pairs of nodes have the mean weight of their coarse nodes.
  Vector eigenvalues, lifted_eigenvalues;
  /// Mean of |lifted - original| / original over eigenvalues above 1e-8; absent without any.
  std::optional<double> spectral_error = {};
  Status status = Status::converged;

  [[nodiscard]] Index nodes() const { return static_cast<Index>(sizes.size()); }
};

/// Finds the hard plan and the target that minimise the objective
///     E = sum_ijkl (C_ij - B_kl)^2 T_ik T_jl,  B_kl = means of C over blocks,
/// for a given number of target nodes, all of which get nodes. Starts: communities at a resolution
/// that gives this many; and for up to 2,000 nodes, pairs merged in the order of what they cost.
/// Then single nodes are reassigned while that lowers E. The square root of E is an upper bound of
/// the Gromov-Wasserstein distance between graph and coarse graph. Throws for a directed graph,
/// negative edge weights, and numbers of coarse nodes outside of 1 to the number of nodes.
[[nodiscard]] Coarsening coarsen(const Graph& graph, const CoarsenOptions& options,
                                 const Run& run = {});

/// Rows of coarse nodes, copied to their nodes.
[[nodiscard]] Matrix lift_rows(MatrixView rows, const Assignment& labels);

struct BlockModelOptions {
  std::optional<Index> blocks = {};  ///< absent: chosen by description length
  Index most_blocks = 0;             ///< of a free number; 0: as many as the data support
  bool degree_corrected = false;     ///< nodes of one block may have any degrees
  /// Share of the pairs of nodes that are left out of the fit; their log-likelihood is computed.
  double held_out = 0;
  int starts = 2;  ///< independent searches, of which at least 2 are made; the best is kept
};

/// A number of blocks that was tried.
struct BlockTrial {
  Index blocks = 0;
  double length = 0;  ///< description length in nats
};

/// Blocks of nodes such that the number of edges between two nodes depends on their blocks alone.
struct BlockModel {
  Assignment labels;         ///< large blocks first
  std::vector<Index> sizes;  ///< nodes of each block
  /// Edges between blocks, from row to column; undirected ones are counted once in both places, and
  /// those inside of a block once.
  Matrix edges;
  Matrix pairs;  ///< of nodes, between blocks, where edges could be
  /// edges / pairs: probabilities of edges; of graphs with weights, which are counts, mean counts.
  Matrix probabilities;
  /// sqrt(p (1 - p) / pairs); of counts sqrt(p / pairs).
  Matrix standard_errors;
  double length = 0;      ///< description length in nats: of the labels, the counts and the graph
  double one_length = 0;  ///< that of a single block
  std::vector<BlockTrial> trials;  ///< with increasing numbers of blocks
  /// Mean log-likelihood of the pairs that were left out, and of a model with a single block.
  std::optional<double> held_out_likelihood = {}, held_out_likelihood_one = {};
  Index held_out_pairs = 0;
  bool directed = false, counts = false, degree_corrected = false;
  Vector propensities, in_propensities;  ///< degree-corrected: mean 1 in each block
  Status status = Status::converged;

  [[nodiscard]] Index blocks() const { return static_cast<Index>(sizes.size()); }
};

/// Fits a stochastic block model of any kind: assortative, bipartite, core-periphery or mixed.
/// Starts from leading eigenvectors of the adjacency, k-means and merges; then single nodes move
/// between blocks while that shortens the microcanonical description of the graph (Peixoto, 2017).
/// Edge weights have to be whole numbers, which are counts. Self-loops are left out. Throws for
/// other weights, a graph of less than two nodes, and numbers of blocks outside of 1 to the nodes.
[[nodiscard]] BlockModel fit_block_model(const Graph& graph, const BlockModelOptions& options = {},
                                         const Run& run = {});

/// A graph drawn from the model, on as many nodes with the same blocks.
[[nodiscard]] Graph sample(const BlockModel& model, std::uint64_t seed);

/// Description length in nats of a graph by given blocks, as fit_block_model() computes it.
[[nodiscard]] double description_length(const Graph& graph, const Assignment& labels,
                                        bool degree_corrected = false);

struct GraphonOptions {
  /// Steps of the function, at most; absent: half the root of the mean number of nodes, rounded up,
  /// 2000 at most. The root is the order of Gao, Lu and Zhou (2015); the factor is measured.
  std::optional<Index> steps = {};
};

/// A step function W on the unit square that graphs of any sizes were drawn from: each node has a
/// place in [0, 1], and two nodes are linked with probability W of their places. Steps with many
/// edges come first.
struct Graphon {
  Matrix values;           ///< steps x steps: shares of the pairs with an edge, or mean weights
  Matrix standard_errors;  ///< of the values
  Matrix pairs;            ///< of nodes that the values are means of, each once
  Vector widths;           ///< of the steps: shares of all nodes, which sum to 1
  std::vector<Assignment> labels;     ///< of each graph: the step of each node
  std::vector<double> sample_values;  ///< of each graph: sum_ij (A_ij - B_ij)^2 / n^2
  double value = 0;  ///< their mean, weighted by n^2: the objective of the barycenter
  bool weighted = false;
  Status status = Status::converged;

  [[nodiscard]] Index steps() const { return widths.size(); }
  /// Nodes of all graphs in each step.
  [[nodiscard]] std::vector<Index> sizes() const;
};

/// Estimates a graphon by the semi-relaxed Gromov-Wasserstein barycenter of the graphs, whose plans
/// tell which step a node belongs to. The plans start from nodes in the order of their degrees, and
/// from leading eigenvectors of each graph whose block means are matched with those of the largest
/// graph; the lower objective is kept. Steps that no node is in are left out. Throws for directed
/// graphs, negative weights, and numbers of steps outside of 1 to the nodes of the largest graph.
[[nodiscard]] Graphon fit_graphon(std::span<const Graph> graphs, const GraphonOptions& options = {},
                                  const Run& run = {});

struct GraphonSample {
  Graph graph = Graph::from_edges(1, std::span<const Entry>());
  Assignment labels;  ///< the step of each node
};
/// A graph with so many nodes: their steps are drawn by widths, their edges by values. Throws for
/// values above 1, which graphs with weights have.
[[nodiscard]] GraphonSample sample(const Graphon& graphon, Index nodes, std::uint64_t seed);

/// An .npz with values, standard_errors, pairs, widths, and the labels of all graphs in a row.
void save(const Graphon& graphon, const std::filesystem::path& path);
[[nodiscard]] Graphon load_graphon(const std::filesystem::path& path);

}  // namespace srgw
