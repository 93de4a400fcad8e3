// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "dictionary/projector.hpp"
#include "kernels/aligned.hpp"
#include "solvers/row_descent.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Projects graphs that are seen once: by row descent, which is faster than the method of the
/// dictionary and mostly ends lower, where the problem has neither penalty nor entropy and the
/// graph is small and symmetric; by the method from the product otherwise. A workspace for each
/// thread: nothing is allocated for a graph once larger ones were seen.
class Embedder {
 public:
  /// Without `rows` by the method alone.
  Embedder(const Projection& projection, bool rows, int threads);

  void set_atom(const Atom& atom);

  struct Starts {
    /// With some, the method of the dictionary is tried besides, from the product and from so many
    /// random labels.
    int random = 0;
    std::uint64_t seed = 0, item = 0;
  };
  struct Projected {
    double value = 0;
    Vector weights;  ///< of the target
  };
  /// The lowest value, the first of equals. Valid until the next call of the same worker.
  const Projected& embed(int worker, const Sample& sample, const Starts& starts);

 private:
  struct Worker {
    RowDescent descent;
    AlignedVector cost;                    // n x stride
    std::vector<const double*> cost_rows;  // in it, or in the costs of units
    Projected found;
  };

  [[nodiscard]] bool serves(const Sample& sample) const;
  bool project_by_rows(const Sample& sample, Worker& own) const;
  bool fill_cost(const Matrix& features, Worker& worker) const;
  bool write_cost(const double* features, double* row) const;

  Projection projection_;
  Projector projector_;
  std::vector<Worker> workers_;
  bool rows_allowed_ = false, by_rows_ = false;
  double tolerance_ = 0;
  Index columns_ = 0, stride_ = 0;
  Matrix features_transposed_;  // d x m
  AlignedVector unit_costs_;    // d x stride: of the features e_1, e_2, ...; empty: many
};

}  // namespace srgw::detail
