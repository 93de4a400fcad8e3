// SPDX-License-Identifier: MIT
#pragma once

#include "completion/surroundings.hpp"
#include "random.hpp"
#include "srgw/completion_model.hpp"

namespace srgw::detail {

/// Hidden nodes and how likely their edges are: given what was drawn before, or the mean of some.
struct HiddenNodes {
  Matrix rows;      ///< edges to seen nodes (hidden x seen)
  Matrix pairs;     ///< edges among themselves (hidden x hidden)
  Matrix features;  ///< hidden x d
};

/// Draws completions of one graph. Each hidden node is tied to a seen one first, its anchor, then
/// to others given that, twins all at once; then it is a seen one for those behind it. With p the
/// probability of a tie and D the degree that comes with an anchor, anchors are drawn in proportion
/// to p/D: the sum of these over all seen nodes is the probability that a node has neighbours at
/// all.
class CompletionDraws {
 public:
  CompletionDraws(const SeenGraph& graph, const Atom& atom, const CompletionModel& model);

  /// p of each seen node.
  [[nodiscard]] const Vector& probabilities() const { return probabilities_; }
  [[nodiscard]] HiddenNodes draw(Random& random) const;

 private:
  [[nodiscard]] Vector tie_probabilities(const Surroundings& around, Index nodes) const;
  [[nodiscard]] Vector anchored_probabilities(const Surroundings& around, Index nodes,
                                              Index anchor) const;
  [[nodiscard]] Vector drawn_features(const Vector& guess, Random& random) const;

  const SeenGraph& graph_;
  const Atom& atom_;
  const CompletionModel& model_;
  std::vector<NodeId> twins_;       // the first seen node with the same closed neighbourhood
  Vector probabilities_, degrees_;  // p and D of the seen nodes
};

/// The mean of drawn completions once their hidden nodes are matched, which is what comes closest
/// to all of them: a barycenter with free support.
[[nodiscard]] HiddenNodes matched_mean(const std::vector<HiddenNodes>& draws);

}  // namespace srgw::detail
