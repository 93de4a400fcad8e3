// SPDX-License-Identifier: MIT
#include "dictionary/row_projector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "structure/storage.hpp"

namespace srgw::detail {

namespace {

constexpr Index most_entries = Index{1} << 18;  // of n x m arrays that stay in the cache
constexpr Index most_units = 64;
constexpr double largest_cost = 1e300;

// What Solver refuses is left to it.
bool is_distribution(const Vector& h) {
  double sum = 0;
  for (const double mass : h) {
    if (!(mass >= 0)) return false;
    sum += mass;
  }
  return std::abs(sum - 1) <= 1e-8;
}

// c where the row is e_c: features that are labels. By bits and without a branch but for each
// block, since which label comes next is nothing to expect.
std::optional<Index> unit_of(const double* row, Index columns) {
  constexpr auto one = std::bit_cast<std::uint64_t>(1.0);
  constexpr Index block = 8;
  Index unit = 0, ones = 0, others = 0;
  for (Index begin = 0; begin < columns && others == 0; begin += block) {
    const Index end = std::min(begin + block, columns);
    for (Index c = begin; c < end; ++c) {
      const auto bits = std::bit_cast<std::uint64_t>(row[c]);
      unit = bits == one ? c : unit;
      ones += bits == one ? 1 : 0;
      others += bits != one && bits != 0 ? 1 : 0;
    }
  }
  return ones == 1 && others == 0 ? std::optional(unit) : std::nullopt;
}

double sum_of(const double* row, Index columns) { return std::accumulate(row, row + columns, 0.0); }

}  // namespace

RowProjector::RowProjector(const Projection& projection, int threads)
    : alpha_(projection.alpha), workers_(threads) {
  const auto* method = std::get_if<ConditionalGradient>(&projection.method);
  allowed_ = method != nullptr && projection.sparsity == 0 && projection.entropy == 0;
  if (allowed_) tolerance_ = method->tolerance;
}

void RowProjector::set_atom(const Atom& atom) {
  columns_ = atom.size();
  features_transposed_ = atom.features.transpose();
  const Index d = atom.features.cols();
  const double alpha = d > 0 ? alpha_ : 1.0;
  by_rows_ =
      allowed_ && alpha > 0 && atom.structure.cwiseAbs().maxCoeff() <= largest_entry_to_square;
  if (!by_rows_) return;
  for (Worker& worker : workers_) worker.descent.set_target(atom.structure, alpha);
  stride_ = workers_.front().descent.stride();
  unit_costs_.clear();
  if (d > most_units) return;
  unit_costs_.resize(d * stride_);
  unit_sums_.resize(d);
  const Matrix units = Matrix::Identity(d, d);
  for (Index c = 0; c < d; ++c) {
    by_rows_ = by_rows_ && write_cost(units.data() + c * d, unit_costs_.data() + c * stride_);
    unit_sums_[c] = sum_of(unit_costs_.data() + c * stride_, columns_);
  }
}

// M_ik = |F_i - X_k|^2, all k at once. False: not all are numbers that a solver takes.
bool RowProjector::write_cost(const double* features, double* row) const {
  std::fill_n(row, stride_, 0.0);
  for (Index c = 0; c < features_transposed_.rows(); ++c) {
    const double* x = features_transposed_.data() + c * columns_;
    for (Index k = 0; k < columns_; ++k) row[k] += (features[c] - x[k]) * (features[c] - x[k]);
  }
  return *std::max_element(row, row + columns_) <= largest_cost;
}

bool RowProjector::fill_cost(const Matrix& features, Worker& worker) const {
  const Index n = features.rows(), d = features.cols();
  worker.cost.resize(n * stride_);
  worker.cost_rows.resize(n);
  worker.cost_sums.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double* f = features.data() + i * d;
    if (const auto unit = unit_costs_.empty() ? std::nullopt : unit_of(f, d)) {
      worker.cost_rows[i] = unit_costs_.data() + *unit * stride_;
      worker.cost_sums[i] = unit_sums_[*unit];
      continue;
    }
    double* row = worker.cost.data() + i * stride_;
    if (!write_cost(f, row)) return false;
    worker.cost_rows[i] = row;
    worker.cost_sums[i] = sum_of(row, columns_);
  }
  return true;
}

bool RowProjector::serves(const Sample& sample) const {
  const auto& [structure, h] = sample.source;
  return by_rows_ && structure.size() <= most_entries / columns_ && RowDescent::serves(structure) &&
         structure.largest_entry() <= largest_entry_to_square && is_distribution(h);
}

bool RowProjector::project(int worker, const Sample& sample) {
  Worker& own = workers_[worker];
  const bool attributed = features_transposed_.rows() > 0;
  if (!serves(sample) || (attributed && !fill_cost(sample.features, own))) return false;
  RowDescent::Graph graph{.structure = sample.source.structure, .weights = sample.source.weights};
  if (attributed) {
    graph.linear = own.cost_rows;
    graph.linear_sums = own.cost_sums;
  }
  own.descent.solve(graph, tolerance_);
  return true;
}

}  // namespace srgw::detail
