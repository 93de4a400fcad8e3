// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "completion/draws.hpp"
#include "completion/environments.hpp"
#include "completion/feature_guess.hpp"
#include "completion/forest.hpp"
#include "completion/free_entries.hpp"
#include "completion/half_seen.hpp"
#include "completion/model_unit.hpp"
#include "completion/settled_ties.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::HiddenNodes;
using detail::probability;

constexpr double most_trees_asked = 1e5;  // rows that are asked for draws, whatever their number

/// The nodes that are seen and those that are not, and the graph of the former.
struct Parts {
  std::vector<Index> seen, hidden;
  detail::SeenGraph graph;
};

/// The structure with 0 at free entries.
Matrix known_structure(const PartialGraph& partial) {
  return (partial.free.array() != 0).select(0.0, partial.structure);
}

Parts parts_of(const PartialGraph& partial) {
  Parts parts{partial.seen(), partial.hidden(), {}};
  parts.graph.neighbours = detail::neighbours_of(known_structure(partial)(parts.seen, parts.seen));
  parts.graph.hidden = std::ssize(parts.hidden);
  if (partial.features.cols() > 0) parts.graph.features = partial.features(parts.seen, Eigen::all);
  return parts;
}

/// Free features of seen nodes: the mean of what is known, then what their neighbours suggest.
void guess_features(const PartialGraph& partial, const CompletionModel& model, Parts& parts) {
  Matrix& F = parts.graph.features;
  if (F.cols() == 0 || partial.free_features.size() == 0) return;
  const Mask free = partial.free_features(parts.seen, Eigen::all);
  for (Index c = 0; c < F.cols(); ++c) {
    double sum = 0, count = 0;
    for (Index s = 0; s < F.rows(); ++s) {
      if (free(s, c) != 0) continue;
      sum += F(s, c);
      ++count;
    }
    for (Index s = 0; s < F.rows(); ++s) {
      if (free(s, c) != 0) F(s, c) = count > 0 ? sum / count : 0;
    }
  }
  Matrix guessed = F;
  for (Index s = 0; s < F.rows(); ++s) {
    if ((free.row(s).array() == 0).all()) continue;
    const Vector guess = model.feature_weights.transpose() *
                         detail::feature_evidence(parts.graph, parts.graph.neighbours[s]);
    for (Index c = 0; c < F.cols(); ++c) {
      if (free(s, c) != 0) guessed(s, c) = guess[c];
    }
  }
  F = guessed;
}

void set_both(Matrix& matrix, Index i, Index j, double value) {
  matrix(i, j) = matrix(j, i) = value;
}

/// Free pairs of seen nodes.
void fill_links(const PartialGraph& partial, const Parts& parts, const Atom& atom,
                const CompletionModel& model, Completion& answer) {
  std::optional<detail::Surroundings> around;
  std::vector<double> row(model.links.columns);
  for (std::size_t a = 0; a < parts.seen.size(); ++a) {
    detail::throw_if_stopped();
    for (std::size_t b = 0; b < a; ++b) {
      const Index i = parts.seen[a], j = parts.seen[b];
      if (partial.free(i, j) == 0) continue;
      if (!around) around.emplace(parts.graph, atom);
      double sum = 0;
      around->write_pair(static_cast<Index>(a), static_cast<Index>(b), row.data());
      sum += detail::logit(model.links, row.data());
      around->write_pair(static_cast<Index>(b), static_cast<Index>(a), row.data());
      sum += detail::logit(model.links, row.data());
      set_both(answer.probabilities, i, j, probability(sum / 2));
      set_both(answer.structure, i, j, probability(sum / 2));
    }
  }
}

/// Those that were not reached before a stop: the share of edges in training.
void guess_links(const PartialGraph& partial, const Parts& parts, const CompletionModel& model,
                 Completion& answer) {
  for (const Index i : parts.seen) {
    for (const Index j : parts.seen) {
      if (i > j && partial.free(i, j) != 0 && answer.probabilities(i, j) == 0) {
        set_both(answer.probabilities, i, j, probability(model.links.offset));
      }
    }
  }
}

bool free_feature(const PartialGraph& partial, Index node, Index column) {
  return partial.free_features.size() > 0 && partial.free_features(node, column) != 0;
}

/// Guesses about hidden nodes so far.
struct HiddenGuess {
  detail::EdgeProbabilities edges;
  HiddenNodes nodes;
};

/// Writes pairs with hidden nodes, and their features.
void write_hidden(const PartialGraph& partial, const Parts& parts, const HiddenGuess& guess,
                  Completion& answer) {
  const auto& [edges, nodes] = guess;
  for (Index u = 0; u < std::ssize(parts.hidden); ++u) {
    const Index node = parts.hidden[u];
    for (Index s = 0; s < std::ssize(parts.seen); ++s) {
      const Index other = parts.seen[s];
      set_both(answer.probabilities, node, other, edges.with_seen[s]);
      set_both(answer.structure, node, other, nodes.rows(u, s));
    }
    for (Index v = 0; v < u; ++v) {
      const Index other = parts.hidden[v];
      set_both(answer.probabilities, node, other, edges.among_hidden);
      set_both(answer.structure, node, other, nodes.pairs(u, v));
    }
    for (Index c = 0; c < answer.features.cols(); ++c) {
      if (free_feature(partial, node, c)) answer.features(node, c) = nodes.features(u, c);
    }
  }
}

/// Without looking at the graph: the share of edges in training, no edges, and mean features.
HiddenGuess first_guess(const Parts& parts, const CompletionModel& model) {
  const Index seen = std::ssize(parts.seen), hidden = std::ssize(parts.hidden);
  const Matrix& F = parts.graph.features;
  HiddenGuess guess{
      .edges = {.with_seen = Vector::Constant(seen, probability(model.hidden_edges.offset)),
                .among_hidden = probability(model.hidden_pairs.offset)},
      .nodes = {Matrix::Zero(hidden, seen), Matrix::Zero(hidden, hidden),
                Matrix(hidden, F.cols())}};
  if (F.size() > 0) guess.nodes.features.rowwise() = F.colwise().mean();
  return guess;
}

/// Better and better guesses; a stop leaves the last one.
void guess_hidden(const Parts& parts, const Atom& atom, const CompletionModel& model,
                  const LearnedCompletionOptions& method, std::uint64_t seed, HiddenGuess& guess) {
  const Index seen = std::ssize(parts.seen), hidden = std::ssize(parts.hidden);
  if (hidden == 0) return;
  detail::CompletionDraws source(parts.graph, atom, model);
  guess.edges.with_seen = source.probabilities();
  std::vector<double> row(model.hidden_pairs.columns);
  detail::Surroundings(parts.graph, atom).write_graph(row.data());
  guess.edges.among_hidden = probability(detail::logit(model.hidden_pairs, row.data()));
  const double work = static_cast<double>(hidden) * static_cast<double>(seen + hidden);
  const int draws = std::clamp(static_cast<int>(most_trees_asked / work), std::min(8, method.draws),
                               method.draws);
  std::vector<HiddenNodes> drawn;
  for (int r = 0; r < draws; ++r) {
    detail::Random random(seed, static_cast<std::uint64_t>(r));
    drawn.push_back(source.draw(random));
    if (r == 0) guess.nodes = drawn.front();
  }
  guess.nodes = detail::plausible_graph(drawn, guess.edges);
}

/// The graph that has an edge wherever one is likelier than not.
Sample round_to_sample(const Completion& answer) {
  const Matrix C = (answer.structure.array() > 0.5).cast<double>();
  return {{Structure::dense(C), uniform_weights(C.rows())}, answer.features};
}

void check_model(const CompletionModel& model, Index columns) {
  if (model.hidden_edges.columns != detail::Surroundings::node_columns(columns) ||
      model.anchored_edges.columns != detail::SettledTies::anchored_columns(columns) ||
      model.links.columns != detail::Surroundings::pair_columns(columns) ||
      model.hidden_pairs.columns != detail::Surroundings::graph_columns(columns) ||
      (columns > 0 && (model.feature_weights.rows() != detail::feature_evidence_columns(columns) ||
                       model.feature_weights.cols() != columns))) {
    fail_argument(
        "the completion model does not fit the dictionary, expected one trained with it by this "
        "version");
  }
}

}  // namespace

Completion complete(const Dictionary& dictionary, const CompletionModel& model,
                    const PartialGraph& graph, const LearnedCompletionOptions& method,
                    const Run& run) {
  check(dictionary);
  check(graph);
  check_fields(method);
  detail::check_kind(dictionary.columns(), graph);
  check_model(model, dictionary.columns());
  if (!detail::is_symmetric(graph)) {
    fail_argument("the graph is directed, expected an undirected one for learned completion");
  }
  if (dictionary.unit != 1) {
    return detail::complete_in_unit(dictionary, graph, run,
                                    [&](const auto& scaled, const auto& part, const Run& inner) {
                                      return complete(scaled, model, part, method, inner);
                                    });
  }
  const Atom& atom = dictionary.atoms.front();
  Parts parts = parts_of(graph);
  Completion answer{.structure = known_structure(graph), .features = graph.features};
  answer.probabilities = answer.structure;
  guess_features(graph, model, parts);
  for (std::size_t s = 0; s < parts.seen.size() && answer.features.cols() > 0; ++s) {
    answer.features.row(parts.seen[s]) = parts.graph.features.row(static_cast<Index>(s));
  }
  HiddenGuess guess = first_guess(parts, model);
  detail::Projector projector(dictionary.projection, 1);
  projector.set_atom(atom);
  bool links_known = false;
  answer.status = Status::converged;
  const auto stopped = detail::run_until_stopped(run, [&](StopScope&) {
    detail::set_roles(projector, 0, parts.graph);
    detail::recall(model.memory, nullptr, parts.graph);
    fill_links(graph, parts, atom, model, answer);
    links_known = true;
    guess_hidden(parts, atom, model, method, run.seed, guess);
    write_hidden(graph, parts, guess, answer);
    answer.value = projector.solve(0, round_to_sample(answer)).value;
  });
  const detail::StopShield shield;
  if (stopped) {
    answer.status = *stopped;
    if (!links_known) guess_links(graph, parts, model, answer);
    write_hidden(graph, parts, guess, answer);
    answer.value = projector.value(
        0, round_to_sample(answer),
        Plan::from_product(uniform_weights(graph.size()), uniform_weights(atom.size())));
  }
  answer.values = {answer.value};
  return answer;
}

}  // namespace srgw
