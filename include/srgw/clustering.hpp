// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "srgw/dictionary.hpp"
#include "srgw/graph.hpp"
#include "srgw/run.hpp"
#include "srgw/samples.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// How rows are clustered by k-means, with greedy k-means++ seeding.
struct PointOptions {
  int clusters = 2;
  int tries = 100;  ///< starts of k-means; the smallest inertia is kept
  RowScaling scaling = RowScaling::blocks;
  std::vector<Index> blocks = {};  ///< columns of each block, see row_scale(); empty: one block
};

/// Evidence for clusters, computed from the points.
struct ClusterEvidence {
  Index distinct = 0;  ///< different points, up to a few more than clusters
  /// Inertia over the total sum of squares, of at most some hundred points; and the mean and
  /// deviation of the same for points drawn from a normal distribution with the same covariance.
  double spread = 0, spread_without = 0, deviation_without = 0;
  /// Mean adjusted Rand index of the clusters and those of random parts of the points.
  double stability = 1;
  /// Adjusted Rand index of the clusters and those of the numbers of nodes; nothing: not known.
  std::optional<double> by_size = {};

  /// Why the data do not support so many clusters, in sentences; none where nothing speaks against
  /// them.
  [[nodiscard]] std::vector<std::string> doubts(int clusters) const;
};

struct PointClusters {
  Assignment labels;   ///< of each row
  Matrix centres;      ///< clusters x columns
  double inertia = 0;  ///< sum of squared distances to the nearest centre
  Matrix points = {};  ///< the rows as they were scaled
  RowScale scale = {};
  std::optional<ClusterEvidence> evidence = {};  ///< nothing: the run was stopped
  Status status = Status::converged;

  /// Share of the rows in the largest cluster: near 1, nothing was separated.
  [[nodiscard]] double largest_share() const;
};

/// Throws when there are fewer rows than clusters, or numbers that are not finite. `sizes` are the
/// numbers of nodes of the graphs, if they are known. The result does not depend on the threads.
[[nodiscard]] PointClusters cluster_points(MatrixView rows, const PointOptions& options,
                                           std::span<const Index> sizes = {}, const Run& run = {});

/// How graphs become points for k-means: a dictionary is learned, and the graphs are embedded with
/// it. The defaults are what did best on the generated datasets of docs/benchmarks.md.
struct ClusterOptions {
  int clusters = 2;
  int tries = 100;                                                        ///< of k-means
  FeatureOptions features = {.standardisation = Standardisation::nodes};  ///< of a dataset
  Index size = 10;                                                        ///< nodes of an atom
  int atoms = 5;  ///< each from a seed of its own
  /// Weight of the structure; nothing: such that features and structures count alike (FusedTerms).
  std::optional<double> alpha = {};
  Projection projection = {};  ///< but for alpha
  Learner learner = ClosedForm{.start = AtomStart::descriptors};
  EmbedOptions embedding = {.random_starts = 3};
  RowScaling scaling = RowScaling::quantiles;
};

/// With Run::ranks labels, centres, points and evidence are on the first rank only.
struct GraphPartition : PointClusters {
  Dictionary model = {};
  std::vector<Learned> learned = {};  ///< of each atom
};

/// Clusters graphs. A run that is stopped gives clusters of what was learned until then.
/// Throws as learn() and embed() do, and when there are fewer graphs than clusters.
[[nodiscard]] GraphPartition cluster(std::span<const Sample> samples,
                                     const ClusterOptions& options = {}, const Run& run = {});
/// Clusters the graphs of a dataset by their adjacency matrices.
[[nodiscard]] GraphPartition cluster(const Dataset& dataset, const ClusterOptions& options = {},
                                     const Run& run = {});

/// The least favourable of several: interrupted, time limit, iteration limit, converged.
[[nodiscard]] Status worst_status(std::span<const Learned> learned);
/// The embeddings of several atoms side by side.
[[nodiscard]] Matrix join_embeddings(std::span<const Learned> learned);

}  // namespace srgw
