// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernels/aligned.hpp"
#include "solve/row_descent.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Projects graphs on an atom by row descent, which is faster than the method of the dictionary and
/// mostly ends lower: where the problem has neither penalty nor entropy and the graph is small and
/// symmetric. A workspace for each thread: nothing is allocated for a graph once larger ones were
/// seen.
class RowProjector {
 public:
  RowProjector(const Projection& projection, int threads);

  void set_atom(const Atom& atom);
  /// False: the graph is not for row descent. Otherwise the answer is in descent(worker) until the
  /// next call of the same worker.
  bool project(int worker, const Sample& sample);
  [[nodiscard]] const RowDescent& descent(int worker) const { return workers_[worker].descent; }

 private:
  struct Worker {
    RowDescent descent;
    AlignedVector cost;                    // n x stride
    std::vector<const double*> cost_rows;  // in it, or in the costs of units
    std::vector<double> cost_sums;         // of these rows
  };

  [[nodiscard]] bool serves(const Sample& sample) const;
  bool fill_cost(const Matrix& features, Worker& worker) const;
  bool write_cost(const double* features, double* row) const;

  double alpha_;
  bool allowed_ = false, by_rows_ = false;
  double tolerance_ = 0;
  std::vector<Worker> workers_;
  Index columns_ = 0, stride_ = 0;
  Matrix features_transposed_;     // d x m
  AlignedVector unit_costs_;       // d x stride: of the features e_1, e_2, ...; empty: many
  std::vector<double> unit_sums_;  // of these rows
};

}  // namespace srgw::detail
