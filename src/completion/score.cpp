// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "completion/free_entries.hpp"
#include "completion/matching.hpp"
#include "srgw/completion.hpp"
#include "srgw/solve.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

struct Pair {
  Index i, j;
};

std::vector<Pair> free_pairs(const PartialGraph& graph) {
  const bool symmetric = detail::is_symmetric(graph);
  std::vector<Pair> pairs;
  for (Index i = 0; i < graph.size(); ++i) {
    for (Index j = 0; j < graph.size(); ++j) {
      if (i != j && graph.free(i, j) != 0 && (!symmetric || j < i)) pairs.push_back({i, j});
    }
  }
  return pairs;
}

/// Pairs by falling probability, with what they are.
struct Ranked {
  double probability;
  bool edge;
};

/// The share of (edge, other) pairs that are in the right order, ties half.
double area_under_curve(const std::vector<Ranked>& ranked, double edges) {
  double above = 0, right = 0;  // edges before, and pairs in order
  for (std::size_t at = 0; at < ranked.size();) {
    double tied_edges = 0, tied_others = 0;
    const double p = ranked[at].probability;
    for (; at < ranked.size() && ranked[at].probability == p; ++at) {
      (ranked[at].edge ? tied_edges : tied_others) += 1;
    }
    right += tied_others * (above + tied_edges / 2);
    above += tied_edges;
  }
  return right / (edges * (static_cast<double>(ranked.size()) - edges));
}

/// Sum over thresholds of precision times the recall that is gained.
double average_precision_of(const std::vector<Ranked>& ranked, double edges) {
  double found = 0, sum = 0;
  for (std::size_t at = 0; at < ranked.size();) {
    const double p = ranked[at].probability, before = found;
    for (; at < ranked.size() && ranked[at].probability == p; ++at) {
      found += static_cast<double>(ranked[at].edge);
    }
    sum += (found - before) / edges * found / static_cast<double>(at);
  }
  return sum;
}

void rank(const std::vector<Pair>& pairs, const Matrix& probabilities, const MatrixView& truth,
          CompletionScores& scores) {
  std::vector<Ranked> ranked;
  double edges = 0;
  for (const auto& [i, j] : pairs) {
    const bool edge = truth(i, j) != 0;
    ranked.push_back({probabilities(i, j), edge});
    edges += static_cast<double>(edge);
  }
  if (edges == 0 || edges == static_cast<double>(pairs.size())) return;
  std::ranges::stable_sort(
      ranked, [](const Ranked& a, const Ranked& b) { return a.probability > b.probability; });
  scores.auc = area_under_curve(ranked, edges);
  scores.average_precision = average_precision_of(ranked, edges);
}

/// How many of the pairs agree when hidden node u of the truth is node order[u] of the answer.
double agreement(const std::vector<Pair>& pairs, const Mask& answer, const MatrixView& truth,
                 const std::vector<Index>& order) {
  double agreeing = 0;
  for (const auto& [i, j] : pairs) {
    const bool edge = answer(order[i], order[j]) != 0;
    agreeing += static_cast<double>(edge == (truth(i, j) != 0));
  }
  return agreeing;
}

/// The best order of hidden nodes: exact for their edges to seen nodes, then swaps for those among
/// themselves.
double best_agreement(const PartialGraph& graph, const std::vector<Pair>& pairs, const Mask& answer,
                      const MatrixView& truth) {
  const std::vector<Index> seen = graph.seen(), hidden = graph.hidden();
  std::vector<Index> order(graph.size());
  std::iota(order.begin(), order.end(), Index{0});
  const Index count = std::ssize(hidden);
  if (count < 2) return agreement(pairs, answer, truth, order);
  Matrix cost = Matrix::Zero(count, count);
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b) {
      const Index u = hidden[a], v = hidden[b];
      for (const Index s : seen) {
        cost(a, b) += static_cast<double>((answer(v, s) != 0) != (truth(u, s) != 0));
        cost(a, b) += static_cast<double>((answer(s, v) != 0) != (truth(s, u) != 0));
      }
    }
  }
  const Assignment matched = detail::cheapest_matching(cost).columns;
  for (std::size_t a = 0; a < hidden.size(); ++a) {
    order[hidden[a]] = hidden[matched[a]];
  }
  double best = agreement(pairs, answer, truth, order);
  for (bool better = true; better;) {
    better = false;
    for (std::size_t a = 0; a < hidden.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        auto &first = order[hidden[a]], &second = order[hidden[b]];
        std::swap(first, second);
        const double now = agreement(pairs, answer, truth, order);
        if (now > best) {
          best = now;
          better = true;
        } else {
          std::swap(first, second);
        }
      }
    }
  }
  return best;
}

/// n T' C T n with T from balanced GW between the answer and the truth, uniform weights and the
/// product start.
Matrix plan_onto(const Matrix& answer, const MatrixView& truth) {
  const Index n = answer.rows();
  const Vector h = uniform_weights(n);
  const Structure from = Structure::dense(answer), to = Structure::dense(Matrix(truth));
  Problem problem{.source = from, .weights = h, .target = to};
  problem.target_weights.emplace(h);
  return solve(problem, ConditionalGradient{.polish_sweeps = 0}, Start::product, 1, {.threads = 1})
      .plan.dense();
}

/// Rescaled to [0, 1] and cut at one half; over whole rows of hidden nodes.
double coded_accuracy(const PartialGraph& graph, Matrix moved, const MatrixView& truth) {
  const double least = moved.minCoeff(), spread = moved.maxCoeff() - least;
  moved = spread > 0 ? Matrix((moved.array() - least) / spread)
                     : Matrix::Ones(moved.rows(), moved.cols());
  moved.diagonal().setZero();
  double right = 0, all = 0;
  for (const Index i : graph.hidden()) {
    for (Index j = 0; j < graph.size(); ++j) {
      right += static_cast<double>((moved(i, j) > 0.5) == (truth(i, j) != 0));
      ++all;
    }
  }
  return all > 0 ? right / all : 1;
}

std::optional<double> feature_error_of(const PartialGraph& graph, const Matrix& features,
                                       const MatrixView& truth) {
  double sum = 0, count = 0;
  for (Index e = 0; e < graph.free_features.size(); ++e) {
    if (graph.free_features.data()[e] == 0) continue;
    const Index i = e / features.cols(), c = e % features.cols();
    sum += (features(i, c) - truth(i, c)) * (features(i, c) - truth(i, c));
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

Vector sorted_degrees(const Mask& edges) {
  Vector degrees = edges.cast<double>().rowwise().sum();
  std::sort(degrees.begin(), degrees.end());
  return degrees;
}

}  // namespace

CompletionScores score(const PartialGraph& graph, const Completion& completion, MatrixView truth,
                       MatrixView true_features, double threshold) {
  const Index n = graph.size();
  if (truth.rows() != n || truth.cols() != n) {
    fail_argument("the truth has {} nodes, expected {}", truth.rows(), n);
  }
  if (true_features.rows() != graph.features.rows() ||
      true_features.cols() != graph.features.cols()) {
    fail_argument("features of the truth are {} x {}, expected {} x {}", true_features.rows(),
                  true_features.cols(), graph.features.rows(), graph.features.cols());
  }
  const std::vector<Pair> pairs = free_pairs(graph);
  CompletionScores scores;
  if (pairs.empty()) fail_argument("no pair of nodes is free, expected something to score");
  Mask answer(n, n), whole(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double entry = completion.structure(i, j);
      const bool edge = graph.free(i, j) != 0 ? entry > threshold * completion.unit : entry != 0;
      answer(i, j) = static_cast<std::uint8_t>(i != j && edge);
      whole(i, j) = static_cast<std::uint8_t>(i != j && truth(i, j) != 0);
    }
  }
  const auto count = static_cast<double>(pairs.size());
  double edges = 0, found = 0;
  for (const auto& [i, j] : pairs) {
    const double p = completion.probabilities(i, j), y = whole(i, j);
    scores.accuracy_raw += static_cast<double>((p > threshold) == (y > 0)) / count;
    scores.brier += (p - y) * (p - y) / count;
    edges += y;
    found += answer(i, j);
  }
  scores.edge_count_error = std::abs(found - edges) / std::max(1.0, edges);
  scores.degree_error = (sorted_degrees(answer) - sorted_degrees(whole)).cwiseAbs().mean();
  scores.accuracy_aligned = best_agreement(graph, pairs, answer, truth) / count;
  rank(pairs, completion.probabilities, truth, scores);
  const Matrix T = plan_onto(completion.structure, truth);
  scores.accuracy_coded = coded_accuracy(graph, T.transpose() * completion.structure * T, truth);
  scores.feature_error = feature_error_of(graph, completion.features, true_features);
  if (scores.feature_error) {
    const Matrix moved = static_cast<double>(n) * T.transpose() * completion.features;
    scores.feature_error_coded = feature_error_of(graph, moved, true_features);
  }
  return scores;
}

}  // namespace srgw
