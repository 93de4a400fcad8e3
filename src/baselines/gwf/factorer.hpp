// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "srgw/baselines.hpp"
#include "srgw/solve.hpp"

namespace srgw::detail {

/// A graph with its plans from all atoms and its shares.
struct FactoredGraph {
  std::vector<Matrix> plans;       ///< T_s (m_s x n)
  std::vector<Matrix> structures;  ///< T_s'A_s T_s (n x n)
  std::vector<Matrix> features;    ///< T_s'X_s (n x d)
  Vector shares;
  double value = 0;
};

/// Factors graphs over one set of atoms after the other, with a workspace for each thread.
class Factorer {
 public:
  Factorer(const Factoring& factoring, int threads);

  void set_atoms(const std::vector<Atom>& atoms);
  [[nodiscard]] FactoredGraph factor(int worker, const Sample& sample);

  [[nodiscard]] int threads() const { return static_cast<int>(solvers_.size()); }

 private:
  Factoring factoring_;
  std::vector<Solver> solvers_;
  std::vector<Sample> sources_;  // the atoms with equal weights
  std::vector<Atom> atoms_;
};

/// Adds the gradients in the atoms of the value of a graph with plans and shares held fixed:
/// 2 alpha w_s T_s (Bbar - C) T_s' and 2 (1 - alpha) w_s T_s (Xbar - F).
void add_gradients(const Sample& sample, const FactoredGraph& factored, double alpha,
                   std::vector<Atom>& gradients);

}  // namespace srgw::detail
