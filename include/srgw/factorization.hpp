// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "srgw/dictionary.hpp"
#include "srgw/fields.hpp"
#include "srgw/io.hpp"
#include "srgw/run.hpp"
#include "srgw/samples.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// How a graph is factored: with plans T_s from every atom to the graph, found by a few steps of
/// the proximal point method, the graph is compared node by node with the barycenter of the atoms
///     Bbar = sum_s w_s T_s'A_s T_s / (h h'),   Xbar = sum_s w_s T_s'X_s / h,
/// and the shares w of the simplex minimise
///     alpha sum_ij (C_ij - Bbar_ij)^2 h_i h_j + (1 - alpha) sum_i |F_i - Xbar_i|^2 h_i.
/// (Xu: Gromov-Wasserstein factorization models for graph clustering, 2020; there the shares are
/// learned as logits, here this convex problem is solved.)
struct Factoring {
  double alpha = 0.5;     ///< read where there are features
  double epsilon = 0.1;   ///< of the proximal steps; twice the author's gamma
  int plan_steps = 30;    ///< proximal steps
  int scaling_steps = 5;  ///< of Sinkhorn in each of them
  int max_steps = 200;    ///< of conditional gradient on the shares
  double step_tolerance = 1e-7;
};

constexpr auto fields(const Factoring&) {
  using O = Factoring;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"alpha", &O::alpha, 0, 1, "weight of the structure against the features"},
      Field{"epsilon", &O::epsilon, 1e-300, 1e300, "inverse length of a proximal step"},
      Field{"plan_steps", &O::plan_steps, 1, 1e9, "proximal steps of a plan"},
      Field{"scaling_steps", &O::scaling_steps, 1, 1e9, "scalings in a proximal step"},
      Field{"max_steps", &O::max_steps, 1, 1e9, "steps of conditional gradient on the shares"},
      Field{"step_tolerance", &O::step_tolerance, 0, inf, "relative change of such a step"},
  };
}

/// Gromov-Wasserstein factorization (GWF): a graph is a barycenter of atoms, of any sizes, whose
/// nodes all weigh the same.
struct Factorization {
  std::vector<Atom> atoms = {};
  Factoring factoring = {};
  FeatureMap features = {};       ///< how features are made of a dataset
  std::string structure = {};     ///< what the structures are, in the words of the program
  std::string node_weights = {};  ///< the same of the weights

  /// d, the columns of features; 0: none.
  [[nodiscard]] Index columns() const { return atoms.empty() ? 0 : atoms.front().features.cols(); }
};

/// Throws unless there are atoms, finite and with the same number of feature columns.
void check(const Factorization& model);

struct Factored {
  Matrix shares;               ///< graphs x atoms
  std::vector<double> values;  ///< of each graph
  double mean_value = 0;
};
/// All graphs, in parallel; the result does not depend on the threads. Errors name the graph.
[[nodiscard]] Factored factor(const Factorization& model, std::span<const Sample> samples,
                              const Run& run = {});

/// How the atoms follow the graphs: steps of Adam on logits Z of the atoms, A = top / (1 + exp(-Z))
/// with `top` the largest entry of the graphs, plans and shares held fixed.
struct FactorScheme {
  int epochs = 10;
  int batch = 100;
  AdamSteps steps = {.learning_rate = 0.1, .second_decay = 0.999, .guard = 1e-8};
};

constexpr auto fields(const FactorScheme&) {
  using O = FactorScheme;
  return std::tuple{
      Field{"epochs", &O::epochs, 1, 1e9, "passes over the dataset"},
      Field{"batch", &O::batch, 1, 1e9, "graphs in a step"},
      Field{"steps", &O::steps, 0, 0, ""},
  };
}

struct LearnedFactorization {
  Factorization model;
  Factored factored;                ///< the graphs it was learned from
  std::vector<double> losses = {};  ///< mean value of the graphs in each epoch
  int epochs = 0;
  Status status = Status::iteration_limit;
};

/// Learns `atoms` atoms of `size` nodes, or with size 0 of the sizes of the graphs that they start
/// from. The atoms after the epoch of the lowest loss are the result. Throws where structures have
/// entries below 0, which atoms cannot have.
[[nodiscard]] LearnedFactorization learn_factorization(std::span<const Sample> samples, Index atoms,
                                                       Index size, const Factoring& factoring = {},
                                                       const FactorScheme& scheme = {},
                                                       const Run& run = {});

/// A model as named arrays with a header, and back. Throws when the archive is no such model.
[[nodiscard]] io::Archive to_archive(const Factorization& model);
[[nodiscard]] Factorization factorization_from(const io::Archive& archive);
void save(const Factorization& model, const std::filesystem::path& path);
[[nodiscard]] Factorization load_factorization(const std::filesystem::path& path);

}  // namespace srgw
