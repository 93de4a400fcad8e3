// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "srgw/completion.hpp"
#include "srgw/io.hpp"

namespace srgw {

/// Regression trees whose sum is the logit of a probability.
struct Forest {
  Index columns = 0;  ///< numbers that a row has
  double offset = 0;  ///< the logit without trees
  std::vector<std::int32_t> roots = {};
  // Of each node of all trees: rows with row[column] <= threshold go to the child at `next`, others
  // to that behind it. At leaves the column is -1 and the value is added.
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

/// What probabilities rest on: graphs that were hidden in the same way, of which a part was kept
/// from the learner to see how far its probabilities can be trusted.
struct CompletionEvidence {
  double rate = 0;      ///< share of the nodes that was hidden
  Index graphs = 0;     ///< that were learned from
  Index half_seen = 0;  ///< times that one of them was hidden
  double brier = 0;     ///< mean squared error of probabilities on graphs kept aside
  /// For tenths of the probability: how many pairs had it, its mean, and the share that are edges
  /// (10 x 3), on graphs kept aside.
  Matrix reliability = Matrix::Zero(10, 3);
};

/// What was learned from graphs that were hidden in part: probabilities of edges by what is seen
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
/// each tree; once it returns false forests get no more of them.
[[nodiscard]] CompletionModel learn_completion(const Dictionary& dictionary,
                                               std::span<const Sample> samples,
                                               const CompletionTraining& training = {},
                                               const Run& run = {});

/// How a completion model answers.
struct LearnedCompletion {
  int draws = 60;  ///< completions drawn one hidden node after the other; the answer is near all
};
constexpr auto fields(const LearnedCompletion&) {
  return std::tuple{Field{"draws", &LearnedCompletion::draws, 1, 1e6,
                          "completions that the graph is closest to"}};
}

/// Probabilities for all free pairs, which are the same for all hidden nodes since these can be
/// exchanged; and one plausible graph, in which they differ. Throws as the other complete() does,
/// and when the graph is not symmetric.
[[nodiscard]] Completion complete(const Dictionary& dictionary, const CompletionModel& model,
                                  const PartialGraph& graph, const LearnedCompletion& method = {},
                                  const Run& run = {});

/// Adds the model to the archive of its dictionary, which reads as before without it.
void add_completion(const CompletionModel& model, io::Archive& archive);
/// Nothing when the dictionary was not trained for completion.
[[nodiscard]] std::optional<CompletionModel> completion_from(const io::Archive& archive);

}  // namespace srgw
