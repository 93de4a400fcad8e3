// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// The first node of each graph, and behind the last one the number of nodes.
[[nodiscard]] std::vector<Index> node_offsets(std::span<const Sample> graphs);

/// The problems of graphs and one template. The costs of features are made once and kept.
class TemplateProblems {
 public:
  TemplateProblems(std::span<const Sample> graphs, const Template& target,
                   const std::vector<Index>& offsets, const TemplateOptions& options);

  /// Makes the costs of these graphs.
  void prepare(const std::vector<Index>& which, int threads);
  /// Looks at this object and at what it was made from.
  [[nodiscard]] Problem problem(Index graph) const;
  /// M of a graph, made anew where it was not prepared.
  [[nodiscard]] Matrix cost(Index graph) const;
  [[nodiscard]] bool has_cost() const { return target_->cost || target_->features.cols() > 0; }

 private:
  std::span<const Sample> graphs_;
  const Template* target_;
  const std::vector<Index>* offsets_;
  const TemplateOptions* options_;
  Structure structure_;
  std::vector<Matrix> costs_;
};

}  // namespace srgw::detail
