// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "srgw/dictionary.hpp"
#include "srgw/fields.hpp"
#include "srgw/io.hpp"
#include "srgw/plan.hpp"
#include "srgw/run.hpp"
#include "srgw/samples.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// How a graph is unmixed: the shares w of the simplex and the plan T between given weights h and
/// hbar that minimise
///     alpha E(C, sum_s w_s B_s; T) + (1 - alpha) sum_ik |F_i - sum_s w_s X_s,k|^2 T_ik
///     - regularisation |w|^2.
/// T by conditional gradient from the last one and w by conditional gradient over the simplex take
/// turns, from the product plan and equal shares (Vincent-Cuaz et al.: Online Graph Dictionary
/// Learning, 2021).
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

/// Graph dictionary learning (GDL): a graph is a mixture of atoms of one size.
struct LinearDictionary {
  std::vector<Atom> atoms = {};   ///< S of them, m nodes each
  Vector weights = {};            ///< hbar (m), of the nodes of every atom
  Unmixing unmixing = {};         ///< how graphs are unmixed
  FeatureMap features = {};       ///< how features are made of a dataset
  std::string structure = {};     ///< what the structures are, in the words of the program
  std::string node_weights = {};  ///< the same of the weights

  [[nodiscard]] Index size() const { return atoms.empty() ? 0 : atoms.front().size(); }
  /// d, the columns of features; 0: none.
  [[nodiscard]] Index columns() const { return atoms.empty() ? 0 : atoms.front().features.cols(); }
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

struct UnmixedSet {
  Matrix shares;               ///< graphs x S
  std::vector<double> values;  ///< of each graph
  double mean_value = 0;
};
/// All graphs, in parallel; the result does not depend on the threads. Errors name the graph.
[[nodiscard]] UnmixedSet unmix(const LinearDictionary& dictionary, std::span<const Sample> samples,
                               const Run& run = {});

/// Where the atoms start.
enum class LinearStart {
  noise,   ///< normal entries, with mean and deviation of the mean entries of graphs (POT)
  graphs,  ///< graphs of the size of the atoms; with noise of their own entries where they repeat
};

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
  /// The gradient of the authors' fused code, where alpha multiplies the first of its two terms
  /// only; to compare with published figures.
  bool alpha_once = false;
};

constexpr auto fields(const LinearScheme&) {
  using O = LinearScheme;
  return std::tuple{
      Field{"start", &O::start, 0, 0, "noise or graphs"},
      Field{"epochs", &O::epochs, 1, 1e9, "passes over the dataset"},
      Field{"batch", &O::batch, 1, 1e9, "graphs in a step"},
      Field{"steps", &O::steps, 0, 0, ""},
      Field{"adam", &O::adam, 0, 1, "whether steps are those of Adam"},
      Field{"symmetric", &O::symmetric, 0, 1, "whether atoms are kept symmetric"},
      Field{"non_negative", &O::non_negative, 0, 1, "whether entries are kept at 0 or above"},
      Field{"keep_best", &O::keep_best, 0, 1, "whether the best epoch is the result"},
      Field{"alpha_once", &O::alpha_once, 0, 1, "the authors' fused gradient, with its slip"},
  };
}

/// Learning a batch at a time. Looks at the samples, which must outlive it.
class LinearLearning {
 public:
  /// Starts from the atoms of the dictionary. Throws as `unmix` and `learn` do.
  LinearLearning(std::span<const Sample> samples, LinearDictionary dictionary,
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

struct LearnedLinear {
  LinearDictionary dictionary;
  UnmixedSet unmixed;               ///< the graphs it was learned from
  std::vector<double> losses = {};  ///< mean value of the graphs unmixed in each epoch
  int epochs = 0;
  Status status = Status::iteration_limit;
};

/// Learns `atoms` atoms of `size` nodes with equal weights. Entries below 0 are allowed where
/// structures have them. The observer hears of each epoch (iteration: epoch, value: loss).
[[nodiscard]] LearnedLinear learn_linear(std::span<const Sample> samples, Index atoms, Index size,
                                         const Unmixing& unmixing = {},
                                         const LinearScheme& scheme = {}, const Run& run = {});

/// A model as named arrays with a header, and back. Throws when the archive is no such model.
[[nodiscard]] io::Archive to_archive(const LinearDictionary& dictionary);
[[nodiscard]] LinearDictionary linear_dictionary_from(const io::Archive& archive);
void save(const LinearDictionary& dictionary, const std::filesystem::path& path);
[[nodiscard]] LinearDictionary load_linear_dictionary(const std::filesystem::path& path);

}  // namespace srgw
