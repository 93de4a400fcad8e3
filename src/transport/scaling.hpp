// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "kernels/transport_pass.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Sinkhorn's scaling of exp(logits) to given row and column sums, in the log domain: a potential
/// for each row and column, and a kernel K = exp(row + column + logit) that is rebuilt from them
/// when the factors on top of it leave a safe range. Where rounding has emptied a row or column of
/// K, an iteration goes through logarithms of sums instead.
class Scaling {
 public:
  /// Masses >= 0 with equal sums. Forgets the potentials.
  void prepare(std::span<const double> row_masses, std::span<const double> column_masses,
               Index stride, int threads);
  /// How far columns may be from their masses, in all, relative to the whole mass.
  struct Limits {
    int iterations = 1000;
    double tolerance = 1e-9;
  };
  /// Goes on from the last column potentials. Logits are rows of `stride` numbers, -infinity in the
  /// padding. False: the iterations did not suffice.
  bool scale(const std::vector<double>& logits, const Limits& limits);

  /// Row i of the scaled array: rows sum to their masses, columns nearly.
  void write_plan(std::vector<double>& plan) const;
  [[nodiscard]] double row_potential(Index i) const { return rows_[i]; }
  [[nodiscard]] double column_potential(Index k) const { return columns_[k]; }
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  void scale_rows_by_logarithms(const std::vector<double>& logits);
  void scale_columns_by_logarithms(const std::vector<double>& logits);
  void build_kernel(const std::vector<double>& logits);
  [[nodiscard]] double scale_once();
  [[nodiscard]] bool safe() const;
  void absorb();
  [[nodiscard]] KernelRows kernel_rows(const std::vector<double>& logits);

  std::span<const double> row_masses_, column_masses_;
  Index n_ = 0, m_ = 0, stride_ = 0;
  int threads_ = 1;
  int iterations_ = 0;
  std::vector<double> rows_, columns_;  // potentials
  std::vector<double> kernel_;
  std::vector<double> u_, v_, next_v_;  // factors on top of the kernel
  std::vector<double> sums_, block_sums_;
};

/// Moves as little mass as needed to make rows and columns sum to their masses: what is too much is
/// scaled down, the rest is added as a product. Rows of `plan` begin every `stride` numbers.
/// Returns the mass that was moved.
double round_to_masses(std::span<const double> row_masses, std::span<const double> column_masses,
                       Index stride, std::vector<double>& plan);

}  // namespace srgw::detail
