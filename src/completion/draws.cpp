// SPDX-License-Identifier: MIT
#include "completion/draws.hpp"

#include <algorithm>

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

/// The graph as it is after some draws, and what trees say about it, asked for once.
class CompletionDraws::State {
 public:
  State(SeenGraph seen, std::vector<double> degrees_of_nodes, const CompletionDraws& draws)
      : graph(std::move(seen)),
        degrees(std::move(degrees_of_nodes)),
        around_(graph, draws.atom_),
        tie_trees_(draws.tie_trees_),
        anchored_trees_(draws.anchored_trees_),
        anchored_(static_cast<std::size_t>(graph.size())) {}

  /// Of a tie with a hidden node.
  [[nodiscard]] const Vector& ties() {
    if (ties_.size() > 0) return ties_;
    return ties_ = probabilities(tie_trees_.logits(node_rows()));
  }
  /// The same for one that is tied to the anchor.
  [[nodiscard]] const Vector& anchored(Index anchor) {
    Vector& p = anchored_[static_cast<std::size_t>(anchor)];
    if (p.size() > 0) return p;
    const Matrix& nodes = node_rows();
    Matrix rows(graph.size(), anchored_trees_.columns());
    rows.leftCols(nodes.cols()) = nodes;
    for (Index i = 0; i < rows.rows(); ++i) {
      around_.write_view(i, anchor, rows.row(i).data() + nodes.cols());
    }
    p = probabilities(anchored_trees_.logits(rows));
    p[anchor] = 0;  // no tie more
    return p;
  }

  const SeenGraph graph;
  std::vector<double> degrees;  // D of each node

 private:
  static Vector probabilities(const Vector& logits) { return logits.unaryExpr(&probability); }

  const Matrix& node_rows() {
    if (node_rows_.size() > 0) return node_rows_;
    node_rows_.resize(graph.size(), tie_trees_.columns());
    for (Index i = 0; i < graph.size(); ++i) around_.write_node(i, node_rows_.row(i).data());
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
  Vector likely;  // ties with all nodes before it: the anchor's is 1
  std::vector<NodeId> neighbours;
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
      anchored_trees_(model.anchored_edges),
      twins_(first_twins(graph.neighbours)) {
  const Index n = graph.size();
  first_ =
      std::make_unique<State>(graph, std::vector<double>(static_cast<std::size_t>(n), 1.0), *this);
  // Of one node draws say nothing that probabilities do not, but for its features, and those hardly
  // depend on D (MUTAG: errors of 0.0376 and 0.0375), which takes n times as many questions.
  if (graph.hidden < 2) return;
  for (Index v = 0; v < n; ++v) {
    first_->degrees[static_cast<std::size_t>(v)] = 1 + first_->anchored(v).sum();
  }
}

CompletionDraws::~CompletionDraws() = default;

const Vector& CompletionDraws::probabilities() const { return first_->ties(); }

// Of labels one is drawn, so that the next nodes see what they were trained on.
Vector CompletionDraws::drawn_features(const Vector& guess, Random& random) const {
  if (!model_.one_hot) return guess;
  const Vector shares = guess.cwiseMax(1e-9);
  double left = random.uniform() * shares.sum();
  Index label = 0;
  while (label + 1 < shares.size() && left >= shares[label]) left -= shares[label++];
  return Vector::Unit(shares.size(), label);
}

auto CompletionDraws::next_node(State& state, Random& random) const -> NextNode {
  const SeenGraph& graph = state.graph;
  const Index nodes = graph.size(), seen = std::ssize(twins_), d = graph.features.cols();
  const Vector shares =
      state.ties().cwiseQuotient(Eigen::Map<const Vector>(state.degrees.data(), nodes));
  double left = random.uniform() * std::max(1.0, shares.sum());
  Index anchor = 0;
  while (anchor < nodes && left >= shares[anchor]) left -= shares[anchor++];

  NextNode next;
  next.likely = Vector::Zero(nodes);
  next.role = graph.roles[random.below(static_cast<std::uint64_t>(nodes))];
  if (anchor < nodes) {
    next.likely = state.anchored(anchor);
    next.degree += next.likely.sum();
    next.likely[anchor] = 1;
    next.role = graph.roles[static_cast<std::size_t>(anchor)];
    std::vector<double> luck;
    for (Index i = 0; i < nodes; ++i) {
      const Index twin = i < seen ? twins_[static_cast<std::size_t>(i)] : i;
      luck.push_back(twin < i ? luck[static_cast<std::size_t>(twin)] : random.uniform());
      if (luck.back() < next.likely[i]) next.neighbours.push_back(static_cast<NodeId>(i));
    }
  }
  next.key = next.neighbours;
  next.key.push_back(static_cast<NodeId>(anchor));
  next.key.push_back(next.role);
  if (d > 0) {
    next.features = drawn_features(
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
    // The answer is a mean of draws: it keeps what is likely, of which the ties that were drawn are
    // only a sample.
    drawn.rows.row(u) = next.likely.head(seen).transpose();
    drawn.pairs.row(u).head(u) = next.likely.tail(u).transpose();
    drawn.pairs.col(u).head(u) = next.likely.tail(u);
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
