// SPDX-License-Identifier: MIT
#include "completion/draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/sampling.hpp"
#include "base/stop.hpp"
#include "completion/environments.hpp"
#include "completion/feature_guess.hpp"
#include "completion/matching.hpp"
#include "completion/settled_ties.hpp"

namespace srgw::detail {

namespace {

// Ties that are so likely or unlikely given the anchor are settled by that, at first and all alone.
constexpr double sure = 0.02;

}  // namespace

/// The graph as it is after some draws, and what trees say about it, asked for once.
class CompletionDraws::State {
 public:
  State(SeenGraph seen, std::vector<double> degrees_of_nodes, const CompletionDraws& draws)
      : graph(std::move(seen)),
        degrees(std::move(degrees_of_nodes)),
        around_(graph, draws.atom_),
        tie_trees_(draws.tie_trees_),
        anchored_trees_(draws.anchored_trees_),
        anchored_(graph.size()) {}

  /// Probabilities of a tie with a hidden node.
  [[nodiscard]] const Vector& ties() {
    if (ties_.size() > 0) return ties_;
    return ties_ = probabilities(tie_trees_.logits(node_rows()));
  }
  /// Probabilities of a tie with a hidden node that is tied to the anchor.
  [[nodiscard]] const Vector& anchored(Index anchor) {
    Vector& p = anchored_[anchor];
    if (p.size() > 0) return p;
    const Matrix& nodes = node_rows();
    Matrix rows(graph.size(), anchored_trees_.columns());
    rows.leftCols(nodes.cols()) = nodes;
    SettledTies settled(graph);
    settled.settle(anchor, true);
    StopCounter stop(16);
    for (Index i = 0; i < rows.rows(); ++i) {
      stop.throw_if_stopped();
      write_given(i, anchor, settled, rows.row(i).data());
    }
    p = probabilities(anchored_trees_.logits(rows));
    p[anchor] = 0;  // no tie more
    return p;
  }

  /// The weight of one node, when more is settled.
  [[nodiscard]] double given(Index node, Index anchor, const SettledTies& settled) {
    const Matrix& nodes = node_rows();
    std::vector<double> row(anchored_trees_.columns());
    std::copy_n(nodes.row(node).data(), nodes.cols(), row.data());
    write_given(node, anchor, settled, row.data());
    return probability(logit(anchored_trees_.forest(), row.data()));
  }

  [[nodiscard]] bool twins(Index i, Index j) const { return around_.twins(i, j); }

  const SeenGraph graph;
  std::vector<double> degrees;  // D of each node

 private:
  // Behind what is known of the node itself.
  void write_given(Index node, Index anchor, const SettledTies& settled, double* row) const {
    around_.write_view(node, anchor, row + tie_trees_.columns());
    settled.write(node, row + anchored_trees_.columns() - SettledTies::columns());
  }

  static Vector probabilities(const Vector& logits) { return logits.unaryExpr(&probability); }

  const Matrix& node_rows() {
    if (node_rows_.size() > 0) return node_rows_;
    Matrix rows(graph.size(), tie_trees_.columns());
    StopCounter stop(16);
    for (Index i = 0; i < graph.size(); ++i) {
      stop.throw_if_stopped();
      around_.write_node(i, rows.row(i).data());
    }
    node_rows_ = std::move(rows);
    return node_rows_;
  }

  Surroundings around_;
  const PackedForest &tie_trees_, &anchored_trees_;
  Matrix node_rows_;
  Vector ties_;
  std::vector<Vector> anchored_;
};

/// A hidden node that was drawn.
struct CompletionDraws::NextNode {
  std::vector<NodeId> neighbours;  // of all nodes before it
  Vector features;
  NodeId role = 0;
  double degree = 1;
  std::vector<NodeId> key;  // all that the rest of the draw depends on
};

CompletionDraws::CompletionDraws(const SeenGraph& graph, const Atom& atom,
                                 const CompletionModel& model)
    : atom_(atom),
      model_(model),
      tie_trees_(model.hidden_edges),
      anchored_trees_(model.anchored_edges) {
  const Index n = graph.size();
  first_ = std::make_unique<State>(graph, std::vector<double>(n, 1.0), *this);
  // For one hidden node draws add nothing to the probabilities but its features, and those hardly
  // depend on D (MUTAG: errors of 0.0376 and 0.0375), which takes n times as many trees to read.
  if (graph.hidden < 2) return;
  for (Index v = 0; v < n; ++v) {
    first_->degrees[v] = 1 + first_->anchored(v).sum();
  }
}

CompletionDraws::~CompletionDraws() = default;

const Vector& CompletionDraws::probabilities() const { return first_->ties(); }

// One of the labels is drawn, so that the next nodes see what they were trained on.
Vector CompletionDraws::draw_features(const Vector& guess, Random& random) const {
  if (!model_.one_hot) return guess;
  const Vector shares = guess.cwiseMax(1e-9);
  double left = random.uniform() * shares.sum();
  Index label = 0;
  while (label + 1 < shares.size() && left >= shares[label]) left -= shares[label++];
  return Vector::Unit(shares.size(), label);
}

// Class of twins after class, in any order, each given what is settled before it.
void CompletionDraws::settle_ties(State& state, Index anchor, Random& random,
                                  NextNode& next) const {
  const Index nodes = state.graph.size(), seen = first_->graph.size();
  const Vector alone = state.anchored(anchor);
  const auto is_sure = [&](NodeId i) { return std::min(alone[i], 1 - alone[i]) < sure; };
  std::vector<NodeId> order(nodes);
  std::iota(order.begin(), order.end(), NodeId{0});
  draw_to_front(order, order.size() - 1, random);
  std::stable_partition(order.begin(), order.end(), is_sure);
  SettledTies settled(state.graph);
  settled.settle(anchor, true);
  bool first = true;
  for (const NodeId i : order) {
    if (settled.known(i)) continue;
    throw_if_stopped();
    const double p = first || is_sure(i) ? alone[i] : state.given(i, anchor, settled);
    first = false;
    const bool tied = random.uniform() < p;
    for (Index j = 0; j < nodes; ++j) {
      const bool twin = j == Index{i} || (i < seen && j < seen && first_->twins(i, j));
      if (!twin || settled.known(j)) continue;
      settled.settle(j, tied);
      next.degree += p;
    }
  }
  for (Index i = 0; i < nodes; ++i) {
    if (settled.tied(i)) next.neighbours.push_back(static_cast<NodeId>(i));
  }
}

auto CompletionDraws::next_node(State& state, Random& random) const -> NextNode {
  const SeenGraph& graph = state.graph;
  const Index nodes = graph.size(), d = graph.features.cols();
  const Vector shares =
      state.ties().cwiseQuotient(Eigen::Map<const Vector>(state.degrees.data(), nodes));
  double left = random.uniform() * std::max(1.0, shares.sum());
  Index anchor = 0;
  while (anchor < nodes && left >= shares[anchor]) left -= shares[anchor++];

  NextNode next;
  next.role = graph.roles[random.below(static_cast<std::uint64_t>(nodes))];
  if (anchor < nodes) {
    next.role = graph.roles[anchor];
    settle_ties(state, anchor, random, next);
  }
  next.key = next.neighbours;
  next.key.push_back(static_cast<NodeId>(anchor));
  next.key.push_back(next.role);
  if (d > 0) {
    next.features = draw_features(
        model_.feature_weights.transpose() * feature_evidence(graph, next.neighbours), random);
    // Numbers that are not labels follow from the neighbours.
    Index label = 0;
    if (model_.one_hot) next.features.maxCoeff(&label);
    next.key.push_back(static_cast<NodeId>(label));
  }
  return next;
}

HiddenNodes CompletionDraws::draw(Random& random) {
  const Index seen = first_->graph.size(), hidden = first_->graph.hidden;
  const Index d = first_->graph.features.cols();
  HiddenNodes drawn{Matrix::Zero(hidden, seen), Matrix::Zero(hidden, hidden), Matrix(hidden, d)};
  State* state = first_.get();
  std::unique_ptr<State> own;
  for (Index u = 0; u < hidden; ++u) {
    const NextNode next = next_node(*state, random);
    for (const NodeId j : next.neighbours) {
      const Index node = static_cast<Index>(j);
      if (node < seen) {
        drawn.rows(u, node) = 1;
      } else {
        drawn.pairs(u, node - seen) = drawn.pairs(node - seen, u) = 1;
      }
    }
    if (d > 0) drawn.features.row(u) = next.features.transpose();
    if (u + 1 == hidden) break;
    const auto with_next = [&] {
      SeenGraph graph = state->graph;
      graph.add(next.neighbours, next.features, next.role);
      recall(model_.memory, nullptr, graph);
      std::vector<double> degrees = state->degrees;
      degrees.push_back(next.degree);
      return std::make_unique<State>(std::move(graph), std::move(degrees), *this);
    };
    if (u == 0) {  // later ones are hardly ever met again, and all of them would need much memory
      auto& known = second_[next.key];
      if (!known) known = with_next();
      state = known.get();
    } else {
      own = with_next();
      state = own.get();
    }
  }
  return drawn;
}

namespace {

/// |Differences| of the pairs of hidden node a, when node b of the graph is to[b] of the draw.
double pairs_apart(const Matrix& graph, const Matrix& draw, const std::vector<Index>& to, Index a) {
  double apart = 0;
  const Index its = to[a];
  for (Index b = 0; b < graph.rows(); ++b) {
    if (b != a) apart += std::abs(graph(a, b) - draw(its, to[b]));
  }
  return apart;
}

/// Which hidden node of a draw stands for which of the graph: the least sum of |differences| of
/// edges to seen nodes, then swaps while pairs of hidden nodes gain by them.
std::vector<Index> matching(const HiddenNodes& graph, const HiddenNodes& draw) {
  const Index count = graph.rows.rows();
  Matrix costs(count, count);
  for (Index a = 0; a < count; ++a) {
    throw_if_stopped();
    for (Index b = 0; b < count; ++b) {
      costs(a, b) = (graph.rows.row(a) - draw.rows.row(b)).cwiseAbs().sum();
    }
  }
  const Assignment found = cheapest_matching(costs).columns;
  std::vector<Index> to(found.begin(), found.end());
  const auto cost = [&](Index a) {
    return costs(a, to[a]) + pairs_apart(graph.pairs, draw.pairs, to, a);
  };
  for (bool better = true; better;) {
    better = false;
    for (Index a = 0; a < count; ++a) {
      throw_if_stopped();
      for (Index b = 0; b < a; ++b) {
        auto &first = to[a], &second = to[b];
        const double before = cost(a) + cost(b);
        std::swap(first, second);
        if (cost(a) + cost(b) < before - 1e-9) {
          better = true;
        } else {
          std::swap(first, second);
        }
      }
    }
  }
  return to;
}

double logit_of(double p) {
  const double kept = std::clamp(p, 1e-5, 1 - 1e-5);
  return std::log(kept / (1 - kept));
}

/// The difference of one hidden node from all of them: the draws say how they differ, the
/// probabilities how much there is altogether.
double tilt(double p, double of_node, double of_all, double draws) {
  const auto smooth = [&](double mean) { return (draws * mean + p) / (draws + 1); };
  return probability(logit_of(p) + logit_of(smooth(of_node)) - logit_of(smooth(of_all)));
}

Matrix round_shares(const Matrix& shares) { return (shares.array() > 0.5).cast<double>(); }

/// How likely edges are once the hidden nodes of all draws stand where they fit the graph best.
HiddenNodes tilt_mean(const std::vector<HiddenNodes>& draws, const HiddenNodes& graph,
                      const EdgeProbabilities& edges) {
  HiddenNodes mean{0 * graph.rows, 0 * graph.pairs, 0 * graph.features};
  const auto count = static_cast<double>(draws.size());
  for (const HiddenNodes& draw : draws) {
    const std::vector<Index> to = matching(graph, draw);
    mean.rows += draw.rows(to, Eigen::all) / count;
    mean.pairs += draw.pairs(to, to) / count;
    mean.features += draw.features(to, Eigen::all) / count;
  }
  const Index hidden = mean.rows.rows();
  const Vector all_rows = mean.rows.colwise().mean().transpose();
  const double all_pairs =
      hidden > 1 ? mean.pairs.sum() / static_cast<double>(hidden * (hidden - 1)) : 0;
  for (Index u = 0; u < hidden; ++u) {
    for (Index s = 0; s < mean.rows.cols(); ++s) {
      mean.rows(u, s) = tilt(edges.with_seen[s], mean.rows(u, s), all_rows[s], count);
    }
    for (Index v = 0; v < hidden; ++v) {
      if (u != v) {
        mean.pairs(u, v) = tilt(edges.among_hidden, mean.pairs(u, v), all_pairs, count);
      }
    }
  }
  return mean;
}

/// Edges that the rounded graph gets wrong, to be expected.
double expected_errors(const HiddenNodes& mean) {
  return (round_shares(mean.rows) - mean.rows).cwiseAbs().sum() +
         (round_shares(mean.pairs) - mean.pairs).cwiseAbs().sum() / 2;
}

}  // namespace

HiddenNodes plausible_graph(const std::vector<HiddenNodes>& draws, const EdgeProbabilities& edges) {
  constexpr std::size_t starts = 8;
  constexpr int turns = 10;
  HiddenNodes best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < std::min(starts, draws.size()); ++s) {
    HiddenNodes graph = draws[s];
    double former = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < turns; ++turn) {
      const HiddenNodes mean = tilt_mean(draws, graph, edges);
      const double errors = expected_errors(mean);
      if (!(errors < former - 1e-12)) break;
      former = errors;
      graph = {round_shares(mean.rows), round_shares(mean.pairs), mean.features};
      if (!(errors < least)) continue;
      least = errors;
      best = mean;
    }
  }
  return best;
}

}  // namespace srgw::detail
