// SPDX-License-Identifier: MIT
#include "srgw/completion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "completion/draws.hpp"
#include "completion/environments.hpp"
#include "completion/forest.hpp"
#include "completion/half_seen.hpp"
#include "completion/settled_ties.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using test::expect_error;

/// Two cliques that share their first node, with labels that tell the shared node apart.
Sample two_cliques(Index first, Index second, bool labels) {
  const Index n = first + second - 1;
  Matrix C = Matrix::Zero(n, n);
  const auto tie = [&](const std::vector<Index>& nodes) {
    for (const Index i : nodes) {
      for (const Index j : nodes) C(i, j) = static_cast<double>(i != j);
    }
  };
  std::vector<Index> a, b{0};
  for (Index i = 0; i < first; ++i) a.push_back(i);
  for (Index i = first; i < n; ++i) b.push_back(i);
  tie(a);
  tie(b);
  Sample sample{{Structure::dense(C), Vector::Constant(n, 1 / static_cast<double>(n))}, {}};
  if (labels) {
    sample.features = Matrix::Zero(n, 2);
    sample.features.col(1).setOnes();
    sample.features.row(0) << 1, 0;
  }
  return sample;
}

struct Trained {
  std::vector<Sample> samples;
  Dictionary dictionary;
  CompletionModel model;

  explicit Trained(bool labels, int threads = 1) {
    for (Index g = 0; g < 40; ++g) {
      samples.push_back(two_cliques(4 + g % 5, 5 + g % 3, labels));
    }
    dictionary.atoms.push_back(learn(samples, 4, {}, {}, {.threads = 1}).atom);
    model = learn_completion(dictionary, samples, {.rate = 0.2, .half_seen = 160},
                             {.threads = threads});
  }
};

/// Nodes 1 and `first` (one of each clique) are hidden.
struct Hidden {
  Matrix truth, features;
  PartialGraph graph;

  Hidden(Index first, Index second, bool labels) {
    const Sample whole = two_cliques(first, second, labels);
    const Index n = whole.source.structure.size();
    std::vector<Index> order;
    for (Index i = 0; i < n; ++i) {
      if (i != 1 && i != first) order.push_back(i);
    }
    order.push_back(1);
    order.push_back(first);
    truth = whole.source.structure.dense()(order, order);
    Matrix seen_features;
    if (labels) {
      features = whole.features(order, Eigen::all);
      seen_features = features.topRows(n - 2);
    }
    graph = half_seen(truth.topLeftCorner(n - 2, n - 2), seen_features, n);
  }
};

/// Edges are likely where the second column is above 0.4.
detail::LabelledRows stepped_rows() {
  detail::Random random(1, 0);
  detail::LabelledRows data{Matrix(4000, 3), Vector(4000), Vector::Ones(4000), {}};
  for (Index r = 0; r < 4000; ++r) {
    for (Index c = 0; c < 3; ++c) data.rows(r, c) = random.uniform();
    const double p = data.rows(r, 1) > 0.4 ? 0.8 : 0.1;
    data.shares[r] = static_cast<double>(random.uniform() < p);
    data.aside.push_back(r % 5 == 0);
  }
  return data;
}

TEST(Forest, LearnsAStepAndIsCalibrated) {
  const detail::Grown grown = grow_forest(stepped_rows(), {});
  EXPECT_EQ(grown.predictions.size(), 800);
  for (const double x : {0.1, 0.3, 0.5, 0.9}) {
    const double row[] = {0.5, x, 0.5};
    EXPECT_NEAR(detail::probability(detail::logit(grown.forest, row)), x > 0.4 ? 0.8 : 0.1, 0.06);
  }
}

TEST(Forest, IsTheSameOnAllThreads) {
  detail::Random random(2, 0);
  detail::LabelledRows data{test::random_matrix(20000, 12, random), Vector(20000),
                            Vector::Ones(20000), std::vector<bool>(20000, false)};
  for (Index r = 0; r < 20000; ++r) data.shares[r] = static_cast<double>(data.rows(r, 3) > 0);
  const Forest one = grow_forest(data, {.rounds = 3, .threads = 1}).forest;
  const Forest four = grow_forest(data, {.rounds = 3, .threads = 4}).forest;
  EXPECT_EQ(one.threshold, four.threshold);
  EXPECT_EQ(one.value, four.value);
}

TEST(Forest, ReadsSomeColumnsInEachTree) {
  detail::Random random(3, 0);
  detail::LabelledRows data{
      test::random_matrix(500, 2, random), Vector(500), Vector::Ones(500), {}};
  for (Index r = 0; r < 500; ++r) data.shares[r] = static_cast<double>(data.rows(r, 0) > 0);
  const auto columns_of = [&](double share) {
    const Forest forest = grow_forest(data, {.rounds = 40, .leaves = 2, .columns = share}).forest;
    return std::set<std::int32_t>(forest.column.begin(), forest.column.end());
  };
  // All of what there is to learn is in the first column; a tree that may not read it takes the
  // other one.
  EXPECT_EQ(columns_of(1), (std::set<std::int32_t>{-1, 0}));
  EXPECT_EQ(columns_of(0.5), (std::set<std::int32_t>{-1, 0, 1}));
}

TEST(PackedForest, SaysWhatTreesSayOneAfterTheOther) {
  detail::Random random(4, 0);
  detail::LabelledRows data{
      test::random_matrix(3000, 5, random), Vector(3000), Vector::Ones(3000), {}};
  for (Index r = 0; r < 3000; ++r) {
    data.shares[r] = static_cast<double>(data.rows(r, 0) * data.rows(r, 3) > 0.1);
  }
  for (const int leaves : {2, 12, 63, 64, 65, 200}) {
    SCOPED_TRACE(leaves);
    const Forest forest =
        grow_forest(data, {.rounds = 20, .leaves = leaves, .least_weight = 1}).forest;
    const detail::PackedForest packed(forest);
    for (const Index count : {0, 1, 7, 8, 37}) {
      const Matrix rows = data.rows.topRows(count);
      const Vector all = packed.logits(rows);
      ASSERT_EQ(all.size(), count);
      for (Index r = 0; r < count; ++r) {
        EXPECT_EQ(all[r], detail::logit(forest, rows.row(r).data()));
      }
    }
  }
  const Forest no_trees{.columns = 5, .offset = 0.25};
  EXPECT_EQ(detail::PackedForest(no_trees).logits(data.rows.topRows(2)), Vector::Constant(2, 0.25));
}

TEST(Surroundings, DoNotDependOnTheOrderOfNodes) {
  const Sample sample = two_cliques(4, 5, true);
  const Matrix C = sample.source.structure.dense();
  const std::vector<Index> order{7, 2, 0, 5, 1, 3, 6, 4};
  const Atom atom{Matrix::Identity(2, 2)};
  const auto graph_of = [&](const Matrix& structure, const Matrix& features) {
    detail::SeenGraph graph{detail::neighbours_of(structure),  features, {}, 0.5,
                            Matrix::Zero(structure.rows(), 4), 2};
    for (Index i = 0; i < structure.rows(); ++i) {
      graph.roles.push_back(static_cast<NodeId>(features(i, 0)));
    }
    return graph;
  };
  const auto plain = graph_of(C, sample.features);
  const auto moved = graph_of(C(order, order), sample.features(order, Eigen::all));
  const detail::Surroundings a(plain, atom), b(moved, atom);
  std::vector<double> row(static_cast<std::size_t>(detail::Surroundings::pair_columns(2)));
  std::vector<double> other(row.size());
  for (Index i = 0; i < 8; ++i) {
    for (Index j = 0; j < 8; ++j) {
      if (i == j) continue;
      a.write_pair(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)],
                   row.data());
      b.write_pair(i, j, other.data());
      for (std::size_t e = 0; e < row.size(); ++e) EXPECT_NEAR(row[e], other[e], 1e-12) << e;
    }
  }
}

TEST(Surroundings, MeasureWhatTheySay) {
  // A path 0 - 1 - 2 with a lone node 3.
  detail::SeenGraph graph{{{1}, {0, 2}, {1}, {}},    {}, {0, 1, 0, 0}, 0.25,
                          Matrix::Constant(4, 2, 7), 2};
  const Atom atom{Matrix::Identity(2, 2)};
  const detail::Surroundings around(graph, atom);
  std::vector<double> row(static_cast<std::size_t>(detail::Surroundings::node_columns(0)));
  around.write_node(1, row.data());
  const std::pair<const char*, double> expected[] = {
      {"nodes of the graph", 4},
      {"hidden nodes", 2},
      {"share of hidden nodes", 2. / 6},
      {"mean degree", 1},
      {"density", 1. / 3},
      {"deviation of degrees", std::sqrt(0.5)},
      {"largest degree / nodes", 0.5},
      {"share of ends", 0.5},
      {"share of nodes without edges", 0.25},
      {"share of nodes tied to all", 0},
      {"components", 2},
      {"mean clustering", 0},
      {"independent cycles", 0},
      {"fit of the atom", 0.25},
      {"degree", 2},
      {"degree / nodes", 0.5},
      {"degree / largest degree", 1},
      {"mean degree of neighbours", 1},
      {"mean degree of neighbours / nodes", 0.25},
      {"clustering", 0},
      {"share of nodes of lower degree", 0.75},
      {"share of nodes of this degree", 0.25},
      {"share of twins", 0.25},
      {"twins", 1},
      {"share of nodes in the component", 0.75},
      {"triangles", 0},
      {"least degree of neighbours", 1},
      {"largest degree of neighbours", 1},
      {"degree of its role", 0.25},
      {"remembered of the first environment", 7},
      {"remembered of the second environment", 7},
  };
  for (std::size_t e = 0; e < std::size(expected); ++e) {
    EXPECT_NEAR(row[e], expected[e].second, 1e-12) << expected[e].first;
  }
  // Nobody is two or more steps away.
  for (std::size_t e = std::size(expected); e < row.size(); ++e) EXPECT_EQ(row[e], 0) << e;
}

TEST(SettledTies, CountWhatWasSettledSoFar) {
  // A triangle 0 1 2 with a tail 2 - 3 - 4.
  detail::SeenGraph graph{{{1, 2}, {0, 2}, {0, 1, 3}, {2, 4}, {3}}, {}, {}, 0, {}, 1};
  detail::SettledTies settled(graph);
  std::vector<double> row(static_cast<std::size_t>(detail::SettledTies::columns()));
  const auto expect_row = [&](Index node, const std::vector<double>& expected) {
    settled.write(node, row.data());
    EXPECT_EQ(row, expected) << node;
  };
  expect_row(2, {0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 1});
  settled.settle(0, true);
  settled.settle(3, false);
  settled.settle(1, true);
  EXPECT_TRUE(settled.known(3) && settled.known(0) && !settled.known(2));
  EXPECT_TRUE(settled.tied(0) && !settled.tied(3) && !settled.tied(2));
  expect_row(2, {2, 1, 2. / 3, 2, 1, 1, 1, 2. / 3, 0, 0, 1});  // both of the tied are neighbours
  expect_row(4, {2, 1, 2. / 3, 0, 1, 0, 1, 0, 0, 2, 1});
  settled.settle(4, true);
  expect_row(2, {3, 1, 3. / 4, 2, 1, 2. / 3, 1, 2. / 3, 0, 1, 1. / 3});  // one of three pairs
}

TEST(Environments, AreTheSameForNodesThatLookAlikeAndShareWhatIsKnown) {
  // A ring of six: all alike. A path of four: ends and inner nodes.
  std::vector<std::vector<NodeId>> ring(6);
  for (NodeId i = 0; i < 6; ++i) ring[i] = {(i + 1) % 6, (i + 5) % 6};
  detail::SeenGraph round{ring, {}, {}, 0, {}, 1};
  detail::SeenGraph path{{{1}, {0, 2}, {1, 3}, {2}}, {}, {}, 0, {}, 1};
  const auto of_ring = detail::environment_codes(round), of_path = detail::environment_codes(path);
  const std::size_t sizes = detail::environment_sizes(0);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t r = 0; r < sizes; ++r) EXPECT_EQ(of_ring[i * sizes + r], of_ring[r]);
  }
  EXPECT_EQ(of_path[0], of_path[3 * sizes]);  // both have degree 1
  EXPECT_NE(of_path[0], of_path[sizes]);
  EXPECT_EQ(of_path[sizes], of_ring[0]);      // degree 2
  EXPECT_NE(of_path[sizes + 1], of_ring[1]);  // but other neighbours

  detail::EnvironmentCounts counts, own;
  counts.add(of_ring[0], 30, 100);
  own.add(of_ring[0], 20, 50);
  detail::recall(counts.memory(), nullptr, round);
  const double share = (30 + 4 * 0.2) / 104;
  EXPECT_NEAR(round.remembered(2, 0), std::log(share / (1 - share)), 1e-12);
  EXPECT_NEAR(round.remembered(2, 1), round.remembered(2, 0), 1e-12);  // nothing more is known
  detail::recall(counts.memory(), &own, round);
  const double rest = (10 + 4 * 0.2) / 54;
  EXPECT_NEAR(round.remembered(0, 0), std::log(rest / (1 - rest)), 1e-12);
}

TEST(CompletionDraws, AreTheSameWhateverWasDrawnBefore) {
  const Trained trained(true);
  const Hidden hidden(6, 6, true);
  const Index n = hidden.graph.size();
  detail::SeenGraph graph{detail::neighbours_of(hidden.graph.structure.topLeftCorner(n - 2, n - 2)),
                          hidden.graph.features.topRows(n - 2),
                          Assignment(static_cast<std::size_t>(n - 2), 0),
                          0,
                          {},
                          2};
  detail::recall(trained.model.memory, nullptr, graph);
  detail::CompletionDraws much(graph, trained.dictionary.atoms[0], trained.model);
  for (std::uint64_t r = 0; r < 10; ++r) {
    detail::CompletionDraws fresh(graph, trained.dictionary.atoms[0], trained.model);
    detail::Random one(7, r), other(7, r);
    const detail::HiddenNodes a = much.draw(one), b = fresh.draw(other);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.pairs, b.pairs);
    EXPECT_EQ(a.features, b.features);
  }
}

// The two cliques share a node that is tied to both; others are in one of them.
TEST(CompletionDraws, TieNodesToWholeCliques) {
  const Trained trained(false);
  const Hidden hidden(6, 6, false);
  const Index n = hidden.graph.size(), seen = n - 2;
  detail::SeenGraph graph{detail::neighbours_of(hidden.graph.structure.topLeftCorner(seen, seen)),
                          Matrix(seen, 0),
                          Assignment(static_cast<std::size_t>(seen), 0),
                          0,
                          {},
                          2};
  detail::recall(trained.model.memory, nullptr, graph);
  detail::CompletionDraws draws(graph, trained.dictionary.atoms[0], trained.model);
  int whole = 0, rows = 0;
  for (std::uint64_t r = 0; r < 50; ++r) {
    detail::Random random(5, r);
    const Matrix drawn = draws.draw(random).rows;
    for (Index u = 0; u < 2; ++u) {
      bool as_one = true;  // nodes of a clique are tied or not, all alike
      for (Index i = 1; i < seen; ++i) {
        for (Index j = 1; j < i; ++j) {
          const bool together = hidden.truth(i, j) != 0;
          as_one = as_one && (!together || drawn(u, i) == drawn(u, j));
        }
      }
      whole += static_cast<int>(as_one);
      ++rows;
    }
    EXPECT_TRUE(((drawn.array() == 0) || (drawn.array() == 1)).all());
  }
  EXPECT_GT(whole, 0.8 * rows);
}

TEST(PlausibleGraph, FindsHiddenNodesInWhateverOrder) {
  Matrix rows(2, 3), swapped(2, 3);
  rows << 1, 1, 0, 0, 0, 1;
  swapped << 0, 0, 1, 1, 1, 0;
  const Matrix pairs = Matrix::Zero(2, 2), none(2, 0);
  const Vector half = Vector::Constant(3, 0.5);
  const detail::HiddenNodes likely = detail::plausible_graph(
      {{rows, pairs, none}, {swapped, pairs, none}, {rows, pairs, none}}, {half, 0.1});
  EXPECT_EQ((likely.rows.array() > 0.5).cast<double>().matrix(), rows);
  EXPECT_LT(likely.pairs.maxCoeff(), 0.5);
}

// Rows say nothing here: who is tied to whom among the hidden nodes does.
TEST(PlausibleGraph, MatchesPairsOfHiddenNodes) {
  const Matrix rows = Matrix::Ones(3, 2), none(3, 0);
  const Vector likely_ties = Vector::Constant(2, 0.9);
  std::vector<detail::HiddenNodes> draws;
  for (Index apart = 0; apart < 3; ++apart) {  // this one is tied to neither of the others
    Matrix pairs = Matrix::Zero(3, 3);
    const Index a = (apart + 1) % 3, b = (apart + 2) % 3;
    pairs(a, b) = pairs(b, a) = 1;
    draws.push_back({rows, pairs, none});
  }
  const detail::HiddenNodes likely = detail::plausible_graph(draws, {likely_ties, 1.0 / 3});
  EXPECT_EQ((likely.pairs.array() > 0.5).count(), 2);
  EXPECT_GT(likely.rows.minCoeff(), 0.5);
}

class LearnedCompletionOf : public testing::TestWithParam<bool> {};

TEST_P(LearnedCompletionOf, TwoCliquesFindsOneNodeInEach) {
  const Trained trained(GetParam());
  const Hidden hidden(6, 6, GetParam());
  const Completion answer = complete(trained.dictionary, trained.model, hidden.graph);
  const Index n = hidden.graph.size();
  // Node 0 is tied to all; hidden nodes can be exchanged, in probability.
  EXPECT_GT(answer.probabilities(0, n - 1), 0.85);
  for (Index i = 0; i < n - 2; ++i) {
    EXPECT_EQ(answer.probabilities(i, n - 1), answer.probabilities(i, n - 2));
  }
  EXPECT_EQ(answer.probabilities, answer.probabilities.transpose());
  EXPECT_EQ(answer.structure, answer.structure.transpose());
  EXPECT_TRUE(answer.structure.allFinite() && answer.features.allFinite());
  const CompletionScores scores = score(hidden.graph, answer, hidden.truth, hidden.features);
  EXPECT_GT(scores.accuracy_aligned, 0.85);
  EXPECT_GT(scores.accuracy_aligned, scores.accuracy_raw);
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutLabels, LearnedCompletionOf, testing::Bool());

TEST(LearnedCompletion, FillsFreePairsAndFeaturesOfSeenNodes) {
  const Trained trained(true);
  const Sample whole = two_cliques(6, 6, true);
  const Matrix C = whole.source.structure.dense();
  PartialGraph graph = half_seen(C, whole.features, C.rows());
  graph.free(1, 2) = graph.free(2, 1) = 1;  // an edge
  graph.free(1, 8) = graph.free(8, 1) = 1;  // none
  graph.free_features.row(3).setOnes();
  const Completion answer = complete(trained.dictionary, trained.model, graph);
  EXPECT_GT(answer.probabilities(1, 2), 0.5);
  EXPECT_LT(answer.probabilities(1, 8), 0.5);
  EXPECT_GT(answer.features(3, 1), answer.features(3, 0));
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < C.rows(); ++j) {
      if (graph.free(i, j) != 0) continue;
      EXPECT_EQ(answer.structure(i, j), C(i, j));
    }
  }
}

TEST(LearnedCompletion, IsTheSameOnAllThreads) {
  const Trained one(true, 1), three(true, 3);
  const Hidden hidden(6, 6, true);
  const Completion a = complete(one.dictionary, one.model, hidden.graph);
  const Completion b = complete(three.dictionary, three.model, hidden.graph, {}, {.threads = 3});
  EXPECT_EQ(a.structure, b.structure);
  EXPECT_EQ(a.probabilities, b.probabilities);
}

TEST(CompletionModel, IsReadBackAsItWasAndOldModelsHaveNone) {
  const Trained trained(true);
  io::Archive archive = to_archive(trained.dictionary);
  EXPECT_FALSE(completion_from(archive));
  add_completion(trained.model, archive);
  EXPECT_EQ(from_archive<Dictionary>(archive).atoms[0].structure,
            trained.dictionary.atoms[0].structure);
  const auto again = completion_from(archive);
  ASSERT_TRUE(again);
  const Hidden hidden(6, 6, true);
  const Completion a = complete(trained.dictionary, trained.model, hidden.graph);
  const Completion b = complete(trained.dictionary, *again, hidden.graph);
  EXPECT_EQ(a.structure, b.structure);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(again->evidence.half_seen, trained.model.evidence.half_seen);
  EXPECT_EQ(again->evidence.reliability, trained.model.evidence.reliability);
}

TEST(CompletionModel, RefusesTreesThatDoNotEnd) {
  Trained trained(false);
  trained.model.links.next.at(0) = 0;
  trained.model.links.column.at(0) = 0;
  io::Archive archive = to_archive(trained.dictionary);
  add_completion(trained.model, archive);
  expect_error([&] { return completion_from(archive); },
               "completion model: the trees 'links' are broken", Error::Kind::format);
}

TEST(CompletionModel, RefusesWhatIsNoNumberAndWeightsOfOtherFeatures) {
  Trained broken(false);
  const auto& column = broken.model.links.column;
  const auto leaf = std::ranges::find_if(column, [](std::int32_t c) { return c < 0; });
  ASSERT_NE(leaf, column.end());
  broken.model.links.value.at(static_cast<std::size_t>(leaf - column.begin())) = std::nan("");
  io::Archive archive = to_archive(broken.dictionary);
  add_completion(broken.model, archive);
  expect_error([&] { return completion_from(archive); },
               "completion model: the trees 'links' are broken", Error::Kind::format);
  Trained labelled(true);
  labelled.model.feature_weights = Matrix::Zero(1, 2);
  expect_error(
      [&] { return complete(labelled.dictionary, labelled.model, Hidden(6, 6, true).graph); },
      "the completion model does not fit the dictionary, expected one trained with it by this "
      "version");
}

TEST(LearnedCompletion, KeepsFeaturesThatAreKnownOfNodesWithoutKnownPairs) {
  const Trained trained(true);
  PartialGraph graph = Hidden(6, 6, true).graph;
  const Index last = graph.size() - 1;
  graph.features.row(last) = Vector::Unit(2, 1).transpose();
  graph.free_features.row(last).setZero();
  const Completion answer = complete(trained.dictionary, trained.model, graph);
  EXPECT_EQ(answer.features.row(last), graph.features.row(last));
}

TEST(LearnCompletion, RefusesWhatItCannotLearnFrom) {
  const Dictionary plain{{.atoms = {{Matrix::Ones(2, 2)}}}};
  Matrix C = Matrix::Zero(4, 4);
  C(0, 1) = 1;
  const Vector h = Vector::Constant(4, 0.25);
  const std::vector<Sample> directed{{{Structure::dense(C), h}, {}}};
  expect_error([&] { return learn_completion(plain, directed); },
               "graph 0 is directed, expected undirected graphs to learn completion from");
  const std::vector<Sample> tiny{
      {{Structure::dense(Matrix::Zero(2, 2)), Vector::Constant(2, 0.5)}, {}}};
  expect_error([&] { return learn_completion(plain, tiny); },
               "no graph has 3 nodes or more, expected some to hide nodes of");
}

TEST(CompletionScores, AreThoseCountedByHand) {
  // A triangle and a fourth node tied to node 0; nodes 2 and 3 are hidden.
  Matrix truth = Matrix::Zero(4, 4);
  const auto tie = [](Matrix& C, Index i, Index j, double p) { C(i, j) = C(j, i) = p; };
  tie(truth, 0, 1, 1);
  tie(truth, 0, 2, 1);
  tie(truth, 1, 2, 1);
  tie(truth, 0, 3, 1);
  const PartialGraph graph = half_seen(truth.topLeftCorner(2, 2), 4);
  Completion answer{.structure = truth};
  // Nodes 2 and 3 have changed places.
  answer.structure.row(2).swap(answer.structure.row(3));
  answer.structure.col(2).swap(answer.structure.col(3));
  answer.probabilities = answer.structure;
  tie(answer.probabilities, 0, 2, 0.9);
  tie(answer.probabilities, 0, 3, 0.8);
  tie(answer.probabilities, 1, 2, 0.3);
  tie(answer.probabilities, 1, 3, 0.6);
  tie(answer.probabilities, 2, 3, 0.1);
  const CompletionScores scores = score(graph, answer, truth, Matrix());
  EXPECT_NEAR(scores.accuracy_raw, 3.0 / 5, 1e-12);
  EXPECT_NEAR(scores.accuracy_aligned, 1, 1e-12);
  // Edges .9 .8 .3, others .6 .1: five of six pairs in order.
  EXPECT_NEAR(scores.auc.value(), 5.0 / 6, 1e-12);
  EXPECT_NEAR(scores.average_precision.value(), (1 + 1 + 3.0 / 4) / 3, 1e-12);
  EXPECT_NEAR(scores.brier, (0.01 + 0.04 + 0.49 + 0.36 + 0.01) / 5, 1e-12);
  EXPECT_EQ(scores.edge_count_error, 0);
  EXPECT_EQ(scores.degree_error, 0);
  EXPECT_FALSE(scores.feature_error);
  EXPECT_NEAR(scores.accuracy_coded, 1, 1e-12);
}

}  // namespace
}  // namespace srgw
