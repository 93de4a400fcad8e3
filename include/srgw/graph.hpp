// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "srgw/types.hpp"

namespace srgw {

/// A square sparse pattern in compressed rows, with or without values. Columns of a row are sorted
/// and unique. Offsets are 32 bits wide while that suffices.
struct Csr {
  std::variant<SharedArray<std::uint32_t>, SharedArray<std::uint64_t>> offsets;  ///< rows + 1
  SharedArray<NodeId> columns;
  SharedArray<double> values;  ///< empty: every stored entry is 1

  [[nodiscard]] Index rows() const;
  [[nodiscard]] Index entries() const { return static_cast<Index>(columns.size()); }
  [[nodiscard]] bool has_values() const { return !values.empty(); }
};

/// One entry of a matrix, for building.
struct Entry {
  NodeId row = 0, column = 0;
  double value = 1;
};

/// How entries with the same row and column are merged.
enum class Duplicates { refuse, sum, maximum, first };

/// Sorts entries into rows. Throws when an index is not below `rows`, a value is not finite, or a
/// place is named twice and `duplicates` refuses that. Values are dropped when all are 1.
[[nodiscard]] Csr make_csr(Index rows, std::span<const Entry> entries, Duplicates duplicates);

/// Throws unless offsets rise from 0 to entries(), columns are below rows(), sorted and unique in
/// each row, and values (if any) are finite and as many as columns.
void check(const Csr& csr);

/// The transposed matrix. This and what follows expects a matrix that check() accepts.
[[nodiscard]] Csr transpose(const Csr& csr);

/// (C + C')/2, on the union of both patterns.
[[nodiscard]] Csr symmetrize(const Csr& csr);

/// Whether C equals C' up to `tolerance` times the largest entry.
[[nodiscard]] bool is_symmetric(const Csr& csr, double tolerance);

/// A range of std::pair, std::tuple or std::array.
template <class Range>
concept TupleRange = requires {
  std::tuple_size<std::ranges::range_value_t<Range>>::value;
};

/// Nodes and weighted edges. An undirected edge is stored in both rows, a self-loop once.
class Graph {
 public:
  /// Each edge once, in either direction if undirected; both directions with one weight are one
  /// edge, and without weights (all are 1) so are repetitions, unless they are to be summed. Throws
  /// when an end is not below `nodes`, a weight is not finite, or (with Duplicates::refuse) a pair
  /// occurs twice.
  static Graph from_edges(Index nodes, std::span<const Entry> edges, bool directed = false,
                          Duplicates duplicates = Duplicates::refuse);
  /// A graph of pairs (i, j) or triples (i, j, weight), say a std::vector<std::pair<int, int>>.
  template <TupleRange Edges>
  static Graph from_edges(Index nodes, const Edges& edges, bool directed = false,
                          Duplicates duplicates = Duplicates::refuse) {
    std::vector<Entry> entries;
    const auto add = [&](auto i, auto j, auto... weight) {
      entries.push_back({node_id(i), node_id(j), static_cast<double>(weight)...});
    };
    for (const auto& edge : edges) std::apply(add, edge);
    return from_edges(nodes, std::span<const Entry>(entries), directed, duplicates);
  }
  /// Throws when the rows are malformed, or not symmetric although `directed` is false.
  static Graph from_adjacency(Csr adjacency, bool directed = false);
  /// Directed unless the matrix is symmetric (to rounding). Throws when the rows are malformed.
  static Graph from_matrix(Csr matrix);

  [[nodiscard]] Index nodes() const { return adjacency_.rows(); }
  /// Edges (undirected, a self-loop is one) or arcs (directed).
  [[nodiscard]] Index edges() const { return edges_; }
  [[nodiscard]] bool directed() const { return directed_; }
  [[nodiscard]] bool weighted() const { return adjacency_.has_values(); }
  [[nodiscard]] const Csr& adjacency() const { return adjacency_; }

  /// Sum of the weights of a node's edges, a self-loop counted twice; directed: out plus in.
  [[nodiscard]] Vector degrees() const;
  /// The union of both directions, of two weights the larger one.
  [[nodiscard]] Graph undirected() const;

  /// Readers make rows that are right by construction.
  struct Trusted {
    Csr adjacency;
    bool directed = false;
    Index self_loops = 0;
  };
  explicit Graph(Trusted parts);

 private:
  Graph(Csr adjacency, bool directed);
  static NodeId node_id(std::int64_t node);

  Csr adjacency_;
  Index edges_ = 0;
  bool directed_ = false;
};

/// Which nodes reach each other along edges, whatever the direction of these.
struct Components {
  Assignment labels;         ///< component of each node, numbered by their first nodes
  std::vector<Index> sizes;  ///< nodes in each component
};
[[nodiscard]] Components connected_components(const Graph& graph);

/// The graph on some of the nodes: node i of it is nodes[i]. Edges to others are dropped. Throws
/// when a node is not in the graph or is named twice.
[[nodiscard]] Graph induced_subgraph(const Graph& graph, std::span<const NodeId> nodes);

/// The names of the nodes of a graph, in node order. Names that are whole numbers are stored as
/// numbers, and consecutive ones not at all, so that a million of them take no memory.
class NodeNames {
 public:
  NodeNames() = default;
  /// first, first + 1, ...
  static NodeNames numbered(Index count, std::int64_t first = 0);
  explicit NodeNames(std::vector<std::int64_t> ids);
  explicit NodeNames(std::vector<std::string> texts);

  [[nodiscard]] Index size() const { return count_; }
  /// Whether node i is called i.
  [[nodiscard]] bool are_indices() const { return consecutive() && first_ == 0; }
  [[nodiscard]] bool are_numbers() const { return texts_.empty(); }
  /// The name of a node as a number; expects are_numbers().
  [[nodiscard]] std::int64_t number(Index node) const;
  [[nodiscard]] std::string operator[](Index node) const;

  friend bool operator==(const NodeNames&, const NodeNames&) = default;

 private:
  friend class NameIndex;

  [[nodiscard]] bool consecutive() const { return ids_.empty() && texts_.empty(); }
  void take(std::vector<std::int64_t> ids);

  // Nodes are called texts_[i], or else ids_[i], or else first_ + i.
  Index count_ = 0;
  std::int64_t first_ = 0;
  std::vector<std::int64_t> ids_;
  std::vector<std::string> texts_;
};

/// Finds nodes by name. Looks at the names, which must outlive it.
class NameIndex {
 public:
  /// Throws when two nodes have one name.
  explicit NameIndex(const NodeNames& names);
  NameIndex(NodeNames&&) = delete;

  [[nodiscard]] std::optional<NodeId> find(std::string_view name) const;

 private:
  const NodeNames& names_;
  std::unordered_map<std::int64_t, NodeId> by_id_;
  std::unordered_map<std::string_view, NodeId> by_text_;
};

/// The rows of an undirected graph that this rank holds: no rank has them all. Ranks hold
/// consecutive rows, and all but the last end at a multiple of 1,024 (the blocks in which rows are
/// worked on anyway), with about as many entries each; a rank may have none.
struct GraphShard {
  std::vector<Index> starts;  ///< ranks + 1: rank r holds the nodes [starts[r], starts[r + 1])
  // Rows of this rank. Columns are nodes of the whole graph, ascending in a row; a self-loop is
  // stored once.
  std::vector<std::uint64_t> offsets;  ///< rows + 1
  std::vector<NodeId> columns;
  std::vector<double> weights;  ///< of the entries; empty: all are 1, on every rank
  NodeNames names;              ///< of these rows
  Index edges = 0;              ///< of the whole graph, a self-loop is one
  bool symmetrized = false;     ///< was directed, here or before; the union of both directions
  bool directed = false;        ///< as the file has it, whatever the rows are now

  [[nodiscard]] Index nodes() const { return starts.back(); }
  [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
};

/// Many graphs, and what is known about them. Each list is empty (nothing known) or has one item
/// for each graph.
struct Dataset {
  std::string name = {};
  std::vector<Graph> graphs = {};
  std::vector<std::string> names = {};    ///< what the graphs are called
  std::vector<std::int64_t> labels = {};  ///< classes of the graphs
  /// Name of class k if classes are text; else empty.
  std::vector<std::string> classes = {};
  std::vector<std::vector<std::int64_t>> node_labels = {};  ///< one label for each node
  std::vector<Matrix> node_features = {};                   ///< one row for each node
  /// One label for each entry of the adjacency, so an undirected edge has its label twice.
  std::vector<std::vector<std::int64_t>> edge_labels = {};
  std::size_t first = 0;  ///< of a part: the number of its first graph, from which messages count
  std::size_t left_out = 0;  ///< graphs of the file that have no nodes
};

/// Throws unless the lists fit the graphs and all features have the same number of columns.
void check(const Dataset& dataset);

}  // namespace srgw
