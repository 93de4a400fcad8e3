// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "srgw/graph.hpp"
#include "srgw/structure.hpp"

namespace srgw {

/// h_i proportional to 1.
[[nodiscard]] Vector uniform_weights(Index nodes);
/// h_i proportional to (degree_i + a)^b, with a = 1 if some node has no edge, else 0. b = 1 and
/// a = 0 gives degree weights. Throws when a degree is negative or all are zero.
[[nodiscard]] Vector power_weights(const Graph& graph, double exponent);
/// h_i proportional to degree_i; nodes without edges get no mass. Throws when there is no edge.
[[nodiscard]] Vector degree_weights(const Graph& graph);

/// The weights of `count` target nodes that look like those of the nodes: h sorted from large to
/// small and read, linear in between, at `count` places from its first entry to its last, equally
/// far apart; then scaled to sum 1.
[[nodiscard]] Vector interpolated_weights(VectorView weights, Index count);

/// C = A, with uniform weights; directed graphs give an asymmetric structure.
[[nodiscard]] Source adjacency(const Graph& graph);

/// C = D^-1/2 A D^-1/2 with D the row sums of A (a self-loop counts once) and uniform weights; rows
/// of nodes without edges are zero. Throws for a directed graph and for negative weights.
[[nodiscard]] Source normalized_adjacency(const Graph& graph);

/// C_ij = w A_ij / (d_i d_j) and h_i = d_i / 2w with 2w the sum of degrees; a self-loop of weight v
/// counts 2v in A_ii and in d_i. For every hard plan onto the identity, value = constant - Q with Q
/// Newman's modularity (onto c I: constant - c Q_c, Q_c the modularity at resolution c). Throws for
/// a directed graph, negative weights and a graph without edges.
[[nodiscard]] Source modularity(const Graph& graph);

/// C = L = D - A with D the row sums of A (a self-loop cancels) and uniform weights. Throws for a
/// directed graph.
[[nodiscard]] Source laplacian(const Graph& graph);

/// C = L = I - D^-1/2 A D^-1/2 and uniform weights. D are the row sums of A (a self-loop counts
/// once), plus 1 for every node as soon as one has no edge. Throws for a directed graph and for
/// negative weights.
[[nodiscard]] Source normalized_laplacian(const Graph& graph);

/// Chung's Laplacian C = L = I - (S P S^-1 + S^-1 P'S)/2, S^2 = diag(p), p'P = p', a dense
/// symmetric structure with uniform weights. P is the random walk on the arcs if all nodes reach
/// each other and the walk has no period, the lazy walk (I + P)/2 if it has one, and otherwise
/// PageRank with damping 0.95. p is found by power iteration, to 1e-14 a step. Throws for negative
/// weights and for more than 20,000 nodes. Like wherever they occur, `threads` do not change the
/// result, and 0 stands for all cores.
[[nodiscard]] Source directed_laplacian(const Graph& graph, int threads = 0);

/// C_ij = length of the shortest path from i to j, uniform weights; edge weights are lengths.
/// Unconnected pairs get the distance `unreachable`. Throws when there are such pairs but no such
/// distance, for negative weights and for more than 20,000 nodes.
[[nodiscard]] Source shortest_path(const Graph& graph, std::optional<double> unreachable = {},
                                   int threads = 0);

/// Kernels C = exp(-tL) of one graph for many t, from one eigendecomposition of L: O(n^3) once,
/// then O(n^2 r) for a t, r the number of eigenvalues whose exp(-t lambda) is above the rounding of
/// the largest.
class Kernels {
 public:
  /// L is normalized_laplacian, or directed_laplacian for a directed graph; uniform weights. Throws
  /// for negative weights and for more than 20,000 nodes.
  static Kernels heat(const Graph& graph, int threads = 0);
  /// C = w D^-1/2 exp(-tL) D^-1/2 and h_i = d_i / 2w with the degrees of modularity(), to which it
  /// is as the continuous walk at time t to one step: value = constant - stability of the partition
  /// for hard plans onto the identity. Throws for a directed graph, negative weights, a graph
  /// without edges and more than 20,000 nodes.
  static Kernels stability(const Graph& graph, int threads = 0);

  /// The dense structure. Throws unless 0 <= t < infinity.
  [[nodiscard]] Source at(double t) const;
  /// The structure from the pairs whose exp(-t lambda) is at least `cutoff` times the largest, as a
  /// low rank whose error_bound() is what the largest one left out contributes. Throws unless 0 <
  /// cutoff < 1.
  [[nodiscard]] Source low_rank(double t, double cutoff = 1e-8) const;
  /// Eigenvalues of L, from small to large, all in [0, 2].
  [[nodiscard]] const Vector& eigenvalues() const { return values_; }

 private:
  Kernels(const Matrix& walk, int threads);
  [[nodiscard]] Index pairs_above(double t, double cutoff) const;
  [[nodiscard]] Matrix factors(Index pairs) const;  // diag(outer) V for the first pairs

  const char* name_ = "heat kernel";
  int threads_ = 0;
  Vector values_;
  Matrix vectors_;     // in columns
  Vector outer_ = {};  // empty: ones
  double factor_ = 1;
  Vector weights_;
};

/// Kernels::heat(graph).at(t) and Kernels::stability(graph).at(t), of sparse graphs by a series.
[[nodiscard]] Source heat_kernel(const Graph& graph, double t, int threads = 0);
[[nodiscard]] Source stability(const Graph& graph, double t, int threads = 0);

/// Up to so many nodes the fronts and partition() form a kernel; beyond, it is known through
/// products only.
constexpr Index largest_formed_kernel = 2000;

/// heat_kernel and stability for any number of nodes: never an n x n array, known through whole
/// products only. exp(-tL) is a Chebyshev series of L whose rest is at most `tolerance` in the
/// spectral norm (Structure::error_bound); a product costs as many sparse ones as the series has
/// degrees, about sqrt(2 t log(2 / tolerance)) for large t. The jumps of PageRank are a product of
/// vectors, not a matrix. Throws unless 0 <= t < infinity and 1e-16 <= tolerance < 1, and as
/// Kernels::heat and Kernels::stability do.
[[nodiscard]] Source implicit_heat_kernel(const Graph& graph, double t, double tolerance = 1e-10,
                                          int threads = 0);
[[nodiscard]] Source implicit_stability(const Graph& graph, double t, double tolerance = 1e-10);

/// The heat kernel from its leading `rank` eigenpairs, for any number of nodes: subspace iteration
/// with the implicit kernel. error_bound() is twice the norm of the rest as power iteration sees
/// it. Throws unless 1 <= rank <= nodes.
[[nodiscard]] Source low_rank_heat_kernel(const Graph& graph, double t, Index rank,
                                          int threads = 0);

/// The structures that have a name. `automatic` and `other` are choices of partition() only.
enum class StructureKind {
  automatic,
  adjacency,
  modularity,
  stability,
  heat,
  normalized_adjacency,
  laplacian,
  normalized_laplacian,
  shortest_path,
  other,
};
struct StructureName {
  StructureKind kind;
  std::string_view name;
  enum class Number { none, needed, allowed } number;  ///< after a colon: heat:5
  bool fixes_weights;                                  ///< h is d / 2w and nothing else
  bool takes_directed;
};
/// The one list of names; the fronts and the error messages read it.
[[nodiscard]] std::span<const StructureName> structure_names();

/// A structure by its name, and the number after it: the time of a kernel, or the distance between
/// nodes that are not connected.
struct NamedStructure {
  const StructureName* row = nullptr;
  std::optional<double> number = {};
  [[nodiscard]] std::string text() const;  ///< `adjacency`, `heat:5`
};
/// Throws an argument error that lists the names.
[[nodiscard]] NamedStructure parse_structure(std::string_view text);

/// The structure of a graph; a kernel of more than largest_formed_kernel nodes is implicit. Throws
/// for a directed graph where the structure cannot be directed.
[[nodiscard]] Source make_source(const Graph& graph, const NamedStructure& structure,
                                 int threads = 0);

/// A name and the number after its colon, if there is one. Throws an argument error that names the
/// option when that is no number.
struct NameAndNumber {
  std::string name;
  std::optional<double> number = {};
};
[[nodiscard]] NameAndNumber split_number(std::string_view text, std::string_view option);

}  // namespace srgw
