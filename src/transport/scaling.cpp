// SPDX-License-Identifier: MIT
#include "transport/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/row_blocks.hpp"
#include "transport/simplex.hpp"

namespace srgw::detail {

namespace {

constexpr double largest_factor = 1e60;

}  // namespace

void Scaling::prepare(std::span<const double> row_masses, std::span<const double> column_masses,
                      Index stride, int threads) {
  row_masses_ = row_masses;
  column_masses_ = column_masses;
  n_ = static_cast<Index>(row_masses.size());
  m_ = static_cast<Index>(column_masses.size());
  stride_ = stride;
  threads_ = threads;
  rows_.assign(n_, 0.0);
  columns_.assign(stride, 0.0);
  kernel_.assign(n_ * stride, 0.0);
  u_.assign(n_, 1.0);
  for (auto* row : {&v_, &next_v_, &sums_}) row->assign(stride, 0.0);
  block_sums_.assign(block_count(n_) * stride, 0.0);
}

bool Scaling::scale(const std::vector<double>& logits, const Limits& limits) {
  scale_rows_by_logarithms(logits);
  build_kernel(logits);
  for (iterations_ = 1;; ++iterations_) {
    const double error = scale_once();
    const bool lost = !(error < infinity);
    const bool last = error <= limits.tolerance || iterations_ >= limits.iterations;
    if (last && !lost) {
      absorb();
      return error <= limits.tolerance;
    }
    if (!lost) {
      std::swap(v_, next_v_);
      if (safe()) continue;
      absorb();
    } else {
      scale_columns_by_logarithms(logits);
      scale_rows_by_logarithms(logits);
    }
    build_kernel(logits);
    if (last) return false;
  }
}

// Scales rows, and makes next_v_ for the columns. How far the columns are from their masses before
// that, infinite where the kernel has lost a row or column.
double Scaling::scale_once() {
  std::ranges::fill(block_sums_, 0.0);
  for_each_block(n_, threads_, [&](Index block, Index begin, Index end, int) {
    scale_rows({.stride = stride_,
                .kernel = kernel_.data(),
                .masses = row_masses_.data(),
                .columns = v_.data(),
                .rows = u_.data(),
                .sums = block_sums_.data() + block * stride_},
               begin, end);
  });
  std::ranges::fill(sums_, 0.0);
  for (std::size_t e = 0; e < block_sums_.size(); ++e) sums_[e % sums_.size()] += block_sums_[e];
  double error = 0;
  for (Index k = 0; k < m_; ++k) {
    const double mass = column_masses_[k];
    if (mass == 0) continue;
    if (!(sums_[k] > 0)) return infinity;
    error += std::abs(sums_[k] * v_[k] - mass);
    next_v_[k] = mass / sums_[k];
  }
  for (const double u : u_) {
    if (!(u < infinity)) return infinity;
  }
  return std::isfinite(error) ? error : infinity;
}

bool Scaling::safe() const {
  const auto in_range = [](double x) {
    return x == 0 || (x < largest_factor && x > 1 / largest_factor);
  };
  return std::ranges::all_of(u_, in_range) && std::ranges::all_of(v_, in_range);
}

void Scaling::absorb() {
  for (Index i = 0; i < n_; ++i) {
    if (u_[i] > 0 && u_[i] < infinity) rows_[i] += std::log(u_[i]);
  }
  for (Index k = 0; k < m_; ++k) {
    if (v_[k] > 0 && v_[k] < infinity) columns_[k] += std::log(v_[k]);
  }
}

KernelRows Scaling::kernel_rows(const std::vector<double>& logits) {
  return {.stride = stride_,
          .logits = logits.data(),
          .rows = rows_.data(),
          .columns = columns_.data(),
          .kernel = kernel_.data()};
}

void Scaling::build_kernel(const std::vector<double>& logits) {
  const KernelRows kernel = kernel_rows(logits);
  for_each_block(n_, threads_, [&](Index, Index begin, Index end, int) {
    exponentiate_rows(kernel, begin, end);
  });
  std::ranges::fill(u_, 1.0);
  std::ranges::fill(v_, 0.0);
  for (Index k = 0; k < m_; ++k) v_[k] = column_masses_[k] > 0 ? 1.0 : 0.0;
}

// row_i = log a_i - log sum_k exp(column_k + logit_ik)
void Scaling::scale_rows_by_logarithms(const std::vector<double>& logits) {
  const KernelRows kernel = kernel_rows(logits);
  for_each_row(n_, threads_, [&](Index i) {
    if (row_masses_[i] == 0) return;
    const double* logit = logits.data() + i * stride_;
    double largest = -infinity;
    for (Index k = 0; k < m_; ++k) {
      if (column_masses_[k] > 0) largest = std::max(largest, columns_[k] + logit[k]);
    }
    if (!(largest > -infinity)) return;
    rows_[i] = -largest;
    exponentiate_rows(kernel, i, i + 1);
    double sum = 0;
    for (Index k = 0; k < m_; ++k) {
      if (column_masses_[k] > 0) sum += kernel_[i * stride_ + k];
    }
    rows_[i] += std::log(row_masses_[i] / sum);
  });
}

// column_k likewise. Rows keep their errors: this is one half of an iteration.
void Scaling::scale_columns_by_logarithms(const std::vector<double>& logits) {
  std::vector<double> largest(stride_, -infinity), sum(stride_, 0.0);
  for (Index i = 0; i < n_; ++i) {
    if (row_masses_[i] == 0) continue;
    for (Index k = 0; k < m_; ++k) {
      largest[k] = std::max(largest[k], rows_[i] + logits[i * stride_ + k]);
    }
  }
  for (Index i = 0; i < n_; ++i) {
    if (row_masses_[i] == 0) continue;
    for (Index k = 0; k < m_; ++k) {
      if (largest[k] > -infinity) {
        sum[k] += std::exp(rows_[i] + logits[i * stride_ + k] - largest[k]);
      }
    }
  }
  for (Index k = 0; k < m_; ++k) {
    const double mass = column_masses_[k];
    if (mass > 0 && sum[k] > 0) columns_[k] = std::log(mass / sum[k]) - largest[k];
  }
}

void Scaling::write_plan(std::vector<double>& plan) const {
  for (Index i = 0; i < n_; ++i) {
    for (Index k = 0; k < m_; ++k) {
      plan[i * stride_ + k] = u_[i] * kernel_[i * stride_ + k] * v_[k];
    }
  }
}

double round_to_masses(std::span<const double> row_masses, std::span<const double> column_masses,
                       Index stride, std::vector<double>& plan) {
  const auto n = static_cast<Index>(row_masses.size());
  const auto m = static_cast<Index>(column_masses.size());
  Eigen::Map<Matrix, 0, Eigen::OuterStride<>> T(plan.data(), n, m, Eigen::OuterStride<>(stride));
  for (Index i = 0; i < n; ++i) {
    const double sum = T.row(i).sum();
    if (sum > row_masses[i]) T.row(i) *= row_masses[i] / sum;
  }
  for (Index k = 0; k < m; ++k) {
    const double sum = T.col(k).sum();
    if (sum > column_masses[k]) T.col(k) *= column_masses[k] / sum;
  }
  const Vector a = Eigen::Map<const Vector>(row_masses.data(), n) - T.rowwise().sum();
  const Vector b =
      Eigen::Map<const Vector>(column_masses.data(), m) - T.colwise().sum().transpose();
  const double lacking = a.cwiseMax(0).sum();
  if (lacking > 0) T += a.cwiseMax(0) * b.cwiseMax(0).transpose() / lacking;
  return lacking;
}

}  // namespace srgw::detail
