// SPDX-License-Identifier: MIT
#include "solve/row_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "base/stop.hpp"
#include "kernels/row_order.hpp"
#include "kernels/row_pass.hpp"
#include "solve/row_minimum.hpp"
#include "solve/stopping.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

namespace {

constexpr int most_sweeps = 100, most_spreading_sweeps = 1000;
constexpr Index few_entries = 1 << 12;  // of which a sweep takes microseconds

}  // namespace

bool RowDescent::serves(const Structure& structure) {
  const StructureStorage& storage = storage_of(structure);
  if (!storage.symmetric) return false;
  if (std::holds_alternative<DenseStorage>(storage.form)) return true;
  const auto* csr = std::get_if<CsrStorage>(&storage.form);
  return csr != nullptr && csr->left.size() == 0 && csr->right.size() == 0 && csr->factor == 1;
}

void RowDescent::set_target(const Matrix& B, double alpha) {
  columns_ = B.rows();
  stride_ = padded_columns(columns_);
  alpha_ = alpha;
  const Index m = columns_;
  // R and S with the mean of their rows below.
  Matrix R(m + 1, m), S(m + 1, m);
  R.topRows(m) = 0.5 * (B + B.transpose());  // C is symmetric: so may B be
  S.topRows(m) = 0.5 * (B.cwiseAbs2() + B.transpose().cwiseAbs2());
  R.row(m) = R.topRows(m).colwise().mean();
  S.row(m) = S.topRows(m).colwise().mean();
  largest_square_ = 2 * alpha * S.cwiseAbs().maxCoeff();
  largest_cross_ = 4 * alpha * R.cwiseAbs().maxCoeff();
  const auto table = [&](AlignedVector& numbers, auto entry) {
    numbers.assign((m + 2) * stride_, 0.0);
    for (Index c = 0; c <= m; ++c) {
      for (Index k = 0; k < m; ++k) numbers[c * stride_ + k] = entry(c, k);
    }
  };
  // X_cc + X_kk - 2 X_ck; in the last row without the first of these, which is the same for all k.
  const auto bend = [m](const Matrix& X, Index c, Index k) {
    return (c < m ? X(c, c) : 0.0) + X(k, k) - 2 * X(c, k);
  };
  table(square_, [&](Index c, Index k) { return 2 * alpha * S(c, k); });
  table(cross_, [&](Index c, Index k) { return 4 * alpha * R(c, k); });
  table(bend_, [&](Index c, Index k) { return alpha * bend(S, c, k); });
  table(loop_bend_, [&](Index c, Index k) { return 2 * alpha * bend(R, c, k); });
}

void RowDescent::solve(const Graph& graph, double tolerance, const Starts& starts) {
  prepare(graph);
  start_values_.clear();
  const std::array moves{moves_on(graph, states_[0]), moves_on(graph, states_[1])};
  const RowOrders orders = orders_of(graph);
  place_rows(moves, orders);
  settle_rows(moves, orders.rows, most_sweeps);
  for (const std::size_t s : {0, 1}) {
    evaluate(graph, states_[s]);
    keep_best(s);
  }
  if (starts.random_pairs > 0 || starts.in_order) try_labels(graph, starts);
  finish(graph, states_[best_], tolerance);
}

void RowDescent::keep_best(std::size_t state) {
  const bool first = start_values_.empty();
  start_values_.push_back(states_[state].value);
  if (!first && !(states_[state].value < states_[best_].value)) return;
  best_ = state;
  best_start_ = start_values_.size() - 1;
}

// A sum of squares is 0, up to rounding, and nothing is added.
bool RowDescent::costs_nothing() const {
  return alpha_ == 1 && states_[best_].value <= 1e-14 * kappa_;
}

void RowDescent::try_labels(const Graph& graph, const Starts& starts) {
  resize(states_[2]);
  states_[2].order = states_[best_].order;
  const int pairs = std::max(starts.random_pairs, 1);
  for (int pair = 0; pair < pairs && !costs_nothing() && !stop_requested(); ++pair) {
    Random random(starts.seed, static_cast<std::uint64_t>(pair));
    const std::size_t first = best_ == 0 ? 1 : 0, second = best_ == 2 ? 1 : 2;
    for (const std::size_t s : {first, second}) {
      std::vector<NodeId>& labels = states_[s].labels;
      if (starts.in_order && pair == 0 && s == first) {
        for (Index i = 0; i < rows_; ++i) {
          labels[i] = static_cast<NodeId>(graph.allowed.next(i, i));
        }
      } else {
        for (Index i = 0; i < rows_; ++i) labels[i] = random_label(graph, i, random);
      }
      load_labels(graph, states_[s]);
    }
    settle_rows({moves_on(graph, states_[first]), moves_on(graph, states_[second])},
                {states_[first].order.data(), states_[second].order.data()}, most_sweeps);
    for (const std::size_t s : {first, second}) {
      evaluate(graph, states_[s]);
      keep_best(s);
    }
  }
}

NodeId RowDescent::random_label(const Graph& graph, Index row, Random& random) const {
  if (graph.allowed.everything()) return static_cast<NodeId>(random.below(columns_));
  const auto place = static_cast<Index>(random.below(graph.allowed.count(row)));
  return static_cast<NodeId>(graph.allowed.nth(row, place));
}

// w = 2 alpha S q
void RowDescent::load_labels(const Graph& graph, State& state) const {
  std::fill_n(state.w.begin(), columns_, 0.0);
  std::fill(state.w.begin() + columns_, state.w.end(), std::numeric_limits<double>::infinity());
  for (Index i = 0; i < rows_; ++i) {
    const double mass = graph.weights[i];
    const double* square = square_.data() + state.labels[i] * stride_;
    for (Index k = 0; k < columns_; ++k) state.w[k] += mass * square[k];
  }
}

void RowDescent::prepare(const Graph& graph) {
  source_ = SourceRows(storage_of(graph.structure));
  rows_ = graph.structure.size();
  const double largest = graph.structure.largest_entry();
  scale_ = largest_square_ + largest_cross_ * largest + graph.linear_scale;
  unit_ = largest >= std::numeric_limits<double>::min() ? 1 / largest : 1.0;
  sums_.resize(rows_);
  for (const std::size_t s : {0, 1}) resize(states_[s]);
  add_up(graph);
}

void RowDescent::resize(State& state) const {
  state.w.resize(stride_);
  state.z.resize(rows_ * stride_);
  state.labels.resize(rows_);
  state.order.resize(rows_);
}

// C h, C_ii and kappa = h'(C o C)h; neighbours in groups unless C is dense; and all entries of C
// where nodes are few.
void RowDescent::add_up(const Graph& graph) {
  constexpr std::size_t group = RowNeighbours::group;
  const double* h = graph.weights.data();
  const bool grouped = !source_.dense();
  padded_ = padded_order(rows_);
  if (padded_.few) entries_.assign(rows_ * padded_.rows, 0.0);
  first_group_.assign(rows_ + 1, 0);
  kappa_ = 0;
  has_loops_ = false;
  std::size_t end = 0;
  for (Index i = 0; i < rows_; ++i) {
    if (grouped) reserve_neighbours(end + source_.sparse_row(i).columns.size() + group);
    NodeId* const nodes = neighbours_.data();
    double* const masses = neighbour_masses_.data();
    double* const entries = padded_.few ? entries_.data() + i * padded_.rows : nullptr;
    double sum = 0, squares = 0, own = 0;
    source_.for_each(i, [&](Index j, double a) {
      const double mass = a * h[j];
      sum += mass;
      squares += a * mass;
      if (i == j) own = a;
      if (entries != nullptr) entries[j] = a;
      if (!grouped) return;
      nodes[end] = static_cast<NodeId>(j);
      masses[end++] = mass;
    });
    for (; end % group != 0; ++end) {
      nodes[end] = 0;
      masses[end] = 0;
    }
    if (own != 0) {
      if (!has_loops_) loops_.assign(rows_, 0.0);
      has_loops_ = true;
      loops_[i] = own;
    }
    first_group_[i + 1] = static_cast<std::uint32_t>(end / group);
    sums_[i] = sum;
    kappa_ += h[i] * squares;
  }
}

void RowDescent::reserve_neighbours(std::size_t count) {
  if (neighbours_.size() >= count) return;
  neighbours_.resize(2 * count);
  neighbour_masses_.resize(2 * count);
}

// By how well connected nodes are: sums over short walks, and what tells apart nodes that have the
// same. Nodes that look the same from three steps away get the same number. Entries are taken in
// units of the largest one, so that no sum overflows.
RowOrders RowDescent::orders_of(const Graph& graph) {
  constexpr double own = 1e-3;  // of a node's weight and features, beside a neighbour
  const auto n = static_cast<double>(rows_);
  const std::size_t padded = padded_.rows;
  rank_.resize(padded);
  work_.resize(padded);
  walk_masses_.resize(rows_);
  double largest = 0;
  for (const double sum : graph.linear_sums) largest = std::max(largest, std::abs(sum));
  const double factor = largest > 0 ? own / largest : 0.0;
  for (Index i = 0; i < rows_; ++i) {
    const double features = largest > 0 ? factor * graph.linear_sums[i] : 0.0;
    rank_[i] = n * (unit_ * sums_[i] + own * graph.weights[i]) + features;
    walk_masses_[i] = n * unit_ * graph.weights[i];
  }
  RowOrders orders{.source = source_,
                   .entries = padded_.few ? entries_.data() : nullptr,
                   .padded_rows = padded_.rows,
                   .masses = walk_masses_.data(),
                   .rank = rank_.data(),
                   .work = work_.data(),
                   .pull = unit_};
  for (std::size_t s = 0; s < 2; ++s) {
    priority_[s].resize(padded);
    orders.priority[s] = priority_[s].data();
    orders.rows[s] = states_[s].order.data();
  }
  return orders;
}

RowMoves RowDescent::moves_on(const Graph& graph, State& state) const {
  return {.columns = columns_,
          .stride = stride_,
          .square = square_.data(),
          .cross = cross_.data(),
          .bend = bend_.data(),
          .loop_bend = loop_bend_.data(),
          .source = source_,
          .neighbours = {.first = first_group_.data(),
                         .nodes = neighbours_.data(),
                         .masses = neighbour_masses_.data()},
          .weights = graph.weights.data(),
          .loops = has_loops_ ? loops_.data() : nullptr,
          .linear = graph.linear.empty() ? nullptr : graph.linear.data(),
          .linear_factor = graph.linear_factor(alpha_),
          .w = state.w.data(),
          .z = state.z.data(),
          .labels = state.labels.data(),
          .tolerance = 1e-14 * scale_};
}

void RowDescent::evaluate(const Graph& graph, State& state) const {
  double linear = 0;
  state.form = 0;
  for (Index i = 0; i < rows_; ++i) {
    const NodeId k = state.labels[i];
    state.form += graph.weights[i] * (state.w[k] - state.z[i * stride_ + k]);
    if (!graph.linear.empty()) linear += graph.weights[i] * graph.linear[i][k];
  }
  state.linear = graph.linear_factor(alpha_) * linear;
  state.value = value_of(state.form, state.linear);
}

// From <g, T> and <L, T>; the part of the structure is a sum of squares.
double RowDescent::value_of(double form, double linear) const {
  return std::max(0.0, alpha_ * kappa_ + 0.5 * (form - linear)) + linear;
}

void RowDescent::finish(const Graph& graph, State& state, double tolerance) {
  const RowMoves moves = moves_on(graph, state);
  constexpr double rounding = 1e-14;
  const double target =
      std::max(tolerance * moving_part(state.value, alpha_ * kappa_, std::min(1.0, scale_)),
               rounding * scale_);
  gap_ = state.form - sum_smallest(moves);
  spread_ = gap_ > target;
  if (spread_) spread(graph, state, target);
  weights_.assign(graph.weights.begin(), graph.weights.end());
  target_weights_ = Vector::Zero(columns_);
  for (Index i = 0; i < rows_; ++i) {
    if (!spread_) {
      target_weights_[state.labels[i]] += weights_[i];
      continue;
    }
    const double* t = masses_.data() + i * stride_;
    for (Index k = 0; k < columns_; ++k) target_weights_[k] += t[k];
  }
  value_ = state.value;
  linear_value_ = state.linear;
  converged_ = gap_ <= target;
  gap_ = std::max(0.0, gap_);
}

// Rows that have several columns, until the gap is small enough.
void RowDescent::spread(const Graph& graph, State& state, double target) {
  constexpr int many_sweeps = 10;  // after which sums have lost digits
  masses_.assign(rows_ * stride_, 0.0);
  for (Index i = 0; i < rows_; ++i) {
    masses_[i * stride_ + state.labels[i]] = graph.weights[i];
  }
  const RowMoves moves = moves_on(graph, state);
  const double least = 0.3 * target;
  const auto next = [&](Index place) {
    return next_to_spread(moves, masses_.data(), state.order.data(), place, least);
  };
  const bool many = rows_ * stride_ > few_entries;
  int sweep = 0;
  for (bool moved = true; moved && sweep < most_spreading_sweeps; ++sweep) {
    if (many && stop_requested()) break;
    moved = false;
    for (Index place = next(0); place < rows_; place = next(place + 1)) {
      moved = spread_row(moves, static_cast<Index>(state.order[place]), least) || moved;
    }
  }
  if (sweep > many_sweeps) rebuild(graph, state);
  state.form = spread_form(moves, masses_.data());
  gap_ = state.form - sum_smallest(moves);
  state.linear = graph.linear_factor(alpha_) * spread_linear(graph);
  state.value = value_of(state.form, state.linear);
}

// Moves mass while the gap of the row is above its share. Whether any was moved.
bool RowDescent::spread_row(const RowMoves& moves, Index i, double target) {
  constexpr int most_moves = 16;
  const std::span<double> t(masses_.data() + i * stride_, columns_);
  const double* z = moves.z + i * stride_;
  const auto gradient = [&](std::size_t k) { return moves.w[k] - z[k]; };
  const double h = moves.weights[i];
  const double loop = moves.loops != nullptr ? moves.loops[i] : 0.0;
  int made = 0;
  for (; made < most_moves; ++made) {
    const RowMove move = steepest_move(t, gradient);
    const double slope = gradient(move.to) - gradient(move.from);
    if (!(slope < 0) || move.mean - h * gradient(move.to) <= target * h) break;
    const std::size_t bend = move.from * stride_ + move.to;
    const double amount =
        make_move(move, slope, moves.bend[bend] - loop * moves.loop_bend[bend], t);
    push_move(moves, i, amount, static_cast<NodeId>(move.from), static_cast<NodeId>(move.to));
  }
  return made > 0;
}

// All sums anew from the masses.
void RowDescent::rebuild(const Graph& graph, State& state) {
  const RowMoves moves = moves_on(graph, state);
  clear_rows(moves);
  const auto nowhere = static_cast<NodeId>(columns_ + 1);
  for (Index i = 0; i < rows_; ++i) {
    double* t = masses_.data() + i * stride_;
    const double sum = std::accumulate(t, t + columns_, 0.0);
    for (Index k = 0; k < columns_; ++k) {
      if (t[k] == 0) continue;
      t[k] *= graph.weights[i] / sum;
      push_move(moves, i, t[k], nowhere, static_cast<NodeId>(k));
    }
  }
}

// <M, T>
double RowDescent::spread_linear(const Graph& graph) const {
  double sum = 0;
  for (std::size_t i = 0; i < graph.linear.size(); ++i) {
    const double* t = masses_.data() + i * stride_;
    for (std::size_t k = 0; k < static_cast<std::size_t>(columns_); ++k) {
      if (t[k] > 0) sum += t[k] * graph.linear[i][k];
    }
  }
  return sum;
}

Matrix RowDescent::plan() const {
  Matrix T = Matrix::Zero(rows_, columns_);
  for (Index i = 0; i < rows_; ++i) {
    if (!spread_) {
      T(i, states_[best_].labels[i]) = weights_[i];
      continue;
    }
    for (Index k = 0; k < columns_; ++k) T(i, k) = masses_[i * stride_ + k];
  }
  return T;
}

}  // namespace srgw::detail
