// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include "srgw/dictionary.hpp"
#include "srgw/fields.hpp"
#include "srgw/linear_dictionary.hpp"
#include "srgw/run.hpp"
#include "srgw/types.hpp"

namespace srgw {

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
};

/// The seen graph comes first, the nodes behind it are hidden: all that is theirs is free.
[[nodiscard]] PartialGraph half_seen(MatrixView seen, Index nodes);
[[nodiscard]] PartialGraph half_seen(MatrixView seen, MatrixView seen_features, Index nodes);
/// Throws unless sizes fit, known numbers are finite and some pair of nodes is known.
void check(const PartialGraph& graph);

/// What stands at free entries before the first step (spec 7.4). Free features are drawn uniformly
/// from the range of the known ones.
enum class CompletionStart {
  noise,           ///< 1/2 with normal noise of deviation 0.01, and 0 on the diagonal
  degrees,         ///< with a seen node: its degree over the largest one; else 1/2
  noisy_degrees,   ///< the same with normal noise of deviation 0.01 (the paper, IMDB-B)
  shaken_degrees,  ///< with uniform noise up to a tenth of the least of these (the authors' code)
};
struct CompletionStartName {
  CompletionStart start;
  std::string_view name;
  std::string_view doc;
};
[[nodiscard]] std::span<const CompletionStartName> completion_start_names();
/// Throws an argument error that lists the names.
[[nodiscard]] CompletionStart completion_start_from_name(std::string_view name);

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
      Field{"start", &O::start, 0, 0, "noise, degrees, noisy_degrees or shaken_degrees"},
      Field{"steps", &O::steps, 0, 0, ""},
      Field{"max_iterations", &O::max_iterations, 1, 1e9, "steps at most"},
      Field{"tolerance", &O::tolerance, 0, inf, "on the relative change of the value"},
      Field{"warm_plans", &O::warm_plans, 0, 1, "whether plans start from the last one"},
  };
}

/// Plan and free entries take turns, each the best for the other (spec 7.3): the value can only
/// fall. The first plan is the best one of the seen nodes alone, on which the least value rests;
/// where plans are not hard, a run from the plan of the filled graph may end lower and is the
/// answer then.
struct Alternation {
  CompletionStart start = CompletionStart::degrees;
  int max_iterations = 100;
  double tolerance = 1e-9;  ///< on the relative change of the value
  /// Of the plan of the seen nodes, besides the product; where plans are hard, for each of them
  /// one descent of labels in vain, or six on sparse graphs, ends the search.
  int random_starts = 8;
};
constexpr auto fields(const Alternation&) {
  using O = Alternation;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"start", &O::start, 0, 0, "noise, degrees, noisy_degrees or shaken_degrees"},
      Field{"max_iterations", &O::max_iterations, 1, 1e9, "turns at most"},
      Field{"tolerance", &O::tolerance, 0, inf, "on the relative change of the value"},
      Field{"random_starts", &O::random_starts, 0, 1e6, "plans tried for the seen nodes"},
  };
}

using CompletionMethod = std::variant<Alternation, ProjectedAdam>;

struct Completion {
  /// C with its free entries filled. They are what the objective likes best, or with a model for
  /// completion one plausible graph: an edge where they are above 1/2.
  Matrix structure;
  Matrix features = {};  ///< the same of F
  /// That there is an edge, for each free pair; known entries as they are.
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
/// The same with the mixture of atoms that fits best: shares, plan and free entries.
[[nodiscard]] Completion complete(const LinearDictionary& dictionary, const PartialGraph& graph,
                                  const CompletionMethod& method = Alternation{},
                                  const Run& run = {});

}  // namespace srgw
