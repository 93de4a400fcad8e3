// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/initial.hpp"
#include "srgw/run.hpp"
#include "srgw/solve.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// The structure that a graph is seen through.
struct PartitionStructure {
  enum class Kind {
    automatic,  ///< modularity at a resolution that the graph chooses, found by the search
    adjacency,
    modularity,
    stability,  ///< at `time`; large times see coarse communities
    heat,       ///< at `time`
    given,
  };
  Kind kind = Kind::automatic;
  double time = 1;
  std::optional<Structure> structure = {};  ///< a given one, with a row for each node
};

/// The node weights h. Modularity and stability have their own, which are `degree`.
struct PartitionWeights {
  enum class Kind { automatic, uniform, degree, power, given };
  Kind kind = Kind::automatic;
  double exponent = 1;  ///< of power: h_i proportional to (degree_i + a)^exponent
  Vector values = {};   ///< given ones
};

/// The structure of the target.
struct PartitionTarget {
  enum class Kind {
    automatic,        ///< what the search chooses, or the identity
    scaled_identity,  ///< scale I: clusters that are dense inside
    learned,  ///< alternates between the plan and the best target for it: blocks of any kind
    given,
  };
  Kind kind = Kind::automatic;
  double scale = 1;
  std::optional<Structure> structure = {};  ///< of a given target
};

/// Node features next to the structure: alpha E(T) + (1 - alpha) <M, T>, with M the squared
/// distances to target features that are found along the way.
struct PartitionFeatures {
  Matrix rows;  ///< one for each node
  double alpha = 0.5;
};

struct PartitionOptions {
  std::optional<Index> clusters = {};  ///< at most so many; absent: as many as the graph has
  PartitionStructure structure = {};
  PartitionWeights weights = {};
  PartitionTarget target = {};
  std::optional<PartitionFeatures> features = {};
  double sparsity = 0;  ///< weight of the concave penalty on cluster masses
  /// Absent: the search; for other structures spectral, or k-means where they have no rows.
  std::optional<Start> start = {};
  int starts = 1;                 ///< the best of so many is kept
  std::optional<Plan> plan = {};  ///< to start from, in place of a named start
  Method method = ConditionalGradient{};
  bool test_significance = true;  ///< whether a graph without communities is told so
};

struct Partition {
  /// Of each node, from 0 on. Nodes without an edge to another node, and components beyond the
  /// allowed number, have the label `clusters`.
  Assignment labels;
  Index clusters = 0;     ///< that are not empty
  Index unconnected = 0;  ///< nodes with the label `clusters`
  /// False: the graph has no communities, and all connected nodes are one cluster.
  bool significant = true;
  bool symmetrized = false;  ///< the graph was directed; the union of both directions was taken
  double modularity = 0;     ///< at resolution 1, of the graph as given or symmetrised
  double resolution = 1;     ///< the scale of the target: where the search was made, its resolution
  /// Plan, value and certificate. Its rows are `nodes`, its columns the clusters.
  Solution solution;
  std::vector<NodeId> nodes;         ///< rows of the plan: the nodes that were searched
  Matrix target;                     ///< clusters x clusters, where it was learned
  Matrix target_features;            ///< clusters x features, where there are features
  std::vector<std::string> reasons;  ///< sentences: what was chosen and why
};

/// Clusters of the nodes of a graph. With nothing but a graph (and perhaps a number of clusters)
/// the search of a hard plan onto a scaled identity with the modularity structure is made:
/// multilevel, at a resolution that the graph chooses, from several starts; conditional gradient
/// then gives soft memberships and the gap. Everything else goes to solve(). Throws for a graph
/// without edges, negative weights where a structure cannot have them, features of another length,
/// and modularity or stability of a directed graph. The result is the same on any number of
/// threads.
[[nodiscard]] Partition partition(const Graph& graph, const PartitionOptions& options = {},
                                  const Run& run = {});

}  // namespace srgw
