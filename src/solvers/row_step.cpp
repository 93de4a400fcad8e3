// SPDX-License-Identifier: MIT
#include "solvers/row_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "parallel.hpp"

namespace srgw::detail {

namespace {

constexpr int updates_before_rebuild = 64;
constexpr double smallest_plan_scale = 1e-100;
constexpr Index parallel_entries = Index{1} << 16;  // below that, threads cost more than they bring

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

}  // namespace

void RowStep::prepare(const Objective& objective, const Options& options) {
  objective_ = &objective;
  options_ = options;
  rows_ = objective.rows();
  columns_ = objective.columns();
  const Index lanes = row_pass_lanes();
  stride_ = (columns_ + lanes - 1) / lanes * lanes;
  if (rows_ * stride_ < parallel_entries) options_.threads = 1;
  products_.prepare(objective, stride_, options_.threads);
  // Products that are carried along have seen a few roundings: columns that differ by no more tie.
  tie_tolerance_ = 0;
  if (options_.share_ties) {
    tie_tolerance_ = 1e-14 * (2 * objective.alpha *
                                  (objective.largest_square + 2 * products_.largest_product()) +
                              objective.largest_linear);
  }

  y_.resize(at(rows_ * stride_));
  y_x_.resize(at(rows_ * stride_));
  q_.assign(at(columns_), 0.0);
  w_.assign(at(columns_), 0.0);
  q_x_.assign(at(columns_), 0.0);
  w_x_.assign(at(columns_), 0.0);
  cost_.assign(at(stride_), std::numeric_limits<double>::infinity());
  direction_.column.resize(at(rows_));
  former_.column.resize(at(rows_));
  direction_.ties.clear();
  former_.ties.clear();
  block_ties_.resize(at(block_count(rows_)));
  block_sums_.resize(at(block_count(rows_)));
  has_direction_ = false;
  pending_ = 0;
  plan_scale_ = 1;

  linear_.prepare(objective, stride_);
}

void RowStep::start_at_product(const Objective& objective, const Options& options) {
  prepare(objective, options);
  shares_.assign(at(columns_), 1.0 / static_cast<double>(columns_));
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
    sums_.lt += objective_->linear_factor * objective_->weights[at(i)] *
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
    vertex_.column.resize(at(rows_));
    std::visit([&](const auto& narrow) { std::ranges::copy(narrow, vertex_.column.begin()); },
               *labels);
    products_.of_vertex(vertex_, y_);
  } else {
    form_ = Form::array;
    const Matrix dense = plan.dense();
    plan_.assign(dense.data(), dense.data() + dense.size());
    products_.of_rows(plan_, columns_, y_);
  }
  start_sums();
}

double RowStep::row_scale(Index i) const {
  const double* scale = products_.row_scale();
  return scale != nullptr ? scale[i] : 1.0;
}

// S q, <T, Y> and <L, T> from q, T and Y.
void RowStep::start_sums() {
  objective_->square_times(q_.data(), w_.data());
  if (form_ == Form::vertex) {
    sums_.tt = gather_cross(y_, vertex_);
    sums_.lt = linear_form(vertex_);
    return;
  }
  sums_.tt = sums_.lt = 0;
  for (Index i = 0; i < rows_; ++i) {
    double cross = 0;
    for (Index k = 0; k < columns_; ++k) {
      const double t = plan_scale_ * plan_[at(i * columns_ + k)];
      cross += t * y_[at(i * stride_ + k)];
      if (linear_.data != nullptr) sums_.lt += t * linear_at(i, k);
    }
    sums_.tt += row_scale(i) * cross;
  }
}

// <L, X>
double RowStep::linear_form(const Vertex& vertex) const {
  double sum = 0;
  if (linear_.data == nullptr) return sum;
  for (Index i = 0; i < rows_; ++i) {
    const auto columns = vertex.columns_of(i);
    const double mass = objective_->weights[at(i)] / static_cast<double>(columns.size());
    for (const NodeId k : columns) sum += mass * linear_at(i, k);
  }
  return sum;
}

// <X, Y> for the Y of another plan.
double RowStep::gather_cross(const std::vector<double>& y, const Vertex& vertex) const {
  double sum = 0;
  for (Index i = 0; i < rows_; ++i) {
    const double mass = objective_->weights[at(i)] * row_scale(i);
    const NodeId k = vertex.column[at(i)];
    if (k != tied) {
      sum += mass * y[at(i * stride_) + k];
      continue;
    }
    const auto columns = vertex.columns_of(i);
    for (const NodeId c : columns) {
      sum += mass / static_cast<double>(columns.size()) * y[at(i * stride_) + c];
    }
  }
  return sum;
}

Line RowStep::direction() {
  linear_step();
  collect_changes();
  if (!has_direction_ || 3 * changed_rows() > rows_ || ++updates_ >= updates_before_rebuild) {
    products_.of_vertex(direction_, y_x_);
    updates_ = 0;
  } else if (!changed_.empty()) {
    products_.update(former_, direction_, changed_, y_x_);
  }
  has_direction_ = true;
  objective_->square_times(q_x_.data(), w_x_.data());
  sums_.xx = gather_cross(y_x_, direction_);

  // a = alpha (dq'S dq - 2 <D, Y_D>)
  double dq_dw = 0;
  for (std::size_t k = 0; k < q_.size(); ++k) dq_dw += (q_x_[k] - q_[k]) * (w_x_[k] - w_[k]);
  return {.a = objective_->alpha * dq_dw + sums_.curvature(objective_->alpha), .b = slope()};
}

// b = 2 alpha (q'S dq - 2 <D, Y_T>) + <L, D>
double RowStep::slope() const {
  double dq_w = 0;
  for (std::size_t k = 0; k < q_.size(); ++k) dq_w += (q_x_[k] - q_[k]) * w_[k];
  return 2 * objective_->alpha * dq_w + sums_.slope(objective_->alpha) +
         objective_->column_form(q_x_.data()) - objective_->column_form(q_.data());
}

double RowStep::gap() {
  linear_step();
  collect_changes();
  has_direction_ = false;  // the products of this direction are not made
  return std::max(0.0, -slope());
}

// Blends the last step into Y and takes the minimum of each row of the gradient, in one pass.
void RowStep::linear_step() {
  for (std::size_t k = 0; k < w_.size(); ++k) cost_[k] = objective_->column_cost(w_[k], k);
  std::swap(direction_, former_);
  RowPass pass;
  pass.stride = stride_;
  pass.cross = y_.data();
  pass.direction = y_x_.data();
  pass.step = pending_;
  pass.column_cost = cost_.data();
  pass.factor = 4 * objective_->alpha;
  pass.row_scale = products_.row_scale();
  pass.linear = linear_.data;
  pass.linear_stride = linear_.stride;
  pass.linear_factor = objective_->linear_factor;
  pass.weights = objective_->weights.data();
  pass.tie_tolerance = tie_tolerance_;
  pass.share_ties = options_.share_ties;
  pass.minimiser = direction_.column.data();
  parallel_for(block_count(rows_), options_.threads, [&](Index block, int) {
    block_ties_[at(block)].clear();
    block_sums_[at(block)] =
        row_pass(pass, block * block_rows, std::min(rows_, (block + 1) * block_rows),
                 block_ties_[at(block)]);
  });
  pending_ = 0;
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
  changed_.clear();
  std::fill(q_x_.begin(), q_x_.end(), 0.0);
  for (Index i = 0; i < rows_; ++i) {
    const double h = objective_->weights[at(i)];
    const NodeId k = direction_.column[at(i)];
    if (k != tied) {
      q_x_[k] += h;
    } else {
      const auto columns = direction_.columns_of(i);
      for (const NodeId c : columns) q_x_[c] += h / static_cast<double>(columns.size());
    }
    if (has_direction_ && !direction_.same_row(former_, i)) {
      changed_.push_back(static_cast<NodeId>(i));
    }
  }
  if (!has_direction_) {
    changed_.resize(at(rows_));
    std::iota(changed_.begin(), changed_.end(), NodeId{0});
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
  for (Index i = 0; i < rows_; ++i) {
    const double mass = gamma * objective_->weights[at(i)] / plan_scale_;
    const NodeId k = direction_.column[at(i)];
    if (k != tied) {
      plan_[at(i * columns_) + k] += mass;
      continue;
    }
    const auto columns = direction_.columns_of(i);
    for (const NodeId c : columns) {
      plan_[at(i * columns_) + c] += mass / static_cast<double>(columns.size());
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
  plan_.resize(at(rows_ * columns_));
  plan_scale_ = 1;
  for (Index i = 0; i < rows_; ++i) {
    const double h = objective_->weights[at(i)];
    double* row = plan_.data() + i * columns_;
    if (form_ == Form::product) {
      for (Index k = 0; k < columns_; ++k) row[k] = h * shares_[at(k)];
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
    const double mass = objective_->weights[at(i)] / static_cast<double>(columns.size());
    for (const NodeId k : columns) q_[k] += mass;
  }
  objective_->square_times(q_.data(), w_.data());
  sums_.tt = products_.vertex_form(vertex_);
  sums_.lt = linear_form(vertex_);
  return value();
}

Value RowStep::value() const {
  return {.quad = objective_->alpha * (objective_->kappa + dot(q_, w_) - 2 * sums_.tt),
          .linear = sums_.lt,
          .penalty = objective_->column_form(q_.data())};
}

void RowStep::refresh() {
  const auto rows = plan_rows();
  products_.of_rows(rows, columns_, y_);
  pending_ = 0;
  has_direction_ = false;  // its products have to be made anew
  std::fill(q_.begin(), q_.end(), 0.0);
  for (Index e = 0; e < rows_ * columns_; ++e) q_[at(e % columns_)] += rows[at(e)];
  start_sums();
}

std::span<const double> RowStep::plan_rows() {
  materialise_plan();
  // Rows sum to h up to rounding; the last bits are put right here.
  for (Index i = 0; i < rows_; ++i) {
    double* row = plan_.data() + i * columns_;
    const double h = objective_->weights[at(i)];
    const double sum = std::accumulate(row, row + columns_, 0.0);
    const double scale = sum > 0 ? h / sum : 0.0;
    for (Index k = 0; k < columns_; ++k) row[k] *= scale;
  }
  plan_scale_ = 1;
  return plan_;
}

}  // namespace srgw::detail
