// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <variant>
#include <vector>

#include "srgw/baselines.hpp"
#include "srgw/dictionary.hpp"
#include "srgw/fields.hpp"
#include "srgw/io.hpp"
#include "srgw/run.hpp"
#include "srgw/samples.hpp"
#include "srgw/types.hpp"

namespace srgw {

// ---- completion by a dictionary alone

/// Which entries of a matrix are unknown: not 0 where they are.
using Mask = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A graph of which parts are unknown. Nodes have equal weights.
struct PartialGraph {
  Matrix structure;         ///< C (n x n); what stands at free entries is never read
  Mask free;                ///< n x n
  Matrix features = {};     ///< F (n x d); no columns: none
  Mask free_features = {};  ///< n x d; empty: all features are known

  [[nodiscard]] Index size() const { return structure.rows(); }
  /// Nodes with an entry that is known, their own aside, in ascending order.
  [[nodiscard]] std::vector<Index> seen() const;
  [[nodiscard]] std::vector<Index> hidden() const;  ///< the others
};

/// The seen graph comes first, the nodes behind it are hidden: all that is theirs is free.
[[nodiscard]] PartialGraph half_seen(MatrixView seen, Index nodes);
[[nodiscard]] PartialGraph half_seen(MatrixView seen, MatrixView seen_features, Index nodes);
/// Throws unless sizes fit, known numbers are finite and some pair of nodes is known.
void check(const PartialGraph& graph);

/// The free entries before the first step. Free features are drawn uniformly
/// from the range of the known ones.
enum class CompletionStart {
  noise,           ///< 1/2 with normal noise of deviation 0.01, and 0 on the diagonal
  degrees,         ///< with a seen node: its degree over the largest one; else 1/2
  noisy_degrees,   ///< the same with normal noise of deviation 0.01 (the paper, IMDB-B)
  shaken_degrees,  ///< with uniform noise up to a tenth of the least of these (the authors' code)
};
constexpr auto names_of(CompletionStart) {
  using S = CompletionStart;
  return std::array{Named{S::noise, "noise"}, Named{S::degrees, "degrees"},
                    Named{S::noisy_degrees, "noisy-degrees"},
                    Named{S::shaken_degrees, "shaken-degrees"}};
}

/// The scheme of the paper: the plan of the graph as it stands, then a step of Adam on its free
/// entries, kept at 0 or above. The lowest value that was seen is the answer.
struct ProjectedAdam {
  CompletionStart start = CompletionStart::noise;
  AdamSteps steps = {};
  int max_iterations = 5000;
  double tolerance = 1e-6;  ///< on the relative change of the value
  bool warm_plans = false;  ///< whether plans start from the last one or from the product
};
constexpr auto fields(const ProjectedAdam&) {
  using O = ProjectedAdam;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"start", &O::start, 0, 3, "noise, degrees, noisy_degrees or shaken_degrees"},
      Field{"steps", &O::steps, 0, 0, ""},
      Field{"max_iterations", &O::max_iterations, 1, 1e9, "steps at most"},
      Field{"tolerance", &O::tolerance, 0, inf, "on the relative change of the value"},
      Field{"warm_plans", &O::warm_plans, 0, 1, "whether plans start from the last one"},
  };
}

/// Plan and free entries take turns, each the best for the other: the value can only fall. The
/// first plan is the best one of the seen nodes alone, on which the least value rests; where plans
/// are not hard, a run from the plan of the filled graph may end lower and is the answer then.
struct Alternation {
  CompletionStart start = CompletionStart::degrees;
  int max_iterations = 100;
  double tolerance = 1e-9;  ///< on the relative change of the value
  /// Starts of the plan of the seen nodes, besides the product; where plans are hard, for each of
  /// them one descent of labels in vain, or six on sparse graphs, ends the search.
  int random_starts = 8;
};
constexpr auto fields(const Alternation&) {
  using O = Alternation;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"start", &O::start, 0, 3, "noise, degrees, noisy_degrees or shaken_degrees"},
      Field{"max_iterations", &O::max_iterations, 1, 1e9, "turns at most"},
      Field{"tolerance", &O::tolerance, 0, inf, "on the relative change of the value"},
      Field{"random_starts", &O::random_starts, 0, 1e6, "plans tried for the seen nodes"},
  };
}

using CompletionMethod = std::variant<Alternation, ProjectedAdam>;

struct Completion {
  /// C with its free entries filled. They are what the objective likes best, or with a model for
  /// completion one plausible graph: an edge where they are above half the unit.
  Matrix structure;
  double unit = 1;       ///< AtomModel::unit of the model
  Matrix features = {};  ///< the same of F
  /// Probability of an edge for each free pair; known entries as they are.
  Matrix probabilities = {};
  double value = 0;      ///< of the divergence from the completed graph to the atom
  std::size_t atom = 0;  ///< that was taken; 0 with mixtures
  int iterations = 0;
  Status status = Status::iteration_limit;
  std::vector<double> values = {};  ///< after each plan, of the run that was kept
};

/// Minimises alpha E(C, B; T) + (1 - alpha) sum |F_i - X_k|^2 T_ik + penalties of the projection
/// over the plan and the free entries; of several atoms the one with the lowest value. Hidden nodes
/// are not identified by this: the value is the same whatever roles they take, and the start
/// decides. Throws when the graph is malformed or not of the kind of the dictionary.
[[nodiscard]] Completion complete(const Dictionary& dictionary, const PartialGraph& graph,
                                  const CompletionMethod& method = Alternation{},
                                  const Run& run = {});
/// Completes with the mixture of atoms that fits best: shares, plan and free entries.
[[nodiscard]] Completion complete(const LinearDictionary& dictionary, const PartialGraph& graph,
                                  const CompletionMethod& method = Alternation{},
                                  const Run& run = {});

// ---- completion learned from graphs that were hidden in part

/// Regression trees whose sum is the logit of a probability.
struct Forest {
  Index columns = 0;  ///< numbers that a row has
  double offset = 0;  ///< the logit without trees
  std::vector<std::int32_t> roots = {};
  // A number for each node of all trees: rows with row[column] <= threshold go to the child at
  // `next`, others to that behind it. At leaves the column is -1 and the value is added.
  std::vector<std::int32_t> column = {}, next = {};
  std::vector<double> threshold = {}, value = {};
};

/// How often seen nodes of an environment were tied to hidden ones. An environment is a node with
/// all that is seen up to some distance, as a number.
struct EnvironmentMemory {
  std::vector<std::uint64_t> codes = {};  ///< ascending
  std::vector<double> ties = {};          ///< with hidden nodes
  std::vector<double> pairs = {};         ///< of which these are the ties
};

/// The evidence for probabilities: graphs that were hidden in the same way, of which a part was
/// kept from the learner to see how far its probabilities can be trusted.
struct CompletionEvidence {
  double rate = 0;      ///< share of the nodes that was hidden
  Index graphs = 0;     ///< that were learned from
  Index half_seen = 0;  ///< times that one of them was hidden
  double brier = 0;     ///< mean squared error of probabilities on graphs kept aside
  /// For tenths of the probability: how many pairs had it, its mean, and the share that are edges
  /// (10 x 3), on graphs kept aside.
  Matrix reliability = Matrix::Zero(10, 3);
};

/// The result of learning from graphs hidden in part: probabilities of edges by what is seen
/// around nodes, their roles on the atom included.
struct CompletionModel {
  EnvironmentMemory memory = {};
  Forest hidden_edges = {};  ///< from a seen node to a hidden one
  Forest anchored_edges =
      {};                    ///< from a seen node to a hidden one that another seen node is tied to
  Forest hidden_pairs = {};  ///< between two hidden nodes
  Forest links = {};         ///< between two seen nodes whose entry is free
  Matrix feature_weights = {};  ///< features of a node from its degree and its neighbours
  bool one_hot = false;         ///< features are a 1 among zeros
  CompletionEvidence evidence = {};
};

struct CompletionTraining {
  double rate = 0.1;      ///< share of the nodes to hide; one at least
  int half_seen = 21600;  ///< graphs to learn from; each is hidden as often as that takes
  int most_of_one = 24;   ///< but not more often than this
  int rounds = 500;       ///< trees at most; graphs kept aside say how many
  double learning_rate = 0.05;
  int leaves = 12;
};
constexpr auto fields(const CompletionTraining&) {
  using O = CompletionTraining;
  return std::tuple{
      Field{"rate", &O::rate, 1e-9, 0.9, "share of the nodes to hide"},
      Field{"half_seen", &O::half_seen, 1, 1e9, "half-seen graphs to learn from"},
      Field{"most_of_one", &O::most_of_one, 1, 1e6, "times that a graph is hidden at most"},
      Field{"rounds", &O::rounds, 1, 1e6, "trees at most"},
      Field{"learning_rate", &O::learning_rate, 1e-9, 1, "share of a tree that is taken"},
      Field{"leaves", &O::leaves, 2, 1e4, "of a tree at most"},
  };
}

/// Hides nodes of the samples at random and learns what was there from what is left. Structures
/// must be symmetric; an edge is an entry that is not 0. Throws when they are not, when no graph
/// has three nodes, and when samples are not of the kind of the dictionary. The observer hears of
/// each tree. There is no result before the end: a run that is stopped throws an Error of kind
/// `stopped`.
[[nodiscard]] CompletionModel learn_completion(const Dictionary& dictionary,
                                               std::span<const Sample> samples,
                                               const CompletionTraining& training = {},
                                               const Run& run = {});

/// How a completion model answers.
struct LearnedCompletionOptions {
  int draws = 60;  ///< completions drawn one hidden node after the other; the answer is near all
};
constexpr auto fields(const LearnedCompletionOptions&) {
  return std::tuple{Field{"draws", &LearnedCompletionOptions::draws, 1, 1e6,
                          "completions that the graph is closest to"}};
}

/// Probabilities for all free pairs, which are the same for all hidden nodes since these can be
/// exchanged; and one plausible graph, in which they differ. Throws as the other complete() does,
/// and when the graph is not symmetric.
[[nodiscard]] Completion complete(const Dictionary& dictionary, const CompletionModel& model,
                                  const PartialGraph& graph,
                                  const LearnedCompletionOptions& method = {}, const Run& run = {});

/// Adds the model to the archive of its dictionary, which reads as before without it.
void add_completion(const CompletionModel& model, io::Archive& archive);
/// Nothing when the dictionary was not trained for completion.
[[nodiscard]] std::optional<CompletionModel> completion_from(const io::Archive& archive);

// ---- scores

/// How a completion compares with the whole graph. Pairs are the free ones, each once where the
/// graph is undirected, without the diagonal.
struct CompletionScores {
  double accuracy_raw = 0;      ///< of probabilities above the threshold, nodes as they are
  double accuracy_aligned = 0;  ///< of the completed graph, its hidden nodes in the best order
  /// As the authors' code has it: the completed graph is moved onto the true one by
  /// balanced GW first, so that almost anything scores high.
  double accuracy_coded = 0;
  /// Scores of the probabilities; nothing where all pairs are edges or none is.
  std::optional<double> auc = {}, average_precision = {};
  double brier = 0;  ///< mean squared error of the probabilities
  /// |edges of the completed graph - true ones| among the free pairs, over the true ones (or 1).
  double edge_count_error = 0;
  double degree_error = 0;  ///< mean |difference| of sorted degrees of the whole graph
  /// Mean squared error of free features as they are, and once moved onto the true graph as for
  /// accuracy_coded; nothing without free features.
  std::optional<double> feature_error = {}, feature_error_coded = {};
};

/// Throws when the truth is not of the size of the graph. An edge is an entry that is not 0.
[[nodiscard]] CompletionScores score(const PartialGraph& graph, const Completion& completion,
                                     MatrixView truth, MatrixView true_features,
                                     double threshold = 0.5);

}  // namespace srgw
