// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kernels/aligned.hpp"
#include "solve/row_descent.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Projects graphs on one atom after the other, with the method of the dictionary or by row
/// descent. Row descent is faster and mostly ends lower, but only serves small symmetric graphs and
/// problems without penalty and entropy. Each thread has its workspace: nothing is allocated for a
/// graph once larger ones were seen.
class Projector {
 public:
  /// With `rows` by row descent, too.
  Projector(const Projection& projection, int threads, bool rows = false);

  /// Features that are labels are rows of zeros and this number; for speed alone.
  void set_one(double one) { one_ = one; }
  void set_atom(const Atom& atom);
  /// From a plan, or the product where it is null. The answer stays valid until the next call of
  /// the same worker.
  const Solution& solve(int number, const Sample& sample, const Plan* start = nullptr);
  /// From the product by row descent. Null: without rows, or where that does not serve. The answer
  /// stays valid until the next call of the same worker.
  const RowDescent* descend(int number, const Sample& sample);
  /// As solve() from this start, where it is not null, by row descent, from the product, and from
  /// random labels of the stream, as many as are asked for; the best of them, the first of equals.
  struct Tries {
    const Plan* warm = nullptr;
    bool rows = false;  ///< instead of the product where that serves
    bool product = true;
    int random = 0;
    std::uint64_t seed = 0, item = 0;
  };
  Solution best(int number, const Sample& sample, const Tries& tries);

  /// The value of a plan as it is.
  [[nodiscard]] double value(int number, const Sample& sample, const Plan& plan);

  /// h_i e_i where e_i is what node i adds to the value of a plan, without penalties.
  [[nodiscard]] Vector node_losses(const Sample& sample, const Plan& plan) const;

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()); }

 private:
  /// Solver and target are made with the first problem that needs them: row descent needs neither.
  struct Worker {
    std::optional<Solver> solver = {};
    std::optional<Structure> target = {};
    std::vector<double> cost = {};
    // Buffers of row descent:
    RowDescent descent = {};
    AlignedVector padded_cost = {};             // n x stride
    std::vector<const double*> cost_rows = {};  // in it, or in the costs of units
    std::vector<double> cost_sums = {};         // of these rows
  };

  static Solution solution_of(const RowDescent& descent, const Sample& sample);
  Worker& worker(int number);
  [[nodiscard]] Problem problem(const Sample& sample, const Structure& target,
                                std::vector<double>& cost) const;
  void write_cost(const double* features, double* row) const;
  void prepare_descents();
  bool write_padded_cost(const double* features, double* row) const;
  bool fill_padded_cost(const Matrix& features, Worker& worker) const;
  [[nodiscard]] bool descent_serves(const Sample& sample) const;

  Projection projection_;
  std::vector<Worker> workers_;
  Matrix structure_;            // of the atom
  Matrix features_transposed_;  // d x m

  bool allow_rows_, by_rows_ = false;  // for the projection, and for the atom
  Index stride_ = 0;
  double one_ = 1;
  AlignedVector unit_costs_;       // d x stride: of the features one e_1, one e_2, ...; empty: many
  std::vector<double> unit_sums_;  // of these rows
};

}  // namespace srgw::detail
