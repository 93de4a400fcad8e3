// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "completion/environments.hpp"
#include "completion/feature_guess.hpp"
#include "completion/forest.hpp"
#include "completion/half_seen.hpp"
#include "completion/settled_ties.hpp"
#include "dictionary/sample_scale.hpp"
#include "srgw/completion.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::HalfSeen;
using detail::LabelledRows;
using detail::Random;
using detail::SettledTies;
using detail::Surroundings;

constexpr std::size_t most_anchors = 1;  // hidden nodes of a half-seen graph that are looked at
constexpr std::size_t most_nodes = 64;   // nodes that an anchored row is written for
constexpr int links_to_free = 2;         // hidden among the seen nodes, to learn links
// Graphs by their number, in so many parts. The last is kept aside; and what is remembered of
// environments comes from other parts than a graph's own, or trees would read its edges from that.
constexpr std::size_t folds = 6;

/// Rows of one half-seen graph for a forest.
struct Block {
  std::vector<double> numbers, shares, weights;

  double* next(Index columns, double share, double weight) {
    shares.push_back(share);
    weights.push_back(weight);
    numbers.resize(numbers.size() + columns);
    return numbers.data() + numbers.size() - columns;
  }
};

struct Blocks {
  Block nodes, anchored, pairs, links;
  bool aside = false;
};

bool tied(const std::vector<std::vector<NodeId>>& neighbours, NodeId a, NodeId b) {
  return std::ranges::find(neighbours[a], b) != neighbours[a].end();
}

/// A training graph as it was.
struct Whole {
  std::vector<std::vector<NodeId>> neighbours;
  const Matrix& features;
};

/// How often a seen node is tied to a hidden one.
double ties_of(const std::vector<std::vector<NodeId>>& neighbours, const HalfSeen& half,
               std::size_t shown) {
  double ties = 0;
  for (const NodeId u : half.hidden) {
    ties += static_cast<double>(tied(neighbours, half.shown[shown], u));
  }
  return ties;
}

void count_environments(const std::vector<std::vector<NodeId>>& neighbours, const HalfSeen& half,
                        detail::EnvironmentCounts& counts) {
  const std::vector<std::uint64_t> codes = detail::environment_codes(half.seen);
  const auto pairs = static_cast<double>(half.hidden.size());
  const std::size_t sizes = detail::environment_sizes(half.seen.features.cols());
  for (std::size_t s = 0; s < half.shown.size(); ++s) {
    const double ties = ties_of(neighbours, half, s);
    for (std::size_t r = 0; r < sizes; ++r) counts.add(codes[s * sizes + r], ties, pairs);
  }
}

/// The memory of environments, and the share of it that comes from a graph and its fold.
struct Recollection {
  const EnvironmentMemory& memory;
  const detail::EnvironmentCounts* own;
};

class RowWriter {
 public:
  RowWriter(const Whole& whole, const HalfSeen& half, const Atom& atom,
            const Recollection& recollection, Random& random)
      : whole_(whole),
        half_(half),
        atom_(atom),
        recollection_(recollection),
        random_(random),
        around_(half.seen, atom),
        columns_(half.seen.features.cols()) {}

  [[nodiscard]] Blocks write() {
    Blocks blocks;
    write_nodes(blocks.nodes);
    write_anchored(blocks.anchored);
    write_pairs(blocks.pairs);
    write_links(blocks.links);
    return blocks;
  }

 private:
  // How likely a seen node is tied to a hidden one, whichever.
  void write_nodes(Block& block) const {
    const auto hidden = static_cast<double>(half_.hidden.size());
    const double weight = 1 / static_cast<double>(half_.shown.size());
    for (std::size_t s = 0; s < half_.shown.size(); ++s) {
      const double share = ties_of(whole_.neighbours, half_, s) / hidden;
      around_.write_node(static_cast<Index>(s),
                         block.next(Surroundings::node_columns(columns_), share, weight));
    }
  }

  // Examples of a hidden node that is known to have an edge to another seen node; more of its edges
  // may be known.
  void write_anchored(Block& block) {
    const std::size_t looks = std::min(most_anchors, half_.hidden.size());
    for (std::size_t look = 0; look < looks; ++look) {
      const NodeId u = half_.hidden[look];
      std::vector<std::size_t> anchors;
      for (std::size_t s = 0; s < half_.shown.size(); ++s) {
        if (tied(whole_.neighbours, half_.shown[s], u)) anchors.push_back(s);
      }
      if (anchors.empty()) continue;
      const std::size_t anchor = anchors[random_.below(anchors.size())];
      const std::size_t count = half_.shown.size(), used = std::min(count, most_nodes);
      const double weight = 1 / static_cast<double>(used * looks);
      const std::size_t first = random_.below(count);
      const SettledTies settled = settle_some(u, anchor);
      for (std::size_t step = 0; step < used; ++step) {
        const std::size_t s = (first + step) % count;
        if (settled.known(static_cast<Index>(s))) continue;
        const bool edge = tied(whole_.neighbours, half_.shown[s], u);
        double* row =
            block.next(SettledTies::anchored_columns(columns_), static_cast<double>(edge), weight);
        around_.write_pair(static_cast<Index>(s), static_cast<Index>(anchor), row);
        settled.write(static_cast<Index>(s), row + Surroundings::pair_columns(columns_));
      }
    }
  }

  // As in the midst of a draw: the tie of u with the anchor, and those with some classes of twins,
  // as many as chance says; each third time the anchor alone.
  SettledTies settle_some(NodeId u, std::size_t anchor) {
    const std::size_t count = half_.shown.size();
    std::vector<double> turns(count), of_classes;
    for (std::size_t s = 0; s < count; ++s) {
      turns[s] = random_.uniform();
      if (s == anchor) continue;
      std::size_t twin = 0;
      while (twin < s &&
             (twin == anchor || !around_.twins(static_cast<Index>(s), static_cast<Index>(twin)))) {
        ++twin;
      }
      if (twin < s) {
        turns[s] = turns[twin];
      } else {
        of_classes.push_back(turns[s]);
      }
    }
    std::ranges::sort(of_classes);
    std::size_t known = 0;
    if (!of_classes.empty() && random_.below(3) != 0) known = random_.below(of_classes.size());
    SettledTies settled(half_.seen);
    for (std::size_t s = 0; s < count; ++s) {
      if (s != anchor && (known == 0 || turns[s] > of_classes[known - 1])) continue;
      settled.settle(static_cast<Index>(s), tied(whole_.neighbours, half_.shown[s], u));
    }
    return settled;
  }

  void write_pairs(Block& block) const {
    const std::size_t count = half_.hidden.size();
    if (count < 2) return;
    double ties = 0;
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        ties += static_cast<double>(tied(whole_.neighbours, half_.hidden[a], half_.hidden[b]));
      }
    }
    const double pairs = static_cast<double>(count * (count - 1)) / 2;
    around_.write_graph(block.next(Surroundings::graph_columns(columns_), ties / pairs, 1));
  }

  // Some pairs of seen nodes lose their edge, if they have one; rows are written in both
  // directions.
  void write_links(Block& block) {
    const std::size_t count = half_.shown.size();
    detail::SeenGraph graph = half_.seen;
    struct Pair {
      NodeId a, b;
      bool edge;
    };
    std::vector<Pair> pairs;
    for (int f = 0; f < links_to_free; ++f) {
      const auto a = static_cast<NodeId>(random_.below(count));
      const auto b = static_cast<NodeId>(random_.below(count));
      if (a == b) continue;
      const bool edge = tied(half_.seen.neighbours, a, b);
      std::erase(graph.neighbours[a], b);
      std::erase(graph.neighbours[b], a);
      pairs.push_back({a, b, edge});
    }
    detail::recall(recollection_.memory, recollection_.own, graph);
    const Surroundings around(graph, atom_);
    for (const auto& [a, b, edge] : pairs) {
      const double share = static_cast<double>(edge);
      around.write_pair(a, b, block.next(Surroundings::pair_columns(columns_), share, 1));
      around.write_pair(b, a, block.next(Surroundings::pair_columns(columns_), share, 1));
    }
  }

  const Whole& whole_;
  const HalfSeen& half_;
  const Atom& atom_;
  const Recollection& recollection_;
  Random& random_;
  Surroundings around_;
  Index columns_;
};

/// All blocks one below the other.
LabelledRows join_blocks(const std::vector<Blocks>& all, Block Blocks::*part, Index columns) {
  std::size_t count = 0;
  for (const Blocks& blocks : all) count += (blocks.*part).shares.size();
  LabelledRows rows{.rows = Matrix(static_cast<Index>(count), columns),
                    .shares = Vector(static_cast<Index>(count)),
                    .weights = Vector(static_cast<Index>(count)),
                    .aside = {}};
  Index at = 0;
  for (const Blocks& blocks : all) {
    detail::throw_if_stopped();
    const Block& block = blocks.*part;
    const Index here = std::ssize(block.shares);
    std::ranges::copy(block.numbers, rows.rows.data() + at * columns);
    rows.shares.segment(at, here) = Eigen::Map<const Vector>(block.shares.data(), here);
    rows.weights.segment(at, here) = Eigen::Map<const Vector>(block.weights.data(), here);
    rows.aside.insert(rows.aside.end(), here, blocks.aside);
    at += here;
  }
  return rows;
}

void judge(const LabelledRows& rows, const Vector& predictions, CompletionEvidence& evidence) {
  Index at = 0;
  double error = 0, weights = 0;
  for (std::size_t r = 0; r < rows.aside.size(); ++r) {
    if (!rows.aside[r]) continue;
    const auto row = static_cast<Index>(r);
    const double p = detail::probability(predictions[at++]), y = rows.shares[row];
    const double weight = rows.weights[row];
    error += weight * (y * (1 - p) * (1 - p) + (1 - y) * p * p);
    weights += weight;
    const auto tenth = std::min<Index>(9, static_cast<Index>(p * 10));
    evidence.reliability.row(tenth) += Eigen::RowVector3d(1, p, y);
  }
  evidence.brier = weights > 0 ? error / weights : 0;
  for (Index b = 0; b < 10; ++b) {
    auto bin = evidence.reliability.row(b);
    if (bin[0] > 0) bin.tail(2) /= bin[0];
  }
}

bool is_one_hot(std::span<const Sample> samples) {
  for (const Sample& sample : samples) {
    const auto& F = sample.features;
    if (F.cols() == 0 || ((F.array() != 0) && (F.array() != 1)).any()) return false;
    if ((F.rowwise().sum().array() != 1).any()) return false;
  }
  return true;
}

void check_training(const Dictionary& dictionary, std::span<const Sample> samples,
                    const CompletionTraining& training) {
  check(dictionary);
  check_fields(training);
  check(samples, dictionary.columns());
  bool large = false;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    if (!samples[s].source.structure.symmetric()) {
      fail_argument("graph {} is directed, expected undirected graphs to learn completion from", s);
    }
    large = large || samples[s].source.structure.size() >= 3;
  }
  if (!large) fail_argument("no graph has 3 nodes or more, expected some to hide nodes of");
}

/// Training graphs, hidden again and again, and what that says about environments.
struct HiddenOften {
  std::vector<HalfSeen> halves;                   // `times` of each graph
  std::vector<detail::EnvironmentCounts> counts;  // of graphs g with the same g % folds
  EnvironmentMemory memory;                       // of all of them
};

HiddenOften hide_often(const Dictionary& dictionary, std::span<const Sample> samples,
                       const CompletionTraining& training, int times, const Run& run) {
  const int threads = detail::resolve_threads(run.threads);
  detail::Projector projector(dictionary.projection, threads);
  projector.set_atom(dictionary.atoms.front());
  HiddenOften often;
  often.halves.resize(samples.size() * times);
  often.counts.resize(folds);
  std::vector<detail::EnvironmentCounts> of_graphs(samples.size());
  detail::parallel_for(std::ssize(samples), threads, [&](Index g, int worker) {
    const Sample& sample = samples[g];
    const Index n = sample.source.structure.size();
    if (n < 3) return;
    const auto neighbours = detail::neighbours_of(sample.source.structure.dense());
    const auto most =
        std::clamp<Index>(static_cast<Index>(training.rate * static_cast<double>(n)), 1, n - 2);
    for (int t = 0; t < times; ++t) {
      detail::throw_if_stopped();
      const std::size_t item = g * times + t;
      Random random(run.seed, item);
      // Every other time fewer are hidden, as when some of them have been guessed already.
      const Index count =
          t % 2 == 0 ? most
                     : 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(most)));
      HalfSeen& half = often.halves[item];
      half = detail::hide_nodes(neighbours, sample.features, count, random);
      detail::set_roles(projector, worker, half.seen);
      count_environments(neighbours, half, of_graphs[g]);
    }
  });
  for (std::size_t g = 0; g < of_graphs.size(); ++g) often.counts[g % folds].add(of_graphs[g]);
  detail::EnvironmentCounts all;
  for (const auto& counts : often.counts) all.add(counts);
  often.memory = all.memory();
  return often;
}

}  // namespace

CompletionModel learn_completion(const Dictionary& dictionary, std::span<const Sample> samples,
                                 const CompletionTraining& training, const Run& run) {
  const StopScope scope(run);
  check_training(dictionary, samples, training);
  if (dictionary.unit != 1) {
    const int exponent = std::ilogb(dictionary.unit);
    return learn_completion(detail::times_power_of_two(dictionary, -exponent),
                            detail::times_power_of_two(samples, -exponent), training, run);
  }
  const int threads = detail::resolve_threads(run.threads);
  const Atom& atom = dictionary.atoms.front();
  const Index columns = dictionary.columns();
  const auto graphs = static_cast<int>(samples.size());
  const int times = std::clamp(training.half_seen / std::max(1, graphs), 1, training.most_of_one);

  const HiddenOften often = hide_often(dictionary, samples, training, times, run);
  std::vector<Blocks> all(often.halves.size());
  std::vector<detail::FeatureRegression> guesses(samples.size(),
                                                 detail::FeatureRegression(columns));
  detail::parallel_for(graphs, threads, [&](Index g, int) {
    const std::size_t graph = g;
    const Sample& sample = samples[graph];
    if (sample.source.structure.size() < 3) return;
    const Whole whole{detail::neighbours_of(sample.source.structure.dense()), sample.features};
    for (int t = 0; t < times; ++t) {
      detail::throw_if_stopped();
      const std::size_t item = graph * times + t;
      HalfSeen half = often.halves[item];
      const Recollection recollection{often.memory, &often.counts[graph % folds]};
      detail::recall(recollection.memory, recollection.own, half.seen);
      Random random(run.seed, (std::uint64_t{1} << 40U) + item);
      all[item] = RowWriter(whole, half, atom, recollection, random).write();
      all[item].aside = graph % folds == folds - 1;
    }
    if (columns == 0) return;
    const detail::SeenGraph shown{whole.neighbours, whole.features, {}, 0, {}, 0};
    for (std::size_t i = 0; i < whole.neighbours.size(); ++i) {
      guesses[graph].add(detail::feature_evidence(shown, whole.neighbours[i]),
                         whole.features.row(static_cast<Index>(i)).transpose());
    }
  });

  const detail::Boosting boosting{.rounds = training.rounds,
                                  .learning_rate = training.learning_rate,
                                  .leaves = training.leaves,
                                  .threads = threads,
                                  .on_tree = [&, trees = 0]() mutable {
                                    if (run.observer && !run.observer({.iteration = ++trees})) {
                                      throw detail::Stopped(Status::interrupted);
                                    }
                                  }};
  // The probabilities of the answer rest on the first forest alone. The others are asked far more
  // often, and learn as well in half as many steps that are twice as large.
  detail::Boosting quicker = boosting;
  quicker.learning_rate = std::min(1.0, 2 * boosting.learning_rate);
  quicker.rounds = (boosting.rounds + 1) / 2;
  CompletionModel model{.one_hot = is_one_hot(samples)};
  const LabelledRows nodes = join_blocks(all, &Blocks::nodes, Surroundings::node_columns(columns));
  const detail::Grown grown = grow_forest(nodes, boosting);
  model.hidden_edges = grown.forest;
  const auto forest_of = [&](Block Blocks::*part, Index width) {
    const LabelledRows rows = join_blocks(all, part, width);
    return rows.shares.size() == 0 ? Forest{.columns = width, .offset = grown.forest.offset}
                                   : grow_forest(rows, quicker).forest;
  };
  model.memory = often.memory;
  model.anchored_edges = forest_of(&Blocks::anchored, SettledTies::anchored_columns(columns));
  model.hidden_pairs = forest_of(&Blocks::pairs, Surroundings::graph_columns(columns));
  model.links = forest_of(&Blocks::links, Surroundings::pair_columns(columns));
  if (columns > 0) {
    detail::FeatureRegression regression(columns);
    for (const auto& guess : guesses) regression.add(guess);
    model.feature_weights = regression.weights();
  }
  model.evidence = {
      .rate = training.rate, .graphs = graphs, .half_seen = static_cast<Index>(all.size())};
  if (grown.predictions.size() > 0) judge(nodes, grown.predictions, model.evidence);
  return model;
}

}  // namespace srgw
