// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>

#include "completion/packed_forest.hpp"
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
/// all. Where one node is hidden, in proportion to p.
class CompletionDraws {
 public:
  CompletionDraws(const SeenGraph& graph, const Atom& atom, const CompletionModel& model);
  CompletionDraws(const CompletionDraws&) = delete;
  CompletionDraws& operator=(const CompletionDraws&) = delete;
  ~CompletionDraws();

  /// p of each seen node.
  [[nodiscard]] const Vector& probabilities() const;
  /// Remembers what trees have said: draws often begin alike.
  [[nodiscard]] HiddenNodes draw(Random& random);

 private:
  class State;
  struct NextNode;

  [[nodiscard]] NextNode next_node(State& state, Random& random) const;
  [[nodiscard]] Vector drawn_features(const Vector& guess, Random& random) const;

  const Atom& atom_;
  const CompletionModel& model_;
  PackedForest tie_trees_, anchored_trees_;
  std::vector<NodeId> twins_;  // the first seen node with the same closed neighbourhood
  std::unique_ptr<State> first_;
  std::map<std::vector<NodeId>, std::unique_ptr<State>> second_;  // by the node that was drawn
};

/// The mean of drawn completions once their hidden nodes are matched, which is what comes closest
/// to all of them: a barycenter with free support.
[[nodiscard]] HiddenNodes matched_mean(const std::vector<HiddenNodes>& draws);

}  // namespace srgw::detail
