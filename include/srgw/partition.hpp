// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "srgw/fields.hpp"
#include "srgw/graph.hpp"
#include "srgw/run.hpp"
#include "srgw/solve.hpp"
#include "srgw/structure.hpp"
#include "srgw/transform.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// The problem that partition() solves.
enum class PartitionProblem {
  srgw,     ///< semi-relaxed: the masses of the clusters are part of the answer
  gwl,      ///< balanced, onto diag(hbar) with the masses hbar by interpolated_weights()
  specgwl,  ///< the same with the heat kernel, at a time that modularity chooses
};
constexpr auto names_of(PartitionProblem) {
  return std::array{Named{PartitionProblem::srgw, "srgw"}, Named{PartitionProblem::gwl, "gwl"},
                    Named{PartitionProblem::specgwl, "specgwl"}};
}

/// The structure that a graph is seen through.
struct PartitionStructure {
  using Kind = StructureKind;
  /// automatic: modularity, where the target is learned or interpolated adjacency; of a directed
  /// graph, that of the union of both directions. other: what `make` gives.
  Kind kind = Kind::automatic;
  /// The time of stability and heat, which modularity chooses where it is absent and `select` is
  /// given; or the distance of unconnected nodes in shortest_path.
  std::optional<double> number = {};
  /// Makes the source from the graph on the nodes that are clustered, on so many threads.
  std::function<Source(const Graph&, int)> make = {};
};

/// The node weights h.
struct PartitionWeights {
  enum class Kind {
    automatic,  ///< those of the structure: degree for modularity and stability, else uniform
    uniform,
    degree,
    power,
    given,
  };
  Kind kind = Kind::automatic;
  double exponent = 1;  ///< of power: h_i proportional to (degree_i + a)^exponent
  Vector values = {};   ///< given ones, of each node; scaled to sum 1 over those clustered
};
constexpr auto names_of(PartitionWeights::Kind) {
  using Kind = PartitionWeights::Kind;
  return std::array{Named{Kind::automatic, "auto"}, Named{Kind::uniform, "uniform"},
                    Named{Kind::degree, "degree"}, Named{Kind::power, "power"},
                    Named{Kind::given, "given"}};
}

/// The structure of the target.
struct PartitionTarget {
  enum class Kind {
    automatic,        ///< what the search chooses; elsewhere the identity
    scaled_identity,  ///< scale I: clusters that are dense inside
    learned,       ///< alternates between the plan and the best target for it: blocks of any kind
    interpolated,  ///< that of gwl and specgwl
    given,
  };
  Kind kind = Kind::automatic;
  double scale = 1;
  std::optional<Structure> structure = {};  ///< of a given target
};
constexpr auto names_of(PartitionTarget::Kind) {
  using Kind = PartitionTarget::Kind;
  return std::array{Named{Kind::automatic, "auto"}, Named{Kind::scaled_identity, "scaled-identity"},
                    Named{Kind::learned, "learned"}, Named{Kind::interpolated, "interpolated"},
                    Named{Kind::given, "given"}};
}

/// The same from text, as the fronts take it: `auto` or a name, with its number as in heat:5,
/// power:0.5 and scaled-identity:2; `identity` is scaled-identity:1. heat and stability may lack
/// their time. Throw argument errors that list the names.
[[nodiscard]] PartitionStructure parse_partition_structure(std::string_view text);
[[nodiscard]] PartitionWeights parse_partition_weights(std::string_view text);
[[nodiscard]] PartitionTarget parse_partition_target(std::string_view text);

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
/// then the exponent, then epsilon. An empty list leaves what the options say; where all are empty,
/// the usual values of all that the options leave open are tried.
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

/// How the search chooses a free number of clusters.
enum class PartitionCriterion {
  automatic,           ///< description length; modularity for weighted graphs
  description_length,  ///< the resolution whose clusters give the shortest description of the graph
  modularity,          ///< resolution 1
};
constexpr auto names_of(PartitionCriterion) {
  return std::array{Named{PartitionCriterion::automatic, "auto"},
                    Named{PartitionCriterion::description_length, "description-length"},
                    Named{PartitionCriterion::modularity, "modularity"}};
}

/// How much the search does.
enum class PartitionEffort {
  quick,     ///< few solutions; a free number of clusters is chosen by modularity
  normal,    ///< several solutions that are combined
  thorough,  ///< more solutions, combinations and V-cycles
};
constexpr auto names_of(PartitionEffort) {
  return std::array{Named{PartitionEffort::quick, "quick"},
                    Named{PartitionEffort::normal, "normal"},
                    Named{PartitionEffort::thorough, "thorough"}};
}

/// A resolution that was tried, and the partition that it gives.
struct PartitionLength {
  double resolution = 1;
  Index clusters = 0;
  double length = 0;  ///< description length of graph and labels in nats, up to a constant
  double modularity = 0;
};

/// How a cluster hangs together. The smallest cut is the least weight of edges whose removal parts
/// the cluster, counted in mean edge weights of the graph (without weights: edges). Relative to
/// log10(nodes), a value above 1 is a well-connected cluster in the sense of Park et al. (2024).
struct PartitionCut {
  Index components = 1;                 ///< connected components inside of the cluster
  Index edges = 0;                      ///< inside of the cluster
  std::optional<double> weight = {};    ///< of the smallest cut; absent for a single node
  std::optional<double> relative = {};  ///< weight / log10(nodes)
  bool exact = true;  ///< false: the cluster is so large that the weight is an upper bound
};

/// A level of a hierarchy of clusters.
struct PartitionLevel {
  double resolution = 1;  ///< at which it was found; of a finer level the largest of its clusters
  Index clusters = 0;
  double modularity = 0;  ///< at resolution 1
  /// The cluster of each node, large clusters first; `clusters` for nodes that are in none.
  Assignment labels = {};
  std::vector<NodeId> parents = {};  ///< of each cluster, in the next level; empty in the last
  bool is_result = false;            ///< the labels are those of the partition
};

/// What a constraint costs: modularity at the resolution of the search with and without it.
struct PartitionCost {
  std::string constraint;  ///< keep, fixed, max-size or min-size
  double with = 0, without = 0;
};

/// How clusters differ from previous ones, by their ids.
struct PartitionUpdate {
  Index known = 0;  ///< nodes that have a previous label
  Index added = 0;  ///< nodes that have none
  Index moved = 0;  ///< known nodes whose id changed
  double ami = 0;   ///< adjusted mutual information with the previous labels, of known nodes

  [[nodiscard]] double share() const {  ///< of the known nodes that moved
    return known > 0 ? static_cast<double>(moved) / static_cast<double>(known) : 0;
  }
  [[nodiscard]] bool covers_half() const { return known >= added; }
};

/// One of several graphs on the same nodes.
struct PartitionLayer {
  Graph graph;
  double weight = 1;  ///< 0: only the modularity of the layer is computed
};

/// How the clusters fit a layer.
struct PartitionLayerFit {
  double weight = 1;
  Index edges = 0;
  double modularity = 0;  ///< at resolution 1; 0 without edges
};

/// The options of partition(). Each has a value that leaves the choice to the library, see
/// resolve().
struct PartitionOptions {
  std::optional<Index> clusters = {};  ///< absent: as many as the graph has
  PartitionProblem problem = PartitionProblem::srgw;
  PartitionStructure structure = {};
  PartitionWeights weights = {};
  PartitionTarget target = {};
  std::optional<PartitionFeatures> features = {};
  Loss loss = Loss::square;
  double entropy = 0;  ///< as in Problem
  /// Weight of the concave penalty on cluster masses. With a free number of clusters the search is
  /// followed by a path of ten penalties, each twice the last, up to this one.
  double sparsity = 0;
  std::optional<PartitionStart> start = {};
  std::optional<int> starts = {};  ///< the best of so many is kept
  Method method = ConditionalGradient{};
  std::optional<PartitionGrid> select = {};
  PartitionCriterion criterion = PartitionCriterion::automatic;  ///< of a free number of clusters
  PartitionEffort effort = PartitionEffort::normal;              ///< of the search
  bool test_significance = true;  ///< whether a graph without communities is told so
  /// Whether clusters of the search that are not connected are split into their components; with a
  /// given number of clusters all components but the largest join a neighbouring cluster. Absent:
  /// yes, unless there are features.
  std::optional<bool> split_disconnected = {};
  bool cuts = false;  ///< whether the smallest cut of each cluster is computed
  /// Clusters of the search with a relative cut (PartitionCut) below this are split along the cut.
  double min_cut = 0;
  bool levels = false;  ///< whether the search goes on to coarser and finer levels
  /// Ids of previous clusters, one for each node, -1: none. The search starts from them, and
  /// clusters keep the ids of those they overlap most.
  std::optional<std::vector<std::int64_t>> previous = {};
  /// The objective falls by this much for each share of the mass that leaves its previous cluster.
  double keep = 0;
  /// Ids that may not change, one for each node, -1: free. Nodes of one id are in one cluster,
  /// which has that id; nodes of different ids are in different ones.
  std::optional<std::vector<std::int64_t>> fixed = {};
  std::optional<Index> min_size = {}, max_size = {};  ///< nodes of a cluster
};

/// The options as partition() reads them, with all that was left open decided.
struct ResolvedPartition {
  /// The default search; else a solve from `options.start`.
  bool searches = true;
  bool symmetrises = false;   ///< takes the union of both directions of a directed graph
  bool chooses_start = true;  ///< the start was left open; where features or the target are
                              ///< learned, k-means (of the features) is tried besides
  /// The structure is never automatic. On the search route the target is, and `start` is absent; on
  /// the other nothing is. Weights stay automatic where they are those of the structure.
  PartitionOptions options = {};

  [[nodiscard]] std::string structure_name() const;  ///< `modularity`, `heat:5`, `other`
};

/// The one place that decides what is left open:
/// - The search runs if structure, target, start, loss, entropy, select and problem are at their
///   defaults, weights are automatic or degree, and the sparsity is 0 or the number of clusters is
///   free. Features and the method do not matter: the search is followed by a solve from its
///   labels. `starts` are its independent solutions, by default as many as the effort says.
/// - Otherwise the problem is solved. The target is the identity. The start is spectral; with
///   select or features k-means; of gwl and specgwl the product. There are 3 starts, 1 from labels
///   or a plan, and where the start was left open for gwl, specgwl or select.
/// - previous, fixed, min_size and max_size need the search, no features, no sparsity and
///   conditional gradient; memberships are hard then.
/// A free number of clusters needs the search, or the start split_merge with the modularity
/// structure, which takes the scale of the target as its resolution. Throws an argument error that
/// begins with the name of an option: for a free number of clusters with other options, and for
/// options that do not go together.
[[nodiscard]] ResolvedPartition resolve(const PartitionOptions& options);

/// The same on several ranks, where a start that is left open is split_merge, which replaces the
/// search. One process with that start takes the same route, with the same bits.
[[nodiscard]] ResolvedPartition resolve_on_ranks(const PartitionOptions& options);

/// Why resolved options cannot be met on several ranks, beginning with the name of an option; empty
/// where they can. For options of resolve_on_ranks().
[[nodiscard]] std::string refusal_on_ranks(const ResolvedPartition& resolved);

/// The messages between ranks, summed over all ranks.
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
  /// The cluster of each node, from 0 on, large clusters first; with a given target its nodes.
  /// Nodes without an edge to another node, and components beyond the allowed number, have the
  /// label sizes.size().
  Assignment labels;
  std::vector<Index> sizes;  ///< nodes of each cluster; with a given target some may be 0
  Index clusters = 0;        ///< that are not empty
  Index unconnected = 0;     ///< nodes that are in no cluster
  /// False: the graph has no communities. All connected nodes are one cluster then, unless a number
  /// of clusters was given, which is kept.
  bool significant = true;
  bool symmetrized = false;  ///< the graph was directed; the union of both directions was taken
  double modularity = 0;     ///< at resolution 1, of the graph as given or symmetrised
  double resolution = 1;     ///< the scale of the target: where the search was made, its resolution
  /// What decided a free number of clusters, description_length or modularity; else absent.
  std::optional<PartitionCriterion> criterion{};
  /// Plan, value and certificate. Rows of nodes that are in no cluster are empty.
  Solution solution;
  std::vector<NodeId> nodes;                  ///< that were clustered
  Matrix target;                              ///< clusters x clusters, where it was learned
  Matrix target_features;                     ///< clusters x features, where there are features
  std::optional<PartitionSetting> setting{};  ///< that modularity chose
  std::vector<PartitionPathPoint> path;       ///< where there is one
  std::vector<PartitionLength> lengths;       ///< where the description length chose the resolution
  std::vector<PartitionCut> cuts;             ///< of each cluster, where they were asked for
  /// From the finest level to the coarsest, where they were asked for. Each cluster lies in one of
  /// the next level; one of the levels has the labels above.
  std::vector<PartitionLevel> hierarchy;
  std::vector<std::string> reasons;           ///< sentences: what was chosen and why
  std::string structure;                      ///< the name of the structure that was used
  std::vector<PartitionLayerFit> layers;      ///< where there are several
  std::optional<PartitionTraffic> traffic{};  ///< where the graph was spread over ranks
  /// With previous or fixed labels: the id of each cluster, ascending, and of the nodes that are in
  /// no cluster, if there are such. Clusters are in this order then.
  std::vector<std::int64_t> ids;
  std::optional<PartitionUpdate> update{};  ///< with previous labels
  std::vector<PartitionCost> costs;         ///< of keep, fixed and sizes, if they were given

  /// The id of each node: `ids` of its label; the label itself if there are no ids.
  [[nodiscard]] std::vector<std::int64_t> node_ids() const;
};

/// Clusters of the nodes of a graph. By default, or with nothing but a number of clusters, it
/// searches for a hard plan onto a scaled identity with the modularity structure: multilevel, at a
/// resolution that the graph chooses, from several starts; conditional gradient then gives soft
/// memberships and the gap. resolve() tells what runs with other options. Throws for a graph
/// without edges, negative weights where a structure cannot have them, features of another length,
/// and modularity or stability of a directed graph. The result is the same on any number of
/// threads. If the run is stopped, the best labels so far are returned, at least the connected
/// components, with their modularity and value; an Error of kind `stopped` is thrown only where the
/// structure itself was not ready.
[[nodiscard]] Partition partition(const Graph& graph, const PartitionOptions& options = {},
                                  const Run& run = {});

/// Clusters of the nodes of several graphs that have the same nodes, such as kinds of relations or
/// points in time: the search for the largest weighted mean of the modularities of all layers, each
/// with its own degrees. A free number of clusters is chosen by modularity, memberships are hard,
/// clusters are connected in the union of the layers, and the value is the weighted mean of those
/// of the layers. If a single layer has a weight, it is clustered like a single graph. Directed
/// layers are made undirected. Throws for what refusal_of_layers() refuses,
/// for layers without edges that have a weight, and for different numbers of nodes.
[[nodiscard]] Partition partition(std::span<const PartitionLayer> layers,
                                  const PartitionOptions& options = {}, const Run& run = {});

/// Why several layers cannot be clustered with these options, beginning with the name of an option;
/// empty where they can.
[[nodiscard]] std::string refusal_of_layers(const PartitionOptions& options);

/// The sum of the adjacency matrices, each times weight / (sum of its degrees): all edges of the
/// layers in one graph. Of directed layers the union of both directions.
[[nodiscard]] Graph sum_of_layers(std::span<const PartitionLayer> layers);

/// The weighted mean of the modularities of the layers that have a weight.
[[nodiscard]] double modularity_of_layers(std::span<const PartitionLayer> layers,
                                          std::span<const NodeId> labels);

/// The same on ranks, each of which has some rows of an undirected graph, makes this call with the
/// same options and gets the labels, plan and nodes (numbered in the whole graph) of its own rows;
/// all else is the same everywhere, and the bits are those of one process with the whole graph.
/// Labels to start from are those of its own rows. Needs `run.ranks`. Throws for what
/// refusal_on_ranks() refuses. A graph that is moved here is never in memory twice.
[[nodiscard]] Partition partition(GraphShard graph, const PartitionOptions& options,
                                  const Run& run);

}  // namespace srgw
