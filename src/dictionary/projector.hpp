// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Projects graphs on one atom after the other, with a workspace for each thread: nothing is
/// allocated for a graph once larger ones were seen.
class Projector {
 public:
  Projector(const Projection& projection, int threads);

  void set_atom(const Atom& atom);
  /// From a plan, or the product where it is null. The answer stays valid until the next call of
  /// the same worker.
  const Solution& solve(int worker, const Sample& sample, const Plan* start = nullptr);
  /// As solve() from this start, where it is not null, and from the product and random labels of
  /// the stream, as many as are asked for; the best of them, the first of equals.
  struct Tries {
    const Plan* warm = nullptr;
    bool product = true;
    int random = 0;
    std::uint64_t seed = 0, item = 0;
  };
  Solution best(int worker, const Sample& sample, const Tries& tries);

  /// h_i e_i where e_i is what node i adds to the value of a plan, without penalties.
  [[nodiscard]] Vector node_losses(const Sample& sample, const Plan& plan) const;

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()); }

 private:
  struct Worker {
    Solver solver;
    std::vector<double> cost;
  };

  [[nodiscard]] Problem problem(const Sample& sample, std::vector<double>& cost) const;

  Projection projection_;
  std::vector<Worker> workers_;
  std::optional<Structure> structure_;
  Matrix features_transposed_;  // d x m
};

}  // namespace srgw::detail
