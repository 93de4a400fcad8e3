// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "srgw/run.hpp"
#include "srgw/samples.hpp"
#include "srgw/solve.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// A graph that all graphs of a batch are matched with.
struct Template {
  Matrix structure;                    ///< B (m x m)
  Matrix features = {};                ///< Y (m x d); no columns: none
  std::optional<Vector> weights = {};  ///< hbar (m); given: balanced (GW, FGW)
  double alpha = 1;                    ///< weight of the structure; read where there are features
  /// M of all nodes of the batch, in the order of the graphs, instead of features.
  std::optional<MatrixSpan> cost = {};
};

struct TemplateOptions {
  Loss loss = Loss::square;
  double entropy = 0;  ///< as in Problem; the values include it, so that they are differentiable
  Method method = ConditionalGradient{.tolerance = 1e-9};
  /// Absent: row by row where that serves, otherwise Start::automatic; the product where the
  /// problem is balanced or has entropy.
  std::optional<Start> start = {};
  int count = 1;  ///< of starts
};

struct TemplateMatches {
  Matrix values;            ///< G x K: the objective of graph g and template k
  std::vector<Plan> plans;  ///< G x K, row by row
  Index unconverged = 0;    ///< solves that a limit stopped

  [[nodiscard]] const Plan& plan(Index graph, Index number) const {
    return plans[static_cast<std::size_t>(graph * values.cols() + number)];
  }
};

/// Matches each graph with each template, in parallel over the graphs. Without features the
/// structure is all that counts. Throws when graphs and templates do not fit together, and, since
/// half of the values are of no use, when the run is stopped.
[[nodiscard]] TemplateMatches match_templates(std::span<const Sample> graphs,
                                              std::span<const Template> templates,
                                              const TemplateOptions& options = {},
                                              const Run& run = {});

/// What values are differentiated in.
struct TemplateParts {
  bool entries = true, weights = true, features = true;  ///< of graphs
  bool structures = true, template_features = true, template_weights = true, alpha = true;
  bool costs = true;
};

/// Derivatives of sum_gk factor_gk value_gk with the plans held fixed: by the envelope theorem
/// those of the optimal values wherever the plan is unique. Those in weights are up to a constant
/// in each graph or template, and centred. What was not asked for is empty.
struct TemplateGradients {
  /// In the stored entries of all structures, each row by row, one graph after the other.
  std::vector<double> entries;
  Vector weights;                                     ///< h of all graphs (N)
  Matrix features;                                    ///< of all graphs (N x d)
  std::vector<Matrix> structures, template_features;  ///< of each template
  std::vector<Vector> template_weights;               ///< of each; zeros where they are free
  Vector alpha;                                       ///< K
  std::vector<Matrix> costs;                          ///< of each template (N x m)
};

[[nodiscard]] TemplateGradients template_gradients(
    std::span<const Sample> graphs, std::span<const Template> templates,
    const TemplateOptions& options, const TemplateMatches& matches, MatrixView factors,
    const TemplateParts& parts = {}, const Run& run = {});

/// Structures of graphs whose edges are in one list, with nodes numbered through from graph to
/// graph, as PyTorch Geometric batches them.
struct SplitEdges {
  std::vector<Structure> structures;  ///< CSR; edges that occur more than once are added up
  std::vector<std::size_t> slots;     ///< where each edge is in TemplateGradients::entries
};
/// `weights` empty: ones. Throws when an edge leaves its graph.
[[nodiscard]] SplitEdges split_edges(std::span<const std::int64_t> from,
                                     std::span<const std::int64_t> to,
                                     std::span<const double> weights,
                                     std::span<const std::int64_t> sizes);

}  // namespace srgw
