// SPDX-License-Identifier: MIT
#include "transport/simplex.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "base/stop.hpp"
#include "kernels/row_pass.hpp"
#include "kernels/transport_pass.hpp"

namespace srgw::detail {

namespace {

constexpr double rounding = 1e-13;          // of reduced costs, relative to the largest cost
constexpr double dust = 4e-16;              // of flows, relative to the whole mass
constexpr Index block_entries = 4096;       // looked at before a pivot
constexpr Index columns_for_each_hub = 16;  // and more: a start of its own

}  // namespace

void NetworkSimplex::set_masses(std::span<const double> row_masses,
                                std::span<const double> column_masses) {
  rows_ = static_cast<Index>(row_masses.size());
  columns_ = static_cast<Index>(column_masses.size());
  stride_ = padded_columns(columns_);
  mass_.assign(row_masses.begin(), row_masses.end());
  mass_.insert(mass_.end(), column_masses.begin(), column_masses.end());
  cost_.assign(rows_ * stride_, infinity);
  potential_.assign(rows_ + stride_, 0.0);
  has_tree_ = false;
}

bool NetworkSimplex::solve(Index max_pivots) {
  pivots_ = 0;
  if (!has_tree_) make_tree();
  set_potentials();
  double largest = 0;
  for (Index i = 0; i < rows_; ++i) {
    for (Index k = 0; k < columns_; ++k) {
      largest = std::max(largest, std::abs(cost_[i * stride_ + k]));
    }
  }
  const double tolerance = rounding * largest;
  // Potentials are carried along; a basis that seems optimal is looked at once more without their
  // rounding.
  bool fresh = true;
  next_row_ = 0;
  StopCounter stop(64);
  for (;;) {
    stop.throw_if_stopped();
    const Price entering = find_entering(tolerance);
    if (entering.reduced < -tolerance) {
      if (pivots_ == max_pivots) return false;
      pivot(static_cast<Node>(entering.row), static_cast<Node>(rows_ + entering.column),
            entering.reduced);
      ++pivots_;
      fresh = false;
    } else if (fresh) {
      return true;
    } else {
      set_potentials();
      fresh = true;
    }
  }
}

// Block search: the best entry of the next block of rows that has any below 0.
Price NetworkSimplex::find_entering(double tolerance) {
  const Index block = std::max(Index{1}, block_entries / stride_);
  const PricePass pass{.cost = cost_.data(),
                       .stride = stride_,
                       .row_potential = potential_.data(),
                       .column_potential = potential_.data() + rows_};
  Price best;
  for (Index seen = 0; seen < rows_;) {
    const Index end = std::min(rows_, next_row_ + block);
    best = price_rows(pass, next_row_, end);
    seen += end - next_row_;
    next_row_ = end == rows_ ? 0 : end;
    if (best.reduced < -tolerance) break;
  }
  return best;
}

double NetworkSimplex::arc_cost(Node child) const {
  const Node parent = tree_[child].parent;
  const Index i = is_row(child) ? child : parent;
  const Index k = (is_row(child) ? parent : child) - rows_;
  return cost_[i * stride_ + k];
}

// The node after this one in a walk from the top down, `none` at the end of the subtree.
auto NetworkSimplex::next_in_subtree(Node node, Node top) const -> Node {
  if (tree_[node].first_child != none) return tree_[node].first_child;
  return next_beside(node, top);
}

// The next node that is not below this one.
auto NetworkSimplex::next_beside(Node node, Node top) const -> Node {
  while (node != top && tree_[node].next == none) node = tree_[node].parent;
  return node == top ? none : tree_[node].next;
}

// u_i + v_k = c_ik on the arcs of the tree, 0 at the root.
void NetworkSimplex::set_potentials() {
  potential_[root_] = 0;
  for (Node x = next_in_subtree(root_, root_); x != none; x = next_in_subtree(x, root_)) {
    const Node parent = tree_[x].parent;
    potential_[x] = arc_cost(x) - potential_[parent];
  }
}

// Sending flow along the entering arc takes it from the arcs that the cycle passes against their
// direction: those above rows on the row's side, above columns on the column's side. Of several
// least flows the last one leaves, in the order of the cycle from its highest node on.
auto NetworkSimplex::find_cycle(Node row, Node column) const -> Cycle {
  // The node with the smaller subtree is not above the other one.
  Cycle cycle{.flow = infinity};
  Node on_row_side = row, on_column_side = column;
  double row_flow = infinity, column_flow = infinity;
  Node row_leaving = none, column_leaving = none;
  while (on_row_side != on_column_side) {
    if (tree_[on_row_side].size <= tree_[on_column_side].size) {
      const Node x = on_row_side;
      if (is_row(x) && tree_[x].flow < row_flow) {
        row_flow = tree_[x].flow;
        row_leaving = x;
      }
      on_row_side = tree_[x].parent;
    } else {
      const Node x = on_column_side;
      if (!is_row(x) && tree_[x].flow <= column_flow) {
        column_flow = tree_[x].flow;
        column_leaving = x;
      }
      on_column_side = tree_[x].parent;
    }
  }
  cycle.join = on_row_side;
  cycle.on_row_side = row_flow < column_flow;
  cycle.flow = cycle.on_row_side ? row_flow : column_flow;
  cycle.leaving = cycle.on_row_side ? row_leaving : column_leaving;
  assert(cycle.leaving != none);
  return cycle;
}

void NetworkSimplex::pivot(Node row, Node column, double reduced) {
  const Cycle cycle = find_cycle(row, column);
  if (cycle.flow > 0) {
    for (Node x = row; x != cycle.join; x = tree_[x].parent) {
      tree_[x].flow += is_row(x) ? -cycle.flow : cycle.flow;
    }
    for (Node x = column; x != cycle.join; x = tree_[x].parent) {
      tree_[x].flow += is_row(x) ? cycle.flow : -cycle.flow;
    }
  }
  // The subtree below the leaving arc is attached by the entering one.
  const Node inside = cycle.on_row_side ? row : column;
  const Node outside = cycle.on_row_side ? column : row;
  const Node size = tree_[cycle.leaving].size;
  for (Node x = tree_[cycle.leaving].parent; x != cycle.join; x = tree_[x].parent) {
    tree_[x].size -= size;
  }
  for (Node x = outside; x != cycle.join; x = tree_[x].parent) tree_[x].size += size;
  reverse_path(inside, cycle.leaving);
  link(inside, outside, cycle.flow);
  // Potentials are free up to a constant, so the smaller part may move.
  if (2 * size <= static_cast<Node>(tree_.size())) {
    shift_subtree(inside, reduced);
  } else {
    shift_others(inside, -reduced);
  }
}

// Makes `from` the root of the subtree of `last`, which is cut off.
void NetworkSimplex::reverse_path(Node from, Node last) {
  Node child = from;
  Node parent = tree_[child].parent;
  double flow = tree_[child].flow;
  Node size = tree_[child].size;
  const Node whole = tree_[last].size;
  unlink(child);
  while (child != last) {
    const Node above = tree_[parent].parent;
    const double flow_above = tree_[parent].flow;
    unlink(parent);
    link(parent, child, flow);
    size = std::exchange(tree_[parent].size, whole - size);
    child = parent;
    parent = above;
    flow = flow_above;
  }
  tree_[from].size = whole;
}

void NetworkSimplex::link(Node child, Node parent, double flow) {
  tree_[child].parent = parent;
  tree_[child].flow = flow;
  const Node sibling = tree_[parent].first_child;
  tree_[child].next = sibling;
  tree_[child].previous = none;
  if (sibling != none) tree_[sibling].previous = child;
  tree_[parent].first_child = child;
}

void NetworkSimplex::unlink(Node child) {
  const Node before = tree_[child].previous, after = tree_[child].next;
  if (before != none) {
    tree_[before].next = after;
  } else {
    tree_[tree_[child].parent].first_child = after;
  }
  if (after != none) tree_[after].previous = before;
}

// The potential of the top moves by `shift`, all of its kind with it, the others against it.
void NetworkSimplex::shift_subtree(Node top, double shift) {
  const double row_shift = is_row(top) ? shift : -shift;
  for (Node x = top; x != none; x = next_in_subtree(x, top)) {
    potential_[x] += is_row(x) ? row_shift : -row_shift;
  }
}

// Moves the potentials of all nodes but the subtree of `top`.
void NetworkSimplex::shift_others(Node top, double shift) {
  const double row_shift = is_row(top) ? shift : -shift;
  for (Node x = root_; x != none;) {
    potential_[x] += is_row(x) ? row_shift : -row_shift;
    x = next_in_subtree(x, root_);
    if (x == top) x = next_beside(x, root_);
  }
}

// A greedy flow. Its arcs are a forest, since each of them closes a row or a column.
void NetworkSimplex::make_tree() {
  const std::size_t nodes = mass_.size();
  tree_.assign(nodes, {});
  first_arc_.assign(nodes, none);
  arcs_.clear();
  left_ = mass_;
  if (rows_ * columns_for_each_hub <= columns_) {
    serve_columns();
  } else {
    serve_rows();
  }
  // Rounding may have left a column without any flow.
  for (Index k = 0; k < columns_; ++k) {
    const auto column = static_cast<Node>(rows_ + k);
    if (first_arc_[column] == none) add_arc(0, column, mass_[column]);
  }
  join_components();
  has_tree_ = true;
}

void NetworkSimplex::add_arc(Node row, Node column, double flow) {
  arcs_.push_back({column, first_arc_[row], flow});
  first_arc_[row] = static_cast<Node>(arcs_.size()) - 1;
  arcs_.push_back({row, first_arc_[column], flow});
  first_arc_[column] = static_cast<Node>(arcs_.size()) - 1;
  left_[row] -= flow;
  left_[column] -= flow;
}

// Rows take what is left of their cheapest columns, by costs that are measured from the least of
// each column.
void NetworkSimplex::serve_rows() {
  std::vector<double> level(stride_, infinity);
  for (Index i = 0; i < rows_; ++i) {
    for (Index k = 0; k < columns_; ++k) {
      level[k] = std::min(level[k], cost_[i * stride_ + k]);
    }
  }
  std::fill(level.begin() + columns_, level.end(), 0.0);
  const double zero = 0;
  StopCounter stop(16);
  for (Index i = 0; i < rows_; ++i) {
    const auto row = static_cast<Node>(i);
    const PricePass pass{.cost = cost_row(i),
                         .stride = stride_,
                         .row_potential = &zero,
                         .column_potential = level.data()};
    stop.throw_if_stopped();
    while (left_[row] > 0) {
      const Price best = price_rows(pass, 0, 1);
      if (!(best.reduced < infinity)) break;  // all columns are served: what is left is rounding
      const auto column = static_cast<Node>(rows_ + best.column);
      add_arc(row, column, std::min(left_[row], left_[column]));
      if (left_[column] == 0) level[best.column] = -infinity;
    }
  }
}

// Few rows are hubs of many columns. Columns take what is left of their cheapest rows; those come
// first that would lose most by another row.
void NetworkSimplex::serve_columns() {
  std::vector<double> least(columns_, infinity), second(columns_, infinity);
  for (Index i = 0; i < rows_; ++i) {
    for (Index k = 0; k < columns_; ++k) {
      const double c = cost_[i * stride_ + k];
      second[k] = std::min(second[k], std::max(c, least[k]));
      least[k] = std::min(c, least[k]);
    }
  }
  std::vector<Index> order(columns_);
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::greater{}, [&](Index k) { return second[k] - least[k]; });
  StopCounter stop(64);
  for (const Index k : order) {
    stop.throw_if_stopped();
    const auto column = static_cast<Node>(rows_ + k);
    while (left_[column] > 0) {
      Node best = none;
      for (Node i = 0; i < rows_; ++i) {
        if (left_[i] > 0 && (best == none || cost_[i * stride_ + k] < cost_[best * stride_ + k])) {
          best = i;
        }
      }
      if (best == none) break;
      add_arc(best, column, std::min(left_[best], left_[column]));
    }
  }
}

// Each component of the forest hangs by one of its rows, without flow, below a column of the first.
void NetworkSimplex::join_components() {
  root_ = static_cast<Node>(rows_);
  hang(root_);
  for (Index i = 0; i < rows_; ++i) {
    const auto row = static_cast<Node>(i);
    if (tree_[row].parent != none) continue;
    link(row, root_, 0);
    hang(row);
  }
  list_nodes();
  for (std::size_t next = order_.size(); next-- > 1;) {
    const Node x = order_[next];
    tree_[tree_[x].parent].size += tree_[x].size;
  }
}

// All nodes, parents before their children.
void NetworkSimplex::list_nodes() {
  order_.clear();
  for (Node x = root_; x != none; x = next_in_subtree(x, root_)) order_.push_back(x);
}

// Turns the arcs of a component into a tree below `root`.
void NetworkSimplex::hang(Node root) {
  order_.assign(1, root);
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const Node x = order_[next];
    for (Node arc = first_arc_[x]; arc != none; arc = arcs_[arc].next) {
      const Node y = arcs_[arc].to;
      if (y == tree_[x].parent && x != root) continue;
      link(y, x, arcs_[arc].flow);
      order_.push_back(y);
    }
  }
}

auto NetworkSimplex::flows() -> const std::vector<Flow>& {
  // The arc above a node carries what its subtree has too much or lacks.
  list_nodes();
  left_.assign(mass_.begin(), mass_.end());
  const double whole = std::accumulate(mass_.begin(), mass_.begin() + rows_, 0.0);
  flows_.clear();
  for (std::size_t next = order_.size(); next-- > 1;) {
    const Node x = order_[next];
    const Node parent = tree_[x].parent;
    left_[parent] -= left_[x];
    if (left_[x] <= dust * whole) continue;
    const Node row = is_row(x) ? x : parent;
    const Node column = is_row(x) ? parent : x;
    flows_.push_back({row, column - rows_, left_[x]});
  }
  return flows_;
}

}  // namespace srgw::detail
