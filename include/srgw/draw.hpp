// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/plan.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// A drawing in pixels. Text is text, colours are told apart by the colour-blind, and the same
/// input gives the same bytes.
struct Picture {
  double width = 0, height = 0;
  std::string title;     ///< what a screen reader says
  std::string elements;  ///< of SVG, without the frame around them
};

/// The picture as an SVG document, or as an element of a page.
[[nodiscard]] std::string svg(const Picture& picture);
/// One below the other.
[[nodiscard]] Picture stack_pictures(std::span<const Picture> pictures);

/// Throws an argument error unless the name ends in .svg or .svg.gz; for use before long work.
void check_picture_file(const std::filesystem::path& path);
/// Replaces the file in one step.
void save(const Picture& picture, const std::filesystem::path& path);

// The pictures. Their structs refer to values of the caller, which must outlive the call; each
// function throws an argument error when sizes do not fit or there is nothing to draw.

/// Up to `largest_drawn` nodes: the graph, and its adjacency ordered by cluster. Beyond: clusters
/// as discs with the edges between them, and a map of how dense the ordered adjacency is.
struct PartitionPicture {
  const Graph& graph;
  const NodeNames& names;
  const Assignment& labels;
  std::optional<Index> clusters = {};  ///< labels from here on are no cluster; absent: all are
  const Plan* plan = nullptr;          ///< soft memberships: nodes get the mix of their clusters
  std::string title = {}, subtitle = {};
  Index largest_drawn = 2000;
};
[[nodiscard]] Picture draw_partition(const PartitionPicture& what);

/// Two graphs side by side: arcs have the colour of their source node, target nodes the mix of what
/// they receive, and sizes are weights. Large sources are drawn without arcs of single nodes, and
/// beyond 2,000 nodes as a partition by target node.
struct MatchingPicture {
  const Graph& source;
  const NodeNames& source_names;
  const Graph& target;  ///< without edges: drawn as a circle of nodes
  const NodeNames& target_names;
  const Plan& plan;
  std::string title = {}, subtitle = {};
  std::string source_name = "source", target_name = "target";
};
[[nodiscard]] Picture draw_matching(const MatchingPicture& what);

/// A graph that was projected on an atom.
struct AtomRow {
  const Graph& graph;
  const Plan& plan;
  std::string name = {};
};
/// The atom, edges in grey by their value and nodes by weight. With rows: graph, graph coloured by
/// its plan, the part of the atom that it uses, the whole atom.
struct AtomPicture {
  const Matrix& structure;  ///< m x m
  const Vector& weights;    ///< m; mean target weights
  std::vector<AtomRow> rows = {};
  std::string title = {}, subtitle = {};
};
[[nodiscard]] Picture draw_atom(const AtomPicture& what);

/// The observed part of a graph, and beside it, at the same places, the completed graph.
struct CompletionPicture {
  const Graph& seen;  ///< its nodes come first in the completed graph
  const Graph& completed;
  const NodeNames& names;       ///< of the completed graph
  const Matrix& probabilities;  ///< of edges, n x n
  std::string title = {}, subtitle = {};
};
[[nodiscard]] Picture draw_completion(const CompletionPicture& what);
/// Edges of the completed graph that were not seen.
[[nodiscard]] std::vector<std::pair<Index, Index>> found_pairs(const CompletionPicture& what);

/// Rows in the plane of their two main directions.
struct EmbeddingPicture {
  const Matrix& rows;                     ///< graphs x columns
  std::vector<std::string> classes = {};  ///< of each row; empty: one colour
  std::string title = {}, subtitle = {};
};
[[nodiscard]] Picture draw_embedding(const EmbeddingPicture& what);

/// The coordinates behind that picture: rows x 2, and the share of the variance of each direction.
struct MainDirections {
  Matrix points;
  double first = 0, second = 0;
};
[[nodiscard]] MainDirections main_directions(MatrixView rows);

/// Numbers along a line.
struct Series {
  std::string name;
  std::vector<double> x, y;
};
struct CurvesPicture {
  std::vector<Series> series;
  std::string x_label = {}, y_label = {};
  bool log_y = false;  ///< values that are not positive are left out
  bool log_x = false;  ///< likewise
  std::string title = {}, subtitle = {};
};
[[nodiscard]] Picture draw_curves(const CurvesPicture& what);

/// Groups of bars, one colour for each series; a NaN is an absent bar.
struct BarsPicture {
  std::vector<std::string> groups;
  std::vector<std::string> series;          ///< names; one: no legend
  std::vector<std::vector<double>> values;  ///< of each series, a value for each group
  std::string y_label = {};
  std::string title = {}, subtitle = {};
};
[[nodiscard]] Picture draw_bars(const BarsPicture& what);

/// A value for each pair of blocks, such as the probability of an edge, in shades of grey.
struct BlockMatrixPicture {
  const Matrix& values;             ///< blocks x blocks
  const std::vector<Index>& sizes;  ///< nodes of each block
  const Matrix* errors = nullptr;   ///< standard errors, written below the values
  /// Shares of the side that blocks take, as the steps of a graphon do; null: all the same.
  const Vector* widths = nullptr;
  std::string title = {}, subtitle = {};
};
[[nodiscard]] Picture draw_block_matrix(const BlockMatrixPicture& what);

/// A level of a hierarchy, as draw_hierarchy() shows it.
struct HierarchyLevel {
  std::vector<Index> sizes;          ///< nodes of each cluster
  std::vector<NodeId> parents = {};  ///< of each cluster, in the next level; none in the last
  bool marked = false;               ///< its clusters have colours, which finer levels share
};
/// Levels below each other, the coarsest on top. A cluster is as wide as it has nodes and stands
/// below the one that it lies in.
struct HierarchyPicture {
  std::vector<HierarchyLevel> levels;  ///< from the finest to the coarsest
  std::string title = {}, subtitle = {};
};
[[nodiscard]] Picture draw_hierarchy(const HierarchyPicture& what);

/// From where to where each cluster of each level reaches, as shares of the width; and the number
/// of its colour: that of the marked cluster it lies in, -1 above the marked level.
struct HierarchyPlaces {
  std::vector<std::vector<double>> begin, end;
  std::vector<std::vector<Index>> colour;
};
[[nodiscard]] HierarchyPlaces arrange_hierarchy(const std::vector<HierarchyLevel>& levels);

struct LayoutOptions {
  /// The block of each node, or empty. Edges between blocks are drawn longer.
  std::span<const NodeId> blocks = {};
  int between = 3;   ///< how many times longer
  int pivots = 200;  ///< nodes from which distances are measured; at most all nodes
  int sweeps = 40;
};

/// Where the nodes of a graph are drawn: n x 2, in units of an edge. Pivot multidimensional scaling
/// (Brandes and Pich 2006), then sweeps that lower the sparse stress
///     sum over edges and (node, pivot) pairs of w_ij (|x_i - x_j| - d_ij)^2,  w_ij ~ d_ij^-2
/// (Ortmann, Klimenta and Brandes 2017), where d is the length of shortest paths. Components are
/// packed side by side. Directions and weights of edges are not looked at. The same on any number
/// of threads. Throws when blocks are given for another number of nodes.
[[nodiscard]] Matrix layout(const Graph& graph, const LayoutOptions& options = {});

/// Moves discs apart that overlap, as little as `rounds` allow; points are n x 2.
void separate(Matrix& points, std::span<const double> radii, int rounds = 50);

}  // namespace srgw
