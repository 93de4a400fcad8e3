// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "kernels/transport_pass.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The network simplex for dense transport: minimise <c, T> over T >= 0 with row sums a and column
/// sums b, all above 0. A basis is a spanning tree of the rows (nodes 0 to n-1) and columns (nodes
/// n to n+m-1); each node but the root stores the flow of the arc to its parent, which leads from
/// the row to the column of the two.
///
/// Trees are strongly feasible: an arc without flow leads towards the root, that is, hangs a row
/// below a column. The rule of the leaving arc keeps that so, which rules out cycling however
/// degenerate the masses are. Flows are compared exactly: a flow that is larger than the least one
/// stays above 0 when that is subtracted, in floating point too.
class NetworkSimplex {
 public:
  /// Sums must be equal up to rounding. Forgets the basis.
  void set_masses(std::span<const double> row_masses, std::span<const double> column_masses);
  /// Row i of the cost, `columns` numbers to be written before solve().
  [[nodiscard]] double* cost_row(Index i) { return cost_.data() + i * stride_; }
  /// From the last basis where there is one, else from a greedy one. Makes at most so many pivots;
  /// false: that did not suffice, and the flows are feasible but not optimal.
  [[nodiscard]] bool solve(Index max_pivots);

  [[nodiscard]] Index pivots() const { return pivots_; }
  [[nodiscard]] std::span<const double> row_potentials() const {
    return std::span(potential_).first(rows_);
  }
  [[nodiscard]] std::span<const double> column_potentials() const {
    return std::span(potential_).subspan(rows_, columns_);
  }

  struct Flow {
    Index row, column;
    double mass;
  };
  /// The flows of the basis that are not 0, from the masses anew; in no order.
  [[nodiscard]] const std::vector<Flow>& flows();

 private:
  using Node = std::int32_t;
  static constexpr Node none = -1;

  /// The cycle of a pivot: the arc (row, column) enters, that of `leaving` to its parent
  /// leaves.
  struct Cycle {
    Node join = none, leaving = none;
    double flow = 0;
    bool on_row_side = true;  // the leaving arc is on the path from the row
  };

  void make_tree();
  void serve_rows();
  void serve_columns();
  void add_arc(Node row, Node column, double flow);
  void link(Node child, Node parent, double flow);
  void unlink(Node child);
  void hang(Node root);
  void join_components();
  void set_potentials();
  [[nodiscard]] Cycle find_cycle(Node row, Node column) const;
  void pivot(Node row, Node column, double reduced);
  void reverse_path(Node from, Node last);
  void shift_subtree(Node top, double shift);
  void shift_others(Node top, double shift);
  [[nodiscard]] Price find_entering(double tolerance);
  [[nodiscard]] Node next_in_subtree(Node node, Node top) const;
  [[nodiscard]] Node next_beside(Node node, Node top) const;
  void list_nodes();
  [[nodiscard]] bool is_row(Node node) const { return node < rows_; }
  [[nodiscard]] double arc_cost(Node child) const;

  Index rows_ = 0, columns_ = 0, stride_ = 0;
  std::vector<double> mass_;  // rows, then columns
  std::vector<double> cost_;
  bool has_tree_ = false;
  Node root_ = none;
  /// A node of the tree; children of one parent are a list.
  struct Link {
    Node parent = none, first_child = none, next = none, previous = none;
    Node size = 1;    // nodes of its subtree
    double flow = 0;  // to the parent
  };
  std::vector<Link> tree_;
  std::vector<double> potential_;  // rows, then columns, then padding
  Index pivots_ = 0;
  Index next_row_ = 0;  // to be looked at for an entering arc
  std::vector<Flow> flows_;
  // For the greedy start: arcs with flow, as lists of neighbours; and scratch.
  struct Arc {
    Node to;
    Node next;
    double flow;
  };
  std::vector<Arc> arcs_;
  std::vector<Node> first_arc_, order_;
  std::vector<double> left_;
};

}  // namespace srgw::detail
