// SPDX-License-Identifier: MIT
#include "completion/draws.hpp"

#include <algorithm>
#include <map>

#include "completion/environments.hpp"
#include "completion/feature_guess.hpp"
#include "completion/forest.hpp"
#include "completion/matching.hpp"

namespace srgw::detail {

namespace {

/// For each node the first with the same closed neighbourhood.
std::vector<NodeId> first_twins(const std::vector<std::vector<NodeId>>& neighbours) {
  std::map<std::vector<NodeId>, NodeId> first;
  std::vector<NodeId> twins;
  for (const auto& around : neighbours) {
    const auto node = static_cast<NodeId>(twins.size());
    std::vector<NodeId> closed = around;
    closed.push_back(node);
    std::ranges::sort(closed);
    twins.push_back(first.try_emplace(std::move(closed), node).first->second);
  }
  return twins;
}

}  // namespace

CompletionDraws::CompletionDraws(const SeenGraph& graph, const Atom& atom,
                                 const CompletionModel& model)
    : graph_(graph), atom_(atom), model_(model), twins_(first_twins(graph.neighbours)) {
  const Surroundings around(graph, atom);
  const Index n = graph.size();
  probabilities_ = tie_probabilities(around, n);
  degrees_ = Vector::Ones(n);
  if (graph.hidden < 2) return;  // draws say nothing then that probabilities do not
  for (Index v = 0; v < n; ++v) degrees_[v] = 1 + anchored_probabilities(around, n, v).sum();
}

Vector CompletionDraws::tie_probabilities(const Surroundings& around, Index nodes) const {
  std::vector<double> row(static_cast<std::size_t>(model_.hidden_edges.columns));
  Vector p(nodes);
  for (Index i = 0; i < nodes; ++i) {
    around.write_node(i, row.data());
    p[i] = probability(logit(model_.hidden_edges, row.data()));
  }
  return p;
}

Vector CompletionDraws::anchored_probabilities(const Surroundings& around, Index nodes,
                                               Index anchor) const {
  std::vector<double> row(static_cast<std::size_t>(model_.anchored_edges.columns));
  Vector p = Vector::Zero(nodes);
  for (Index i = 0; i < nodes; ++i) {
    if (i == anchor) continue;
    around.write_pair(i, anchor, row.data());
    p[i] = probability(logit(model_.anchored_edges, row.data()));
  }
  return p;
}

// Of labels one is drawn, so that the next nodes see what they were trained on.
Vector CompletionDraws::drawn_features(const Vector& guess, Random& random) const {
  if (!model_.one_hot) return guess;
  const Vector shares = guess.cwiseMax(1e-9);
  double left = random.uniform() * shares.sum();
  Index label = 0;
  while (label + 1 < shares.size() && left >= shares[label]) left -= shares[label++];
  return Vector::Unit(shares.size(), label);
}

HiddenNodes CompletionDraws::draw(Random& random) const {
  SeenGraph graph = graph_;
  std::vector<double> degrees(degrees_.begin(), degrees_.end());
  const Index seen = graph_.size(), hidden = graph_.hidden, d = graph_.features.cols();
  HiddenNodes drawn{Matrix::Zero(hidden, seen), Matrix::Zero(hidden, hidden), Matrix(hidden, d)};
  for (Index u = 0; u < hidden; ++u) {
    const Surroundings around(graph, atom_);
    const Index nodes = graph.size();
    const Vector p = u == 0 ? probabilities_ : tie_probabilities(around, nodes);
    const Vector shares = p.cwiseQuotient(Eigen::Map<const Vector>(degrees.data(), nodes));
    double left = random.uniform() * std::max(1.0, shares.sum());
    Index anchor = 0;
    while (anchor < nodes && left >= shares[anchor]) left -= shares[anchor++];

    std::vector<NodeId> neighbours;
    NodeId role = graph.roles[random.below(static_cast<std::uint64_t>(nodes))];
    degrees.push_back(1);
    if (anchor < nodes) {
      const Vector q = anchored_probabilities(around, nodes, anchor);
      // The answer is a mean of draws: it keeps q, of which the ties drawn here are only a sample.
      std::vector<double> luck;
      for (Index i = 0; i < nodes; ++i) {
        const double likely = i == anchor ? 1.0 : q[i];
        (i < seen ? drawn.rows(u, i) : drawn.pairs(u, i - seen)) = likely;
        if (i >= seen) drawn.pairs(i - seen, u) = likely;
        const Index twin = i < seen ? twins_[static_cast<std::size_t>(i)] : i;
        luck.push_back(twin < i ? luck[static_cast<std::size_t>(twin)] : random.uniform());
        if (luck.back() < likely) neighbours.push_back(static_cast<NodeId>(i));
      }
      role = graph.roles[static_cast<std::size_t>(anchor)];
      degrees.back() += q.sum();
    }
    Vector features(d);
    if (d > 0) {
      features = drawn_features(
          model_.feature_weights.transpose() * feature_evidence(graph, neighbours), random);
      drawn.features.row(u) = features.transpose();
    }
    graph.add(neighbours, features, role);
    if (u + 1 < hidden) recall(model_.memory, nullptr, graph);
  }
  return drawn;
}

namespace {

/// Which hidden node of a draw stands for which of the mean: least sum of |differences|.
std::vector<Index> matching(const Matrix& mean, const Matrix& rows, double& cost) {
  const Index count = mean.rows();
  Matrix costs(count, count);
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b) costs(a, b) = (mean.row(a) - rows.row(b)).cwiseAbs().sum();
  }
  const Matching found = cheapest_matching(costs);
  cost += found.cost;
  return {found.columns.begin(), found.columns.end()};
}

struct Mean {
  HiddenNodes nodes;
  double cost = 0;
};

Mean mean_from(const std::vector<HiddenNodes>& draws, const HiddenNodes& start) {
  constexpr int turns = 6;
  Mean mean{start, 0};
  const auto count = static_cast<double>(draws.size());
  for (int turn = 0; turn < turns; ++turn) {
    const double former = mean.cost;
    mean.cost = 0;
    HiddenNodes sum{0 * start.rows, 0 * start.pairs, 0 * start.features};
    for (const HiddenNodes& draw : draws) {
      const std::vector<Index> to = matching(mean.nodes.rows, draw.rows, mean.cost);
      sum.rows += draw.rows(to, Eigen::all);
      sum.pairs += draw.pairs(to, to);
      sum.features += draw.features(to, Eigen::all);
    }
    mean.nodes = {sum.rows / count, sum.pairs / count, sum.features / count};
    if (turn > 0 && !(mean.cost < former)) break;
  }
  return mean;
}

}  // namespace

HiddenNodes matched_mean(const std::vector<HiddenNodes>& draws) {
  constexpr std::size_t starts = 3;
  Mean best = mean_from(draws, draws.front());
  for (std::size_t s = 1; s < std::min(starts, draws.size()); ++s) {
    Mean other = mean_from(draws, draws[s]);
    if (other.cost < best.cost) best = std::move(other);
  }
  return best.nodes;
}

}  // namespace srgw::detail
