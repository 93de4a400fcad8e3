// SPDX-License-Identifier: MIT
#include "solve/direction_products.hpp"

#include "base/row_blocks.hpp"

namespace srgw::detail {

namespace {

constexpr int updates_before_rebuild = 64;  // of sums that round

}  // namespace

void DirectionProducts::prepare(CrossProducts& products, const Objective& objective, Index stride,
                                int threads) {
  products_ = &products;
  objective_ = &objective;
  rows_ = objective.rows();
  stride_ = stride;
  threads_ = threads;
  known_ = counted_ = false;
  counting_ = products.counting();
  if (!counting_) return;
  const Index lanes = count_lanes();
  const Index padded = (objective.columns() + lanes - 1) / lanes * lanes;
  if (padded != count_stride_) {
    count_stride_ = padded;
    count_units_ = count_units(padded);
  }
  unit_.assign(stride, 0.0);
  for (Index k = 0; k < objective.columns(); ++k) {
    unit_[k] = counting_->mass * objective.cross_diagonal[k];
  }
}

void DirectionProducts::rebuild(const Vertex& to) {
  counted_ = counting_ && to.ties.rows.empty();  // shares of a row are no whole numbers
  if (counted_) {
    counts_.resize(rows_ * count_stride_);
    count(to);
  } else {
    y_.resize(rows_ * stride_);
    products_->of_vertex(to, y_);
  }
  known_ = true;
  updates_ = 0;
}

void DirectionProducts::follow(const Vertex& from, const Vertex& to,
                               std::span<const NodeId> changed) {
  const bool countable = counting_ && to.ties.rows.empty();
  const std::size_t most = rows_ / (countable ? 2 : 3);
  if (!known_ || countable != counted_ || changed.size() > most ||
      (!counted_ && ++updates_ >= updates_before_rebuild)) {
    rebuild(to);
  } else if (counted_) {
    count_changes(from, to, changed);
  } else if (!changed.empty()) {
    products_->update(from, to, changed, y_);
  }
}

void DirectionProducts::count(const Vertex& to) {
  const NeighbourCounts task{.source = counting_->source,
                             .labels = to.column.data(),
                             .stride = count_stride_,
                             .units = count_units_.data(),
                             .counts = counts_.data()};
  for_each_block(rows_, threads_,
                 [&](Index, Index begin, Index end, int) { count_neighbours(task, begin, end); });
}

void DirectionProducts::count_changes(const Vertex& from, const Vertex& to,
                                      std::span<const NodeId> changed) {
  const std::size_t stride = count_stride_;
  for (const NodeId j : changed) {
    const NodeId former = from.column[j];
    const NodeId next = to.column[j];
    for (const NodeId i : counting_->source.sparse_row(j).columns) {
      std::uint16_t* row = counts_.data() + i * stride;
      --row[former];
      ++row[next];
    }
  }
}

double DirectionProducts::at(Index i, Index k) const {
  if (!counted_) return y_[i * stride_ + k];
  return unit_[k] * counts_[i * count_stride_ + k];
}

double DirectionProducts::form(const Vertex& vertex) const {
  const std::size_t stride = counted_ ? count_stride_ : stride_;
  const double* scale = products_->row_scale();
  const auto mass = [&](std::size_t i) {
    return objective_->weights[i] * (scale != nullptr ? scale[i] : 1.0);
  };
  if (counted_) {
    return sum_over(vertex, mass,
                    [&](std::size_t i, NodeId k) { return unit_[k] * counts_[i * stride + k]; });
  }
  return sum_over(vertex, mass, [&](std::size_t i, NodeId k) { return y_[i * stride + k]; });
}

void DirectionProducts::show(double step, RowPass& pass) {
  pass.step = step;
  pass.direction = counted_ ? nullptr : y_.data();
  pass.counts = counted_ ? counts_.data() : nullptr;
  if (!counted_) return;
  step_unit_ = unit_;
  for (double& unit : step_unit_) unit *= step;
  pass.count_stride = count_stride_;
  pass.unit = step_unit_.data();
}

void DirectionProducts::blend(double step, std::vector<double>& y) const {
  for (Index i = 0; i < rows_; ++i) {
    for (Index k = 0; k < stride_; ++k) {
      double& entry = y[i * stride_ + k];
      entry = (1 - step) * entry + step * at(i, k);
    }
  }
}

}  // namespace srgw::detail
