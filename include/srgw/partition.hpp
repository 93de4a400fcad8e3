// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/run.hpp"
#include "srgw/solve.hpp"
#include "srgw/structure.hpp"
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
    other,      ///< what `make` gives
  };
  Kind kind = Kind::automatic;
  double time = 1;
  /// Of the graph on the nodes that are clustered, on so many threads.
  std::function<Source(const Graph&, int)> make = {};
};

/// The node weights h. Modularity and stability have their own, which are `degree`.
struct PartitionWeights {
  enum class Kind { automatic, uniform, degree, power, given };
  Kind kind = Kind::automatic;
  double exponent = 1;  ///< of power: h_i proportional to (degree_i + a)^exponent
  Vector values = {};   ///< given ones, of each node; scaled to sum 1 over those clustered
};

/// The structure of the target.
struct PartitionTarget {
  enum class Kind {
    automatic,        ///< what the search chooses, or the identity
    scaled_identity,  ///< scale I: clusters that are dense inside
    learned,  ///< alternates between the plan and the best target for it: blocks of any kind
    /// diag(hbar), and the clusters have to have the masses hbar: the problem of GWL, and of
    /// SpecGWL with the heat kernel; hbar by interpolated_weights().
    interpolated,
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

/// A named start, labels of the nodes, or a plan whose rows are scaled to the node weights.
using PartitionStart = std::variant<Start, Assignment, Matrix>;

/// Parameters of a problem.
struct PartitionSetting {
  double time = 1;      ///< of stability and the heat kernel
  double scale = 1;     ///< of the target
  double exponent = 0;  ///< of the node weights
  double epsilon = 0;   ///< of mirror descent
};

/// Values of which those are taken that lead to the largest modularity: time and scale together,
/// then the exponent, then epsilon. An empty list leaves what the options say.
struct PartitionGrid {
  std::vector<double> times = {}, scales = {}, exponents = {}, epsilons = {};
};

/// One step of a path over the sparsity penalty.
struct PartitionPathPoint {
  double sparsity = 0;
  Index clusters = 0;
  double value = 0;  ///< with the penalty
  double modularity = 0;
};

struct PartitionOptions {
  std::optional<Index> clusters = {};  ///< at most so many; absent: as many as the graph has
  PartitionStructure structure = {};
  PartitionWeights weights = {};
  PartitionTarget target = {};
  std::optional<PartitionFeatures> features = {};
  Loss loss = Loss::square;
  double entropy = 0;  ///< as in Problem
  /// Weight of the concave penalty on cluster masses. With a free number of clusters the search is
  /// followed by a path of ten penalties, each twice the last, up to this one.
  double sparsity = 0;
  /// Absent: the search; product for an interpolated target, k-means for other structures.
  std::optional<PartitionStart> start = {};
  int starts = 1;  ///< the best of so many is kept
  Method method = ConditionalGradient{};
  std::optional<PartitionGrid> select = {};
  bool test_significance = true;  ///< whether a graph without communities is told so
};

/// What ranks sent each other, all of them together.
struct PartitionTraffic {
  struct Step {
    std::uint64_t rows = 0;  ///< copies of rows that were refreshed
    std::uint64_t bytes = 0;
  };
  std::uint64_t copies = 0;  ///< of rows, that ranks keep of each other
  std::uint64_t bytes = 0;   ///< in all
  std::vector<Step> steps;   ///< of each iteration of conditional gradient
};

struct Partition {
  /// Of each node, from 0 on, large clusters first; with a given target its nodes. Nodes without an
  /// edge to another node, and components beyond the allowed number, have the label sizes.size().
  Assignment labels;
  std::vector<Index> sizes;  ///< nodes of each cluster; with a given target some may be 0
  Index clusters = 0;        ///< that are not empty
  Index unconnected = 0;     ///< nodes that are in no cluster
  /// False: the graph has no communities, and all connected nodes are one cluster.
  bool significant = true;
  bool symmetrized = false;  ///< the graph was directed; the union of both directions was taken
  double modularity = 0;     ///< at resolution 1, of the graph as given or symmetrised
  double resolution = 1;     ///< the scale of the target: where the search was made, its resolution
  /// Plan, value and certificate. Rows of nodes that are in no cluster are empty.
  Solution solution;
  std::vector<NodeId> nodes;                  ///< that were clustered
  Matrix target;                              ///< clusters x clusters, where it was learned
  Matrix target_features;                     ///< clusters x features, where there are features
  std::optional<PartitionSetting> setting{};  ///< that modularity chose
  std::vector<PartitionPathPoint> path;       ///< where there is one
  std::vector<std::string> reasons;           ///< sentences: what was chosen and why
  std::optional<PartitionTraffic> traffic{};  ///< where the graph was spread over ranks
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

/// The same on ranks, each of which has some rows of an undirected graph, makes this call with the
/// same options and gets the labels, plan and nodes (numbered in the whole graph) of its own rows;
/// all else is the same everywhere, and the bits are those of one process with the whole graph.
/// Labels to start from are those of its own rows. Needs `run.ranks`. Takes the modularity or
/// adjacency structure onto a scaled identity, the square loss, conditional gradient and the starts
/// split_merge, random, random_labels or given labels; throws for all else, naming it. A graph that
/// is moved here is never in memory twice.
[[nodiscard]] Partition partition(GraphShard graph, const PartitionOptions& options,
                                  const Run& run);

}  // namespace srgw
