// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <tuple>
#include <variant>
#include <vector>

#include "srgw/dictionary.hpp"
#include "srgw/fields.hpp"
#include "srgw/plan.hpp"
#include "srgw/run.hpp"
#include "srgw/samples.hpp"
#include "srgw/types.hpp"

// Other models of graphs, to compare dictionaries with: graph dictionary learning (GDL),
// Gromov-Wasserstein factorization (GWF) and k-means on graphs. All of them have learn(), embed(),
// save() and load().

namespace srgw {

/// The result of learning.
template <class Model>
struct LearnedBaseline {
  Model model;
  Embedding embedding;              ///< of the graphs it was learned from
  std::vector<double> losses = {};  ///< of each epoch: mean value of the graphs that were used
  int epochs = 0;
  Status status = Status::iteration_limit;
};

// ---- GDL: a graph is a mixture of atoms of one size

/// How a graph is unmixed: the shares w of the simplex and the plan T between given weights h and
/// hbar that minimise
///     alpha E(C, sum_s w_s B_s; T) + (1 - alpha) sum_ik |F_i - sum_s w_s X_s,k|^2 T_ik
///     - regularisation |w|^2.
/// Steps on T by conditional gradient and on w by conditional gradient over the simplex alternate,
/// from the product plan and equal shares (Vincent-Cuaz et al.: Online Graph Dictionary Learning,
/// 2021).
struct Unmixing {
  double alpha = 0.5;         ///< read where there are features
  double regularisation = 0;  ///< above 0 graphs are made of fewer atoms
  int max_turns = 20;
  double turn_tolerance = 1e-5;  ///< on the relative change of the value in a turn
  int max_steps = 200;           ///< of each conditional gradient
  double step_tolerance = 1e-5;  ///< on the relative change of the value in a step
};

constexpr auto fields(const Unmixing&) {
  using O = Unmixing;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"alpha", &O::alpha, 0, 1, "weight of the structure against the features"},
      Field{"regularisation", &O::regularisation, 0, inf, "weight of -|w|^2: fewer atoms"},
      Field{"max_turns", &O::max_turns, 1, 1e9, "turns of plan and shares at most"},
      Field{"turn_tolerance", &O::turn_tolerance, 0, inf, "relative change of a turn"},
      Field{"max_steps", &O::max_steps, 1, 1e9, "steps of conditional gradient in a turn"},
      Field{"step_tolerance", &O::step_tolerance, 0, inf, "relative change of a step"},
  };
}

struct LinearDictionary : AtomModel {
  Vector weights = {};     ///< hbar (m), of the nodes of every atom
  Unmixing unmixing = {};  ///< how graphs are unmixed

  /// m, the nodes of an atom.
  [[nodiscard]] Index size() const { return atoms.empty() ? 0 : atoms.front().size(); }
};

/// Throws unless atoms are finite and alike, and weights fit them.
void check(const LinearDictionary& dictionary);

/// The graph sum_s w_s (B_s, X_s).
[[nodiscard]] Atom mixture(const LinearDictionary& dictionary, VectorView shares);

/// The Gram matrix of the atoms (S x S): alpha <B_s o hbar hbar', B_t>
/// + (1 - alpha) sum_k hbar_k <X_s,k, X_t,k>. Distances of mixtures with the identity plan are
/// (w - v)'M (w - v).
[[nodiscard]] Matrix gram(const LinearDictionary& dictionary);
/// Rows w M^1/2, so that their distances are those of the mixtures.
[[nodiscard]] Matrix metric_rows(const LinearDictionary& dictionary, MatrixView shares);

struct Unmixed {
  Vector shares;  ///< w (S)
  Plan plan;      ///< T (n x m)
  double value = 0;
  int turns = 0;
  Status status = Status::iteration_limit;
};
/// Throws when the sample is malformed or not of the kind that the dictionary is for.
[[nodiscard]] Unmixed unmix(const LinearDictionary& dictionary, const Sample& sample);

/// The shares of all graphs, in parallel; the result does not depend on the threads. Errors name
/// the graph.
[[nodiscard]] Embedding embed(const LinearDictionary& dictionary, std::span<const Sample> samples,
                              const Run& run = {});

/// Where the atoms start.
enum class LinearStart {
  noise,   ///< normal entries, with mean and deviation of the mean entries of graphs (POT)
  graphs,  ///< graphs of the size of the atoms; with noise of their own entries where they repeat
};
constexpr auto names_of(LinearStart) {
  return std::array{Named{LinearStart::noise, "noise"}, Named{LinearStart::graphs, "graphs"}};
}

/// How the atoms follow the graphs: batches are drawn at random and unmixed, and the atoms make a
/// step with shares and plans held fixed.
struct LinearScheme {
  LinearStart start = LinearStart::graphs;
  int epochs = 20;
  int batch = 32;
  AdamSteps steps = {};
  bool adam = true;          ///< false: plain gradient steps
  bool symmetric = true;     ///< atoms are kept symmetric
  bool non_negative = true;  ///< and without entries below 0
  bool keep_best = true;     ///< the atoms after the epoch of the lowest loss, else the last ones
  /// Above 0: every `evaluate_every` epochs all graphs are embedded, and learning ends after so
  /// many evaluations without gain. The best epoch is then that of the best evaluation.
  int patience = 0;
  int evaluate_every = 5;
  /// The gradient of the authors' fused code, where alpha multiplies the first of its two terms
  /// only; to compare with published figures.
  bool alpha_once = false;
};

constexpr auto fields(const LinearScheme&) {
  using O = LinearScheme;
  return std::tuple{
      Field{"start", &O::start, 0, 1, "noise or graphs"},
      Field{"epochs", &O::epochs, 1, 1e9, "passes over the dataset"},
      Field{"batch", &O::batch, 1, 1e9, "graphs in a step"},
      Field{"steps", &O::steps, 0, 0, ""},
      Field{"adam", &O::adam, 0, 1, "whether steps are those of Adam"},
      Field{"symmetric", &O::symmetric, 0, 1, "whether atoms are kept symmetric"},
      Field{"non_negative", &O::non_negative, 0, 1, "whether entries are kept at 0 or above"},
      Field{"keep_best", &O::keep_best, 0, 1, "whether the best epoch is the result"},
      Field{"patience", &O::patience, 0, 1e9, "evaluations without gain until the end; 0: none"},
      Field{"evaluate_every", &O::evaluate_every, 1, 1e9, "epochs from evaluation to evaluation"},
      Field{"alpha_once", &O::alpha_once, 0, 1, "the authors' fused gradient, with its slip"},
  };
}

/// Learning a batch at a time. Keeps a view of the samples, which must outlive it unless they are
/// moved into it.
class LinearLearning {
 public:
  /// Starts from the atoms of the dictionary. Throws as embed() and learn() do.
  LinearLearning(std::span<const Sample> samples, LinearDictionary dictionary,
                 const LinearScheme& scheme = {}, const Run& run = {});
  LinearLearning(std::vector<Sample>&& samples, LinearDictionary dictionary,
                 const LinearScheme& scheme = {}, const Run& run = {});
  LinearLearning(LinearLearning&&) noexcept;
  LinearLearning& operator=(LinearLearning&&) noexcept;
  ~LinearLearning();

  /// Unmixes these graphs and makes one step; gives the sum of their values before it.
  double step(std::span<const std::size_t> batch);
  [[nodiscard]] const LinearDictionary& dictionary() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Learns `atoms` atoms of `size` nodes with equal weights. Entries below 0 are allowed where
/// structures have them. The observer hears of each epoch (iteration: epoch, value: loss).
[[nodiscard]] LearnedBaseline<LinearDictionary> learn(std::span<const Sample> samples,
                                                      const Unmixing& unmixing, Index atoms,
                                                      Index size, const LinearScheme& scheme = {},
                                                      const Run& run = {});

// ---- GWF: a graph is a barycenter of atoms of any sizes, whose nodes all weigh the same

/// How a graph is factored: with plans T_s from every atom to the graph, found by a few steps of
/// the proximal point method, the graph is compared node by node with the barycenter of the atoms
///     Bbar = sum_s w_s T_s'A_s T_s / (h h'),   Xbar = sum_s w_s T_s'X_s / h,
/// and the shares w of the simplex minimise
///     alpha sum_ij (C_ij - Bbar_ij)^2 h_i h_j + (1 - alpha) sum_i |F_i - Xbar_i|^2 h_i.
/// (Xu: Gromov-Wasserstein factorization models for graph clustering, 2020; there the shares are
/// learned as logits, here this convex problem is solved.)
struct Factoring {
  double alpha = 0.5;  ///< read where there are features
  double epsilon =
      0.1;  ///< of the proximal steps, in AtomModel::unit squared; twice the author's gamma
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

struct Factorization : AtomModel {
  Factoring factoring = {};  ///< how graphs are factored
};

/// Throws unless there are atoms, finite and with the same number of feature columns.
void check(const Factorization& model);

/// The shares of all graphs, in parallel; the result does not depend on the threads. Errors name
/// the graph.
[[nodiscard]] Embedding embed(const Factorization& model, std::span<const Sample> samples,
                              const Run& run = {});

/// How the atoms follow the graphs: steps of Adam on logits Z of the atoms, A = top / (1 + exp(-Z))
/// with `top` the largest entry of the graphs, plans and shares held fixed.
struct FactorScheme {
  int epochs = 10;
  int batch = 100;
  AdamSteps steps = {.learning_rate = 0.1, .second_decay = 0.999, .guard = 1e-8};
  int patience = 0, evaluate_every = 5;  ///< as in LinearScheme
};

constexpr auto fields(const FactorScheme&) {
  using O = FactorScheme;
  return std::tuple{
      Field{"epochs", &O::epochs, 1, 1e9, "passes over the dataset"},
      Field{"batch", &O::batch, 1, 1e9, "graphs in a step"},
      Field{"steps", &O::steps, 0, 0, ""},
      Field{"patience", &O::patience, 0, 1e9, "evaluations without gain until the end; 0: none"},
      Field{"evaluate_every", &O::evaluate_every, 1, 1e9, "epochs from evaluation to evaluation"},
  };
}

/// Learns `atoms` atoms of `size` nodes, or with size 0 of the sizes of the graphs that they start
/// from. The atoms after the epoch of the lowest loss are the result. Throws where structures have
/// entries below 0, which atoms cannot have.
[[nodiscard]] LearnedBaseline<Factorization> learn(std::span<const Sample> samples,
                                                   const Factoring& factoring, Index atoms,
                                                   Index size, const FactorScheme& scheme = {},
                                                   const Run& run = {});

// ---- k-means whose points are graphs, whose distance is GW (FGW with features) and whose means
// are barycenters

struct GraphKMeansOptions {
  int clusters = 2;
  int size = 0;              ///< nodes of the centres; 0: the median of the graphs
  double alpha = 0.5;        ///< read where there are features
  int max_rounds = 300;      ///< of assignment and means
  double tolerance = 1e-3;   ///< on the relative change of the loss in a round
  int seeding_graphs = 100;  ///< drawn at random, among which k-means++ looks for first centres
  int mean_turns = 100;      ///< of a barycenter
  double mean_tolerance = 1e-3;
};

constexpr auto fields(const GraphKMeansOptions&) {
  using O = GraphKMeansOptions;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"clusters", &O::clusters, 1, 1e9, "centres"},
      Field{"size", &O::size, 0, 1e6, "nodes of a centre; 0: the median of the graphs"},
      Field{"alpha", &O::alpha, 0, 1, "weight of the structure against the features"},
      Field{"max_rounds", &O::max_rounds, 1, 1e9, "rounds of assignment and means at most"},
      Field{"tolerance", &O::tolerance, 0, inf, "relative change of the loss in a round"},
      Field{"seeding_graphs", &O::seeding_graphs, 1, 1e9, "graphs that first centres come from"},
      Field{"mean_turns", &O::mean_turns, 1, 1e9, "turns of a barycenter at most"},
      Field{"mean_tolerance", &O::mean_tolerance, 0, inf, "relative change in such a turn"},
  };
}

/// Centres that graphs are compared with; the nodes of a centre all weigh the same.
struct GraphCentres : AtomModel {
  double alpha = 0.5;
};

/// Throws unless there are centres, finite and with the same number of feature columns.
void check(const GraphCentres& centres);

/// (F)GW values of graphs (rows) to centres as coordinates, and the smallest one of each graph as
/// its value; in parallel. Errors name the graph.
[[nodiscard]] Embedding embed(const GraphCentres& centres, std::span<const Sample> samples,
                              const Run& run = {});

/// An epoch is a round of assignment and means; losses are the inertia at each assignment.
struct GraphClusters : LearnedBaseline<GraphCentres> {
  Assignment labels;
  double inertia = 0;  ///< sum over the graphs of the value to their own centre
};

/// First centres by k-means++ on a random part of the graphs; then assignment and barycenters
/// alternate, a barycenter going on from the last one. A cluster that loses all graphs starts again
/// from the graph that fits worst in the largest one. The result does not depend on the threads.
[[nodiscard]] GraphClusters learn(std::span<const Sample> samples,
                                  const GraphKMeansOptions& options, const Run& run = {});

// ---- files

using AnyModel = std::variant<Dictionary, LinearDictionary, Factorization, GraphCentres>;

/// The model of a file, whichever it holds. Throws when it holds none.
[[nodiscard]] AnyModel load_model(const std::filesystem::path& path);

}  // namespace srgw
