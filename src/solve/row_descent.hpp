// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "kernels/aligned.hpp"
#include "kernels/row_moves.hpp"
#include "srgw/problem.hpp"
#include "srgw/structure.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Projects one small graph after the other on a target by row coordinate descent. It starts at the
/// product and sets one row after the other on its best column: first rows with neighbours among
/// those set before, then by how well connected they are. Then rows move to better columns until
/// none gains. At last the rows that gain by being on several columns are spread. All of this runs
/// twice, from the best and from the least connected node, and the lower value is kept. Only nodes
/// that look the same from a few steps away are taken in the order of the graph.
///
/// The objective is alpha E(T) + (1 - alpha) <M, T> with square loss. Nothing is allocated for a
/// graph once larger ones were seen.
class RowDescent {
 public:
  /// B (m x m).
  void set_target(const Matrix& B, double alpha);

  struct Graph {
    const Structure& structure;  ///< C, of a kind that is served
    VectorView weights;          ///< h
    /// Rows of M, stride() long and padded with zeros; empty: none.
    std::span<const double* const> linear = {};
    std::span<const double> linear_sums = {};  ///< of these rows
    double linear_scale = 0;  ///< the largest |(1 - alpha) M_ik|, where gradients may be small
    /// Unless everything is allowed, the rows are (1 - alpha) M, with infinity on forbidden pairs.
    AllowedPairs allowed = {};
    [[nodiscard]] double linear_factor(double alpha) const {
      return allowed.everything() ? 1 - alpha : 1.0;
    }
  };
  /// Further plans to descend from.
  struct Starts {
    int random_pairs = 0;  ///< pairs of random labels, drawn from (seed, 0), (seed, 1), ...
    std::uint64_t seed = 0;
    bool in_order = false;  ///< node i on column i, in the place of a random start
  };
  /// Symmetric, and dense or sparse without scaling.
  [[nodiscard]] static bool serves(const Structure& structure);
  [[nodiscard]] Index stride() const { return stride_; }

  /// From the product. Ends where gap <= tolerance max(min(|value|, |value - alpha kappa|), 1e-12).
  void solve(const Graph& graph, double tolerance) { solve(graph, tolerance, Starts()); }
  /// The same, and from further plans; the lowest value is kept. Ends early where a stop was
  /// requested or a plan costs nothing.
  void solve(const Graph& graph, double tolerance, const Starts& starts);

  // Results for the last graph:
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] double linear_value() const { return linear_value_; }  ///< (1 - alpha) <M, T>
  [[nodiscard]] double gap() const { return gap_; }
  /// Whether the gap is small enough. Rows are swept only so many times.
  [[nodiscard]] bool converged() const { return converged_; }
  /// Of all plans from which it descended, in turn; that of the best before its rows were spread.
  [[nodiscard]] const std::vector<double>& start_values() const { return start_values_; }
  [[nodiscard]] std::size_t best_start() const { return best_start_; }
  [[nodiscard]] const Vector& target_weights() const { return target_weights_; }
  [[nodiscard]] Matrix plan() const;
  /// The column of each row; empty: some rows are on several.
  [[nodiscard]] std::span<const NodeId> labels() const {
    if (spread_) return {};
    return std::span(states_[best_].labels).first(rows_);
  }

 private:
  struct State {
    AlignedVector w, z;
    std::vector<NodeId> labels, order;
    double form = 0, value = 0, linear = 0;  // <g, T>
  };

  void prepare(const Graph& graph);
  void resize(State& state) const;
  /// From labels in the two states that do not hold the best plan.
  void try_labels(const Graph& graph, const Starts& starts);
  [[nodiscard]] NodeId random_label(const Graph& graph, Index row, Random& random) const;
  void load_labels(const Graph& graph, State& state) const;
  void keep_best(std::size_t state);
  [[nodiscard]] bool costs_nothing() const;
  void add_up(const Graph& graph);
  void reserve_neighbours(std::size_t count);
  [[nodiscard]] RowOrders orders_of(const Graph& graph);
  void evaluate(const Graph& graph, State& state) const;
  void finish(const Graph& graph, State& state, double tolerance);
  void spread(const Graph& graph, State& state, double target);
  bool spread_row(const RowMoves& moves, Index i, double target);
  void rebuild(const Graph& graph, State& state);
  [[nodiscard]] double spread_linear(const Graph& graph) const;
  [[nodiscard]] RowMoves moves_on(const Graph& graph, State& state) const;
  [[nodiscard]] double value_of(double form, double linear) const;

  // The target: tables of m + 2 rows (row_moves.hpp).
  Index columns_ = 0, stride_ = 0;
  double alpha_ = 1;
  AlignedVector square_, cross_, bend_, loop_bend_;
  double largest_square_ = 0, largest_cross_ = 0;

  // The graph:
  SourceRows source_;
  Index rows_ = 0;
  double kappa_ = 0, scale_ = 0, unit_ = 1;  // of gradients, and 1/largest entry of C
  bool has_loops_ = false;
  std::vector<double> sums_, loops_;        // C h, C_ii
  std::vector<std::uint32_t> first_group_;  // of neighbours (RowNeighbours)
  std::vector<NodeId> neighbours_;
  std::vector<double> neighbour_masses_;
  PaddedOrder padded_;  // what is padded for orders, and all entries of few nodes
  AlignedVector entries_, rank_, work_;
  std::vector<double> walk_masses_;
  std::array<AlignedVector, 2> priority_;
  std::array<State, 3> states_;  // the best and the two at work
  AlignedVector masses_;         // n x stride, where rows are spread

  std::size_t best_ = 0;  // of the states
  bool spread_ = false;
  bool converged_ = false;
  double value_ = 0, linear_value_ = 0, gap_ = 0;
  std::vector<double> start_values_;
  std::size_t best_start_ = 0;
  std::vector<double> weights_;
  Vector target_weights_;
};

}  // namespace srgw::detail
