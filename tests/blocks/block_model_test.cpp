// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "blocks/block_counts.hpp"
#include "communities/log_counts.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/blocks.hpp"
#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "support/expect_error.hpp"

namespace srgw {
namespace {

Graph counted_graph(Index nodes, double p, std::uint64_t seed, bool directed, bool counts) {
  detail::Random random(seed, 3);
  std::vector<Entry> edges;
  for (Index i = 0; i < nodes; ++i) {
    for (Index j = directed ? 0 : i; j < nodes; ++j) {
      if (random.uniform() >= p) continue;
      edges.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j),
                       counts ? 1.0 + static_cast<double>(random.below(3)) : 1.0});
    }
  }
  return Graph::from_edges(nodes, edges, directed);
}

/// The formulas of the header, written again from the adjacency matrix.
double brute_length(const Graph& graph, const Assignment& labels, Index B, bool corrected) {
  using detail::log_factorial;
  const Index n = graph.nodes();
  Matrix A = Matrix::Zero(n, n);
  detail::for_each_entry(graph.adjacency(), [&](Index i, Index j, double w) {
    if (i != j) A(i, j) = w;
  });
  const bool directed = graph.directed();
  Matrix e = Matrix::Zero(B, B);
  Vector sizes = Vector::Zero(B);
  double length = 0;
  for (Index i = 0; i < n; ++i) {
    sizes[labels[i]] += 1;
    for (Index j = 0; j < n; ++j) {
      e(labels[i], labels[j]) += A(i, j);
      if (directed || i < j) length += log_factorial(A(i, j));
    }
  }
  const double edges = directed ? A.sum() : A.sum() / 2;
  for (Index r = 0; r < B; ++r) {
    for (Index s = 0; s < B; ++s) {
      if (directed) length -= log_factorial(e(r, s));
      if (!directed && r < s) length -= log_factorial(e(r, s));
    }
    if (!directed) length -= log_factorial(e(r, r) / 2) + e(r, r) / 2 * std::log(2.0);
    std::vector<double> ends{e.row(r).sum()};
    if (directed) ends.push_back(e.col(r).sum());
    for (const double end : ends) {
      length += corrected ? log_factorial(end) + detail::log_distributions(sizes[r], end)
                          : end * std::log(sizes[r]);
    }
    length -= log_factorial(sizes[r]);
  }
  if (corrected) {
    for (Index i = 0; i < n; ++i) {
      length -= log_factorial(A.row(i).sum());
      if (directed) length -= log_factorial(A.col(i).sum());
    }
  }
  const auto b = static_cast<double>(B), nodes = static_cast<double>(n);
  length += detail::log_distributions(directed ? b * b : b * (b + 1) / 2, edges);
  return length + std::log(nodes) + detail::log_distributions(b, nodes - b) + log_factorial(nodes);
}

TEST(BlockModel, LengthAndItsChangesAreThoseOfTheFormula) {
  for (const bool directed : {false, true}) {
    for (const bool corrected : {false, true}) {
      const Graph graph = counted_graph(14, 0.4, 7, directed, true);
      Assignment labels{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0};
      EXPECT_NEAR(description_length(graph, labels, corrected),
                  brute_length(graph, labels, 3, corrected), 1e-9);
      const detail::CountedGraph counted = detail::count_edges(graph);
      detail::Random random(1, 1);
      detail::BlockCounts blocks(counted, labels, 3, corrected);
      detail::BlockCounts::Links links(3);
      for (int step = 0; step < 60; ++step) {
        const auto i = static_cast<std::size_t>(random.below(14));
        const auto to = static_cast<NodeId>(random.below(3));
        const NodeId from = labels[i];
        if (from == to || !blocks.may_leave(from)) continue;
        const double before = brute_length(graph, labels, 3, corrected);
        links.gather(counted, labels, i);
        const double cost = blocks.cost_of_move(from, to, links);
        blocks.move(from, to, links);
        labels[i] = to;
        const double after = brute_length(graph, labels, 3, corrected);
        EXPECT_NEAR(cost, after - before, 1e-9);
        EXPECT_NEAR(blocks.length(), after, 1e-9);
      }
      Assignment merged = labels;
      for (NodeId& label : merged) label = label == 2 ? 0 : label;
      const auto edges = directed ? counted.edges : counted.edges;
      const double prior = detail::log_distributions(directed ? 9 : 6, edges) -
                           detail::log_distributions(directed ? 4 : 3, edges) +
                           detail::log_distributions(3, 11) - detail::log_distributions(2, 12);
      EXPECT_NEAR(blocks.cost_of_merge(0, 2),
                  brute_length(graph, merged, 2, corrected) -
                      brute_length(graph, labels, 3, corrected) + prior,
                  1e-9);
    }
  }
}

TEST(BlockModel, FindsTheShortestDescriptionOfTinyGraphs) {
  int best = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Graph graph = counted_graph(8, 0.5, seed, seed % 2 == 1, seed % 3 == 0);
    double least = std::numeric_limits<double>::infinity();
    Assignment labels(8, 0);
    const std::function<void(std::size_t, NodeId)> go = [&](std::size_t i, NodeId used) {
      if (i == 8) {
        least = std::min(least, brute_length(graph, labels, used, false));
        return;
      }
      for (NodeId c = 0; c <= used; ++c) {
        labels[i] = c;
        go(i + 1, std::max<NodeId>(used, c + 1));
      }
    };
    go(0, 0);
    const BlockModel found = fit_block_model(graph);
    EXPECT_GE(found.length, least - 1e-9);
    best += found.length <= least + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(best, 10);
}

struct Planted {
  const char* name;
  std::vector<Index> sizes;
  std::vector<std::vector<double>> p;
};

TEST(BlockModel, RecoversBlocksOfAnyKind) {
  const std::vector<Planted> cases{
      {"assortative", {100, 100, 100}, {{.2, .02, .02}, {.02, .2, .02}, {.02, .02, .2}}},
      {"bipartite", {100, 200}, {{.01, .15}, {.15, .01}}},
      {"core-periphery", {80, 220}, {{.4, .15}, {.15, .02}}},
      {"mixed",
       {80, 90, 100, 110},
       {{.3, .02, .02, .2}, {.02, .02, .25, .02}, {.02, .25, .02, .02}, {.2, .02, .02, .05}}},
  };
  for (const Planted& one : cases) {
    const auto k = static_cast<Index>(one.sizes.size());
    Matrix p(k, k);
    for (Index r = 0; r < k; ++r) {
      for (Index s = 0; s < k; ++s) p(r, s) = one.p[r][s];
    }
    const PlantedGraph drawn = generate(StochasticBlockModel{one.sizes, p}, 5);
    const BlockModel found = fit_block_model(drawn.graph, {.held_out = 0.1});
    EXPECT_EQ(found.blocks(), k) << one.name;
    EXPECT_GE(metrics::adjusted_mutual_information(found.labels, drawn.blocks), 0.98) << one.name;
    EXPECT_LT(found.length, found.one_length);
    EXPECT_GT(found.held_out_likelihood.value(), found.held_out_likelihood_one.value());
    const BlockModel given = fit_block_model(drawn.graph, {.blocks = k});
    EXPECT_GE(metrics::adjusted_mutual_information(given.labels, drawn.blocks), 0.98) << one.name;
  }
}

TEST(BlockModel, ProbabilitiesAreSharesOfPairsWithTheirErrors) {
  const PlantedGraph drawn = generate(PlantedPartition{.nodes = 200, .blocks = 2}, 3);
  const BlockModel found = fit_block_model(drawn.graph, {.blocks = 2});
  Matrix edges = Matrix::Zero(2, 2), pairs = Matrix::Zero(2, 2);
  const Matrix A = Structure::csr(drawn.graph.adjacency()).dense();
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j < i; ++j) {
      const Index r = found.labels[i], s = found.labels[j];
      edges(r, s) += A(i, j);
      pairs(r, s) += 1;
      if (r == s) continue;
      edges(s, r) += A(i, j);
      pairs(s, r) += 1;
    }
  }
  for (Index r = 0; r < 2; ++r) {
    for (Index s = 0; s < 2; ++s) {
      const double p = edges(r, s) / pairs(r, s);
      EXPECT_EQ(found.edges(r, s), edges(r, s));
      EXPECT_EQ(found.pairs(r, s), pairs(r, s));
      EXPECT_NEAR(found.probabilities(r, s), p, 1e-15);
      EXPECT_NEAR(found.standard_errors(r, s), std::sqrt(p * (1 - p) / pairs(r, s)), 1e-15);
    }
  }
}

TEST(BlockModel, RandomGraphsAreOneBlock) {
  int one = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Graph graph = counted_graph(150, 0.08, seed, seed % 2 == 1, false);
    one += fit_block_model(graph).blocks() == 1 ? 1 : 0;
  }
  EXPECT_GE(one, 9);
}

TEST(BlockModel, DirectedGraphsHaveDirectedBlocks) {
  Matrix p(3, 3);
  p << .02, .2, .02, .02, .02, .2, .2, .02, .02;  // a cycle of blocks
  const PlantedGraph drawn = generate(StochasticBlockModel{{80, 80, 80}, p, true}, 2);
  const BlockModel found = fit_block_model(drawn.graph);
  EXPECT_TRUE(found.directed);
  EXPECT_EQ(found.blocks(), 3);
  EXPECT_GE(metrics::adjusted_mutual_information(found.labels, drawn.blocks), 0.98);
  const Graph again = sample(found, 1);
  EXPECT_TRUE(again.directed());
  EXPECT_NEAR(static_cast<double>(again.edges()), found.edges.sum(),
              6 * std::sqrt(found.edges.sum()));
}

TEST(BlockModel, DegreeCorrectedBlocksIgnoreDegrees) {
  const PlantedGraph drawn =
      generate(DegreeCorrected{.nodes = 600, .blocks = 3, .mean_degree = 25, .inside = 0.85}, 4);
  const BlockModel found = fit_block_model(drawn.graph, {.degree_corrected = true});
  EXPECT_EQ(found.blocks(), 3);
  EXPECT_GE(metrics::adjusted_mutual_information(found.labels, drawn.blocks), 0.9);
  EXPECT_GT(fit_block_model(drawn.graph).blocks(), 3);
  const Vector degrees = sample(found, 3).degrees();
  EXPECT_GT(degrees.maxCoeff(), 3 * degrees.mean());
}

TEST(BlockModel, SamplesHaveTheProbabilitiesOfTheModel) {
  for (const bool counts : {false, true}) {
    const Graph graph = counted_graph(120, 0.2, 11, false, counts);
    const BlockModel model = fit_block_model(graph, {.blocks = 3});
    Matrix sums = Matrix::Zero(3, 3);
    constexpr int draws = 40;
    for (int d = 0; d < draws; ++d) {
      const Graph drawn = sample(model, static_cast<std::uint64_t>(d));
      detail::for_each_entry(drawn.adjacency(), [&](Index i, Index j, double w) {
        EXPECT_NE(i, j);
        if (i < j) {
          const Index r = model.labels[i], s = model.labels[j];
          sums(r, s) += w;
          if (r != s) sums(s, r) += w;
        }
      });
    }
    for (Index r = 0; r < 3; ++r) {
      for (Index s = 0; s < 3; ++s) {
        if (model.pairs(r, s) == 0) continue;
        const double wanted = model.probabilities(r, s);
        const double error = std::sqrt(std::max(wanted, 1e-3) / (draws * model.pairs(r, s)));
        EXPECT_NEAR(sums(r, s) / (draws * model.pairs(r, s)), wanted, 6 * error);
      }
    }
    EXPECT_EQ(sample(model, 3).adjacency().columns.size(),
              sample(model, 3).adjacency().columns.size());
  }
}

TEST(BlockModel, SamplesOfLargeCountsHaveThemWithoutListingThem) {
  const std::vector<std::tuple<int, int, double>> one{{0, 1, 1e10}};
  for (const bool directed : {false, true}) {
    for (const bool corrected : {false, true}) {
      const Graph graph = Graph::from_edges(6, one, directed);
      const BlockModel model = fit_block_model(graph, {.blocks = 2, .degree_corrected = corrected});
      const Graph drawn = sample(model, 1);
      double sum = 0;
      detail::for_each_entry(drawn.adjacency(),
                             [&](Index i, Index j, double w) { sum += directed || i < j ? w : 0; });
      EXPECT_NEAR(sum, 1e10, 6e5);
      EXPECT_LE(drawn.edges(), 30);
    }
  }
  const BlockModel wide = fit_block_model(Graph::from_edges(200'000, one), {.blocks = 1});
  test::expect_refused("about 1e+10 edges", [&] { return sample(wide, 1); });
}

TEST(BlockModel, LargeCountsVaryAsPoissonNumbers) {
  constexpr double mean = 1000;
  BlockModel model;
  model.counts = true;
  model.labels.assign(121, 0);
  model.sizes = {121};
  model.probabilities = Matrix::Constant(1, 1, mean);
  model.pairs = Matrix::Constant(1, 1, 121 * 120 / 2);
  double sum = 0, squares = 0;
  const Graph drawn = sample(model, 4);
  detail::for_each_entry(drawn.adjacency(), [&](Index i, Index j, double w) {
    if (i >= j) return;
    sum += w - mean;
    squares += (w - mean) * (w - mean);
  });
  const double pairs = model.pairs(0, 0);
  EXPECT_NEAR(sum / pairs, 0, 5 * std::sqrt(mean / pairs));
  EXPECT_NEAR(squares / pairs / mean, 1, 5 * std::sqrt(2 / pairs));
}

TEST(BlockModel, SamplesWhereOneNodeHasNearlyAllDegreesEnd) {
  // Node 0 has links to all others, which have one link each, in a block of their own.
  constexpr Index n = 400;
  for (const bool directed : {false, true}) {
    BlockModel model;
    model.degree_corrected = true;
    model.directed = directed;
    model.labels.assign(n, 0);
    model.sizes = {n};
    model.propensities = Vector::Constant(n, 1e-12);
    model.propensities[0] = n;
    model.in_propensities = model.propensities;
    model.pairs = Matrix::Constant(1, 1, directed ? n * (n - 1) : n * (n - 1) / 2);
    model.probabilities = Matrix::Constant(1, 1, 300 / model.pairs(0, 0));
    const Graph drawn = sample(model, 2);
    EXPECT_GE(drawn.edges(), 150);
    detail::for_each_entry(drawn.adjacency(),
                           [&](Index i, Index j, double) { EXPECT_TRUE(i == 0 || j == 0); });
  }
}

TEST(BlockModel, SamplesObeyTimeLimits) {
  BlockModel model;
  model.counts = true;
  model.labels.assign(1 << 14, 0);
  model.sizes = {1 << 14};
  model.pairs = Matrix::Constant(1, 1, (1 << 14) * ((1 << 14) - 1.0) / 2);
  model.probabilities = Matrix::Constant(1, 1, 1.5);
  const StopScope scope({.time_limit = 0.05});
  try {
    (void)sample(model, 1);
    ADD_FAILURE() << "it was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::stopped);
  }
}

TEST(BlockModel, EachPairThatIsLeftOutIsJudgedOnce) {
  for (const bool directed : {false, true}) {
    // Nearly all pairs have an edge, so there is almost no pair without one to leave out.
    const Graph graph = counted_graph(80, 0.95, 5, directed, true);
    const double pairs = directed ? 80 * 79 : 80 * 79 / 2;
    const BlockModel found = fit_block_model(graph, {.blocks = 1, .held_out = 0.2});
    EXPECT_NEAR(static_cast<double>(found.held_out_pairs), 0.2 * pairs,
                5 * std::sqrt(pairs * 0.16));
    // Counts are 0 in 1 of 20 pairs, else 1, 2 or 3: the mean log-likelihood of a Poisson number.
    const double mean = found.probabilities(0, 0);
    const auto poisson = [&](double x) {
      return x * std::log(mean) - mean - detail::log_factorial(x);
    };
    const double expected = 0.05 * poisson(0) + 0.95 / 3 * (poisson(1) + poisson(2) + poisson(3));
    EXPECT_NEAR(found.held_out_likelihood.value(), expected, 0.05);
  }
}

TEST(BlockModel, IsTheSameOnAnyNumberOfThreads) {
  const Graph graph = generate(PlantedPartition{.nodes = 1500, .blocks = 5}, 8).graph;
  const BlockModel one = fit_block_model(graph, {.held_out = 0.05}, {.threads = 1});
  const BlockModel two = fit_block_model(graph, {.held_out = 0.05}, {.threads = 2});
  EXPECT_EQ(one.labels, two.labels);
  EXPECT_EQ(one.length, two.length);
  EXPECT_EQ(one.held_out_likelihood, two.held_out_likelihood);
}

TEST(BlockModel, EdgelessAndTinyGraphs) {
  const std::vector<std::pair<int, int>> none, single{{0, 1}};
  EXPECT_EQ(fit_block_model(Graph::from_edges(5, none)).blocks(), 1);
  EXPECT_EQ(fit_block_model(Graph::from_edges(5, none), {.blocks = 3}).blocks(), 3);
  EXPECT_EQ(fit_block_model(Graph::from_edges(2, single)).blocks(), 1);
  for (const Index k : {1, 2, 3, 4, 5}) {
    const BlockModel found = fit_block_model(counted_graph(5, 0.5, 2, false, false), {.blocks = k});
    EXPECT_EQ(found.blocks(), k);
    EXPECT_TRUE(found.standard_errors.allFinite());
  }
}

TEST(BlockModel, RefusesBadInput) {
  const Graph graph = counted_graph(6, 0.5, 1, false, false);
  test::expect_refused("0 blocks", [&] { return fit_block_model(graph, {.blocks = 0}); });
  test::expect_refused("7 blocks", [&] { return fit_block_model(graph, {.blocks = 7}); });
  test::expect_refused("held-out share 1", [&] { return fit_block_model(graph, {.held_out = 1}); });
  test::expect_refused("0 starts", [&] { return fit_block_model(graph, {.starts = 0}); });
  const std::vector<std::tuple<int, int, double>> half{{0, 1, 0.5}}, negative{{0, 1, -1}};
  test::expect_refused("the edge 0 1 has the weight 0.5",
                       [&] { return fit_block_model(Graph::from_edges(3, half)); });
  test::expect_refused("weight -1",
                       [&] { return fit_block_model(Graph::from_edges(3, negative)); });
  test::expect_refused("1 node", [&] {
    return fit_block_model(Graph::from_edges(1, std::vector<std::pair<int, int>>{}));
  });
  test::expect_refused("labels of 2 nodes", [&] { return description_length(graph, {0, 1}); });
}

TEST(BlockModel, StoppedItReturnsTheBestSoFar) {
  const Graph graph = generate(PlantedPartition{.nodes = 2000, .blocks = 5}, 8).graph;
  int calls = 0;
  const BlockModel found =
      fit_block_model(graph, {}, {.observer = [&](const Progress&) { return ++calls < 2; }});
  EXPECT_EQ(found.status, Status::interrupted);
  EXPECT_GE(found.blocks(), 1);
  EXPECT_TRUE(std::isfinite(found.length));
}

}  // namespace
}  // namespace srgw
