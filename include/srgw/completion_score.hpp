// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "srgw/completion.hpp"

namespace srgw {

/// How a completion compares with the whole graph. Pairs are the free ones, each once where the
/// graph is undirected, without the diagonal.
struct CompletionScores {
  double accuracy_raw = 0;      ///< of probabilities above the threshold, nodes as they are
  double accuracy_aligned = 0;  ///< of the completed graph, its hidden nodes in the best order
  /// As the authors' code has it (spec 7.8): the completed graph is moved onto the true one by
  /// balanced GW first, so that almost anything scores high.
  double accuracy_coded = 0;
  /// Of the probabilities; nothing where all pairs are edges or none is.
  std::optional<double> auc = {}, average_precision = {};
  double brier = 0;  ///< mean squared error of the probabilities
  /// |edges of the completed graph - true ones| among the free pairs, over the true ones (or 1).
  double edge_count_error = 0;
  double degree_error = 0;  ///< mean |difference| of sorted degrees of the whole graph
  /// Of free features: mean squared error as they are, and once moved onto the true graph as for
  /// accuracy_coded; nothing without free features.
  std::optional<double> feature_error = {}, feature_error_coded = {};
};

/// Throws when the truth is not of the size of the graph. An edge is an entry that is not 0.
[[nodiscard]] CompletionScores score(const PartialGraph& graph, const Completion& completion,
                                     MatrixView truth, MatrixView true_features,
                                     double threshold = 0.5);

}  // namespace srgw
