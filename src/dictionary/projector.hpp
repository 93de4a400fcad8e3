// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "dictionary/row_projector.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Projects graphs on one atom after the other, with a workspace for each thread: nothing is
/// allocated for a graph once larger ones were seen.
class Projector {
 public:
  /// With `rows` by row descent, too.
  Projector(const Projection& projection, int threads, bool rows = false);

  void set_atom(const Atom& atom);
  /// From a plan, or the product where it is null. The answer stays valid until the next call of
  /// the same worker.
  const Solution& solve(int number, const Sample& sample, const Plan* start = nullptr);
  /// From the product by row descent. Null: without rows, or where that does not serve.
  const RowDescent* descend(int worker, const Sample& sample);
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

  /// h_i e_i where e_i is what node i adds to the value of a plan, without penalties.
  [[nodiscard]] Vector node_losses(const Sample& sample, const Plan& plan) const;

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()); }

 private:
  /// Solver and target are made with the first problem that needs them: row descent needs neither.
  struct Worker {
    std::optional<Solver> solver = {};
    std::optional<Structure> target = {};
    std::vector<double> cost = {};
  };

  static Solution solution_of(const RowDescent& descent, const Sample& sample);
  Worker& worker(int number);
  [[nodiscard]] Problem problem(const Sample& sample, const Structure& target,
                                std::vector<double>& cost) const;

  Projection projection_;
  std::vector<Worker> workers_;
  std::optional<RowProjector> rows_;
  Matrix structure_;            // of the atom
  Matrix features_transposed_;  // d x m
};

}  // namespace srgw::detail
