// SPDX-License-Identifier: MIT
#include "solve/row_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/message.hpp"
#include "base/row_blocks.hpp"
#include "base/stop.hpp"
#include "solve/stopping.hpp"

namespace srgw::detail {

namespace {

constexpr double smallest_plan_scale = 1e-100;
constexpr Index parallel_entries = Index{1} << 16;  // below that, threads cost more than they bring

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

}  // namespace

void RowStep::prepare(const Objective& objective, const Options& options) {
  objective_ = &objective;
  options_ = options;
  rows_ = objective.rows();
  columns_ = objective.columns();
  stride_ = padded_columns(columns_);
  if (rows_ * stride_ < parallel_entries) options_.threads = 1;
  products_.prepare(objective, stride_, options_.threads);
  // Products that are carried along have seen a few roundings: columns that differ by no more tie.
  tie_tolerance_ = 0;
  if (options_.share_ties) {
    tie_tolerance_ = 1e-14 * (2 * objective.alpha *
                                  (objective.largest_square + 2 * products_.largest_product()) +
                              objective.largest_linear);
  }

  y_.resize(rows_ * stride_);
  y_x_.prepare(products_, objective, stride_, options_.threads);
  q_.assign(columns_, 0.0);
  w_.assign(columns_, 0.0);
  q_x_.assign(columns_, 0.0);
  w_x_.assign(columns_, 0.0);
  cost_.assign(stride_, std::numeric_limits<double>::infinity());
  direction_.column.resize(rows_);
  former_.column.resize(rows_);
  direction_.ties.clear();
  former_.ties.clear();
  block_ties_.resize(block_count(rows_));
  block_sums_.resize(block_count(rows_));
  pending_ = 0;
  plan_scale_ = 1;

  linear_.prepare(objective, stride_);
  weightless_.clear();
  for (Index i = 0; i < rows_ && !objective.allowed.everything(); ++i) {
    if (objective.weights[i] == 0) weightless_.push_back(static_cast<NodeId>(i));
  }
}

// The kernel puts rows without weight on column 0, which may be forbidden.
void RowStep::place_weightless(Vertex& vertex) const {
  for (const NodeId i : weightless_) {
    const auto row = static_cast<Index>(i);
    vertex.column[i] = static_cast<NodeId>(objective_->allowed.next(row, Index{vertex.column[i]}));
  }
}

void RowStep::start_at_product(const Objective& objective, const Options& options) {
  prepare(objective, options);
  shares_.assign(columns_, 1.0 / static_cast<double>(columns_));
  start_at_shares();
}

// T = h r': no array of masses is made, and Y has rank one.
void RowStep::start_at_shares() {
  form_ = Form::product;
  q_ = shares_;
  objective_->square_times(q_.data(), w_.data());
  sums_.tt = products_.of_product(shares_, y_);
  sums_.lt = 0;
  if (linear_.data == nullptr) return;
  const Eigen::Map<const Vector> r(shares_.data(), columns_);
  for (Index i = 0; i < rows_; ++i) {
    sums_.lt += linear_.factor * objective_->weights[i] *
                Eigen::Map<const Vector>(linear_.data + i * linear_.stride, columns_).dot(r);
  }
}

void RowStep::start(const Objective& objective, const Plan& plan, const Options& options) {
  prepare(objective, options);
  if (const auto* product = std::get_if<ProductRows>(&plan.storage())) {
    shares_.assign(product->shares.begin(), product->shares.end());
    start_at_shares();
    return;
  }
  const Vector q = plan.target_weights();
  q_.assign(q.begin(), q.end());
  if (const auto* labels = std::get_if<Labels>(&plan.storage())) {
    form_ = Form::vertex;
    vertex_.ties.clear();
    vertex_.column.resize(rows_);
    std::visit([&](const auto& narrow) { std::ranges::copy(narrow, vertex_.column.begin()); },
               *labels);
    place_weightless(vertex_);
    y_x_.rebuild(vertex_);
    y_x_.blend(1, y_);
    y_x_.forget();
  } else {
    form_ = Form::array;
    const Matrix dense = plan.dense();
    plan_.assign(dense.data(), dense.data() + dense.size());
    products_.of_rows(plan_, columns_, y_);
  }
  start_sums();
}

// S q, <T, Y> and <L, T> from q, T and Y.
void RowStep::start_sums() {
  objective_->square_times(q_.data(), w_.data());
  if (form_ == Form::vertex) {
    sums_.tt = sum_over(
        vertex_,
        [&](std::size_t i) {
          return objective_->weights[i] * products_.row_scale(static_cast<Index>(i));
        },
        [&](std::size_t i, NodeId k) { return y_[i * stride_ + k]; });
    sums_.lt = linear_form(vertex_);
    return;
  }
  sums_.tt = sums_.lt = 0;
  for (Index i = 0; i < rows_; ++i) {
    double cross = 0;
    for (Index k = 0; k < columns_; ++k) {
      const double t = plan_scale_ * plan_[i * columns_ + k];
      cross += t * y_[i * stride_ + k];
      if (linear_.data != nullptr) sums_.lt += linear_.times(t, i, k);
    }
    sums_.tt += products_.row_scale(i) * cross;
  }
}

// <L, X>
double RowStep::linear_form(const Vertex& vertex) const {
  if (linear_.data == nullptr) return 0;
  return sum_over(
      vertex, [&](std::size_t i) { return objective_->weights[i]; },
      [&](std::size_t i, NodeId k) { return linear_.at(static_cast<Index>(i), k); });
}

Line RowStep::direction() {
  linear_step();
  collect_changes();
  y_x_.follow(former_, direction_, changed_);
  objective_->square_times(q_x_.data(), w_x_.data());
  sums_.xx = y_x_.form(direction_);

  // a = alpha (dq'S dq - 2 <D, Y_D>)
  double dq_dw = 0;
  for (std::size_t k = 0; k < q_.size(); ++k) dq_dw += (q_x_[k] - q_[k]) * (w_x_[k] - w_[k]);
  return {.a = objective_->alpha * dq_dw + sums_.curvature(objective_->alpha), .b = slope()};
}

// b = 2 alpha (q'S dq - 2 <D, Y_T>) + <L, D>
double RowStep::slope() const {
  // Where X is T the sums differ by rounding only. Elsewhere that is told from the sums.
  if (!objective_->allowed.everything() && form_ == Form::vertex &&
      vertex_.column == direction_.column && vertex_.ties.columns == direction_.ties.columns) {
    return 0;
  }
  double dq_w = 0;
  for (std::size_t k = 0; k < q_.size(); ++k) dq_w += (q_x_[k] - q_[k]) * w_[k];
  return 2 * objective_->alpha * dq_w + sums_.slope(objective_->alpha) +
         objective_->column_form(q_x_.data()) - objective_->column_form(q_.data());
}

double RowStep::gap() {
  linear_step();
  collect_changes();
  y_x_.forget();  // the products of this direction are not made
  return std::max(0.0, -slope());
}

// Blends the last step into Y and takes the minimum of each row of the gradient, in one pass.
void RowStep::linear_step() {
  for (std::size_t k = 0; k < w_.size(); ++k) cost_[k] = objective_->column_cost(w_[k], k);
  std::swap(direction_, former_);
  RowPass pass;
  pass.stride = stride_;
  pass.cross = y_.data();
  y_x_.show(pending_, pass);
  pass.column_cost = cost_.data();
  pass.factor = 4 * objective_->alpha;
  pass.row_scale = products_.row_scale();
  pass.linear = linear_.data;
  pass.linear_stride = linear_.stride;
  pass.linear_factor = linear_.factor;
  pass.weights = objective_->weights.data();
  pass.tie_tolerance = tie_tolerance_;
  pass.share_ties = options_.share_ties;
  pass.minimiser = direction_.column.data();
  const StopShield shield;  // the blend is made for all rows or for none
  for_each_block(rows_, options_.threads, [&](Index block, Index begin, Index end, int) {
    block_ties_[block].clear();
    block_sums_[block] = row_pass(pass, begin, end, block_ties_[block]);
  });
  pending_ = 0;
  place_weightless(direction_);
  direction_.ties.clear();
  sums_.xt = sums_.lx = 0;
  for (std::size_t block = 0; block < block_sums_.size(); ++block) {
    sums_.xt += block_sums_[block].cross;
    sums_.lx += block_sums_[block].linear;
    direction_.ties.append(block_ties_[block]);
  }
}

// The rows in which the direction differs from the former one, and its column sums.
void RowStep::collect_changes() {
  // Neighbouring rows often have the same column: where there are many, they add in turn to one of
  // four sums, which need not wait for each other.
  const std::size_t sums = rows_ < 256 ? 1 : 4;
  column_sums_.assign(sums * columns_, 0.0);
  changed_.resize(rows_);
  const bool compare = y_x_.known();
  std::size_t count = 0;
  for (std::size_t i = 0; i < changed_.size(); ++i) {
    const double h = objective_->weights[i];
    const NodeId k = direction_.column[i];
    double* sum = column_sums_.data() + (i & (sums - 1)) * columns_;
    bool same = compare && k == former_.column[i];
    if (k != tied) {
      if (k >= columns_) {  // no entry of the row is the smallest
        fail_argument(
            "row {} of the gradient has an entry that is no number, expected structures and costs "
            "whose entries are closer in size",
            i);
      }
      sum[k] += h;
    } else {
      const auto columns = direction_.columns_of(static_cast<Index>(i));
      for (const NodeId c : columns) sum[c] += h / static_cast<double>(columns.size());
      same = same && std::ranges::equal(columns, former_.columns_of(static_cast<Index>(i)));
    }
    changed_[count] = static_cast<NodeId>(i);
    count += same ? 0 : 1;
  }
  changed_.resize(count);
  for (std::size_t k = 0; k < q_x_.size(); ++k) {
    q_x_[k] = 0;
    for (std::size_t s = 0; s < sums; ++s) q_x_[k] += column_sums_[s * q_x_.size() + k];
  }
}

void RowStep::advance(double gamma) {
  if (gamma == 0) return;
  pending_ = gamma;
  const double keep = 1 - gamma;
  sums_.advance(gamma);
  for (std::size_t k = 0; k < q_.size(); ++k) {
    q_[k] = keep * q_[k] + gamma * q_x_[k];
    w_[k] = keep * w_[k] + gamma * w_x_[k];
  }
  if (gamma == 1) {
    vertex_ = direction_;
    form_ = Form::vertex;
    return;
  }
  materialise_plan();
  // T = plan_scale * plan: the old part takes one multiplication in all.
  plan_scale_ *= keep;
  const double share = gamma / plan_scale_;
  for (Index i = 0; i < rows_; ++i) {
    const double mass = share * objective_->weights[i];
    const NodeId k = direction_.column[i];
    if (k != tied) {
      plan_[i * columns_ + k] += mass;
      continue;
    }
    const auto columns = direction_.columns_of(i);
    for (const NodeId c : columns) {
      plan_[i * columns_ + c] += mass / static_cast<double>(columns.size());
    }
  }
  if (plan_scale_ < smallest_plan_scale) {
    for (double& t : plan_) t *= plan_scale_;
    plan_scale_ = 1;
  }
}

// T as an array of masses.
void RowStep::materialise_plan() {
  if (form_ == Form::array) return;
  plan_.resize(rows_ * columns_);
  plan_scale_ = 1;
  for (Index i = 0; i < rows_; ++i) {
    const double h = objective_->weights[i];
    double* row = plan_.data() + i * columns_;
    if (form_ == Form::product) {
      for (Index k = 0; k < columns_; ++k) row[k] = h * shares_[k];
      continue;
    }
    std::fill_n(row, columns_, 0.0);
    const auto columns = vertex_.columns_of(i);
    for (const NodeId k : columns) row[k] = h / static_cast<double>(columns.size());
  }
  form_ = Form::array;
}

std::span<const NodeId> RowStep::labels() const {
  if (form_ != Form::vertex || !vertex_.ties.rows.empty()) return {};
  return vertex_.column;
}

Value RowStep::final_value() {
  if (form_ != Form::vertex || !objective_->source->has_rows()) {
    refresh();
    return value();
  }
  std::ranges::fill(q_, 0.0);
  for (Index i = 0; i < rows_; ++i) {
    const auto columns = vertex_.columns_of(i);
    const double mass = objective_->weights[i] / static_cast<double>(columns.size());
    for (const NodeId k : columns) q_[k] += mass;
  }
  objective_->square_times(q_.data(), w_.data());
  sums_.tt = products_.vertex_form(vertex_);
  sums_.lt = linear_form(vertex_);
  return value();
}

double RowStep::rounding() const {
  return rounding_of_gap(*objective_, dot(q_, w_), sums_.tt, sums_.lt);
}

Value RowStep::value() const {
  return {.quad = objective_->alpha * (objective_->kappa + dot(q_, w_) - 2 * sums_.tt),
          .linear = sums_.lt,
          .penalty = objective_->column_form(q_.data())};
}

void RowStep::refresh() {
  const auto rows = plan_rows();
  remake_products(rows);
  pending_ = 0;
  y_x_.forget();
  std::fill(q_.begin(), q_.end(), 0.0);
  for (Index e = 0; e < rows_ * columns_; ++e) q_[e % columns_] += rows[e];
  start_sums();
}

// Y of T. Where that takes long it may be stopped, and leaves the former Y then.
void RowStep::remake_products(std::span<const double> rows) {
  if (rows_ * stride_ < parallel_entries) {
    const StopShield shield;
    products_.of_rows(rows, columns_, y_);
    return;
  }
  apply_pending_step();
  std::vector<double> fresh(y_.size());
  products_.of_rows(rows, columns_, fresh);
  y_.swap(fresh);
}

std::span<const double> RowStep::plan_rows() {
  materialise_plan();
  // Rows sum to h up to rounding; the last bits are put right here.
  for (Index i = 0; i < rows_; ++i) {
    double* row = plan_.data() + i * columns_;
    const double h = objective_->weights[i];
    const double sum = std::accumulate(row, row + columns_, 0.0);
    const double scale = sum > 0 ? h / sum : 0.0;
    for (Index k = 0; k < columns_; ++k) row[k] *= scale;
  }
  plan_scale_ = 1;
  return plan_;
}

// Row coordinate descent on the state above: the polish of conditional gradient.

double RowStep::sweep(double tolerance) {
  apply_pending_step();
  (void)plan_rows();  // T itself, not a multiple of it
  const double before = value().total();
  diagonal_.resize(rows_);
  for (Index i = 0; i < rows_; ++i) diagonal_[i] = objective_->source->at(i, i);
  gradient_row_.resize(columns_);
  row_change_.resize(columns_);
  bool moved = false;
  for (Index i = 0; i < rows_ && !stop_requested(); ++i) {
    moved = minimise_row(i, tolerance) || moved;
  }
  if (moved) {
    start_sums();  // right, but for the rounding of many changes
    y_x_.forget();
    refresh();
  }
  return before - value().total();
}

void RowStep::apply_pending_step() {
  if (pending_ == 0) return;
  y_x_.blend(pending_, y_);
  pending_ = 0;
}

// Whether the row moved.
bool RowStep::minimise_row(Index i, double tolerance) {
  const double h = objective_->weights[i];
  if (h == 0) return false;
  const std::span<double> t(plan_.data() + i * columns_, columns_);
  const double alpha = objective_->alpha;
  const double scale = products_.row_scale(i);
  for (Index k = 0; k < columns_; ++k) {
    gradient_row_[k] = objective_->column_cost(w_[k], k) - 4 * alpha * scale * y_[i * stride_ + k] +
                       (linear_.data == nullptr ? 0.0 : linear_.at(i, k));
  }
  if (row_gap(t, gradient_row_) <= tolerance * h) return false;

  // W = alpha (S - 2 C_ii R)
  std::ranges::copy(t, row_change_.begin());
  const double c = diagonal_[i];
  if (objective_->diagonal) {
    curvature_row_ = alpha * (objective_->square_diagonal - 2 * c * objective_->cross_diagonal);
    minimiser_.minimise_diagonal({curvature_row_.data(), static_cast<std::size_t>(columns_)}, t,
                                 gradient_row_);
  } else {
    curvature_ =
        alpha * objective_->square - alpha * c * (objective_->cross + objective_->cross_transposed);
    RowMinimiser::minimise(curvature_, t, gradient_row_, 0.1 * tolerance * h);
  }

  for (Index k = 0; k < columns_; ++k) row_change_[k] = t[k] - row_change_[k];
  products_.add(i, row_change_, y_);
  for (Index k = 0; k < columns_; ++k) {
    const double change = row_change_[k];
    if (change == 0) continue;
    q_[k] += change;
    if (objective_->diagonal) {
      w_[k] += objective_->square_diagonal[k] * change;
    } else {
      add_scaled(objective_->square.data() + k * columns_, change, columns_, w_.data());
    }
  }
  return true;
}

}  // namespace srgw::detail
