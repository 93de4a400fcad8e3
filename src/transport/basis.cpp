// SPDX-License-Identifier: MIT
#include "transport/basis.hpp"

#include <algorithm>
#include <limits>

namespace srgw::detail {

namespace {

std::vector<Index> above_zero(std::span<const double> masses) {
  std::vector<Index> result;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (masses[i] > 0) result.push_back(static_cast<Index>(i));
  }
  return result;
}

std::vector<double> select(std::span<const double> masses, const std::vector<Index>& chosen) {
  std::vector<double> result;
  result.reserve(chosen.size());
  for (const Index i : chosen) result.push_back(masses[i]);
  return result;
}

}  // namespace

void TransportBasis::set_masses(std::span<const double> row_masses,
                                std::span<const double> column_masses) {
  if (std::ranges::equal(row_masses, row_masses_) &&
      std::ranges::equal(column_masses, column_masses_)) {
    return;
  }
  row_masses_.assign(row_masses.begin(), row_masses.end());
  column_masses_.assign(column_masses.begin(), column_masses.end());
  rows_ = above_zero(row_masses);
  columns_ = above_zero(column_masses);
  turned_ = rows_.size() > columns_.size();
  const std::vector<double> a = select(row_masses, rows_), b = select(column_masses, columns_);
  simplex_.set_masses(turned_ ? b : a, turned_ ? a : b);
}

bool TransportBasis::solve(const double* cost, Index cost_stride, Index max_pivots) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double* from = cost + rows_[i] * cost_stride;
    if (!turned_) {
      double* to = simplex_.cost_row(static_cast<Index>(i));
      for (std::size_t k = 0; k < columns_.size(); ++k) to[k] = from[columns_[k]];
    } else {
      for (std::size_t k = 0; k < columns_.size(); ++k) {
        simplex_.cost_row(static_cast<Index>(k))[i] = from[columns_[k]];
      }
    }
  }
  const bool optimal = simplex_.solve(max_pivots);
  collect_flows();
  return optimal;
}

void TransportBasis::collect_flows() {
  flows_.clear();
  for (const auto& [row, column, mass] : simplex_.flows()) {
    flows_.push_back({.row = rows_[turned_ ? column : row],
                      .column = columns_[turned_ ? row : column],
                      .mass = mass});
  }
  std::ranges::sort(flows_, [](const Flow& x, const Flow& y) {
    return x.row != y.row ? x.row < y.row : x.column < y.column;
  });
}

void TransportBasis::potentials(const double* cost, Index cost_stride, Vector& rows,
                                Vector& columns) const {
  const auto n = static_cast<Index>(row_masses_.size());
  const auto m = static_cast<Index>(column_masses_.size());
  const auto v = turned_ ? simplex_.row_potentials() : simplex_.column_potentials();
  const auto u = turned_ ? simplex_.column_potentials() : simplex_.row_potentials();
  // Columns without mass take the highest potential that the rows with mass leave them; then each
  // row its own, which also takes away the rounding of the basis.
  columns = Vector::Constant(m, infinity);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double* c = cost + rows_[i] * cost_stride;
    for (Index k = 0; k < m; ++k) columns[k] = std::min(columns[k], c[k] - u[i]);
  }
  for (std::size_t k = 0; k < columns_.size(); ++k) columns[columns_[k]] = v[k];
  rows = Vector::Constant(n, infinity);
  for (Index i = 0; i < n; ++i) {
    const double* c = cost + i * cost_stride;
    for (Index k = 0; k < m; ++k) rows[i] = std::min(rows[i], c[k] - columns[k]);
  }
}

}  // namespace srgw::detail
