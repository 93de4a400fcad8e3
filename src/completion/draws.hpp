// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>

#include "base/random.hpp"
#include "completion/forest.hpp"
#include "completion/surroundings.hpp"
#include "srgw/completion.hpp"

namespace srgw::detail {

/// Hidden nodes and their edges, or how likely these are.
struct HiddenNodes {
  Matrix rows;      ///< edges to seen nodes (hidden x seen)
  Matrix pairs;     ///< edges among themselves (hidden x hidden)
  Matrix features;  ///< hidden x d
};

/// Draws completions of one graph. Each hidden node is tied to a seen one first, its anchor, then
/// to others, twins all at once, each time given all that was settled before: a node of two cliques
/// is tied to both or, as a rule, to one of them. Then it is a seen one for those behind it. With p
/// the probability of a tie and D the degree that comes with an anchor, anchors are drawn in
/// proportion to p/D: the sum of these over all seen nodes is the probability that a node has
/// neighbours at all. Where one node is hidden, in proportion to p.
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
  void settle_ties(State& state, Index anchor, Random& random, NextNode& next) const;
  [[nodiscard]] Vector draw_features(const Vector& guess, Random& random) const;

  const Atom& atom_;
  const CompletionModel& model_;
  PackedForest tie_trees_, anchored_trees_;
  std::unique_ptr<State> first_;
  std::map<std::vector<NodeId>, std::unique_ptr<State>> second_;  // by the node that was drawn
};

/// Probabilities of edges of any hidden node.
struct EdgeProbabilities {
  Vector with_seen;
  double among_hidden = 0;
};

/// The graph that is closest to all draws, hidden nodes in the best order: how likely its edges
/// are, of which those above 1/2 are the graph. Matching draws to the graph and taking edges that
/// most of them have take turns from several draws; the end with the fewest errors to be expected
/// is the answer. Draws say how hidden nodes differ, the probabilities how many edges there are.
[[nodiscard]] HiddenNodes plausible_graph(const std::vector<HiddenNodes>& draws,
                                          const EdgeProbabilities& edges);

}  // namespace srgw::detail
