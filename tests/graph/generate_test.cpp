// SPDX-License-Identifier: MIT
#include "srgw/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/csr_rows.hpp"
#include "support/expect_error.hpp"

namespace srgw {
namespace {

using test::expect_error;

/// A count of independent events with this mean lies within five deviations of it.
void expect_count(double found, double mean) {
  EXPECT_NEAR(found, mean, 5 * std::sqrt(mean) + 1e-9);
}

void expect_simple(const Graph& graph) {
  EXPECT_NO_THROW(check(graph.adjacency()));  // columns are unique in each row
  EXPECT_FALSE(graph.weighted());
  detail::for_each_entry(graph.adjacency(), [](Index i, Index j, double) { EXPECT_NE(i, j); });
}

bool equal(const Graph& a, const Graph& b) {
  return std::ranges::equal(a.adjacency().columns, b.adjacency().columns) &&
         a.degrees() == b.degrees();
}

/// Edges (arcs if directed) from block r to block s.
Matrix count_edges(const PlantedGraph& planted, Index blocks) {
  Matrix counts = Matrix::Zero(blocks, blocks);
  detail::for_each_entry(planted.graph.adjacency(), [&](Index i, Index j, double) {
    if (!planted.graph.directed() && i > j) return;
    counts(planted.blocks[static_cast<std::size_t>(i)],
           planted.blocks[static_cast<std::size_t>(j)]) += 1;
  });
  return counts;
}

TEST(PlantedPartition, HasTheEdgesItPromisesInsideAndBetweenBlocks) {
  const PlantedPartition options{.nodes = 5000, .blocks = 7, .mean_degree = 20, .inside = 0.7};
  const PlantedGraph planted = generate(options, 1);
  expect_simple(planted.graph);
  EXPECT_EQ(planted.graph.nodes(), 5000);
  EXPECT_FALSE(planted.graph.directed());
  expect_count(static_cast<double>(planted.graph.edges()), 50000);
  const Matrix counts = count_edges(planted, 7);
  expect_count(counts.trace(), 35000);
  for (Index block = 0; block < 7; ++block) expect_count(counts(block, block), 5000);
}

TEST(PlantedPartition, HasContiguousBlocksOfNearlyEqualSize) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 10, .blocks = 3, .mean_degree = 2, .inside = 0.5}, 1);
  EXPECT_EQ(planted.blocks, (Assignment{0, 0, 0, 0, 1, 1, 1, 2, 2, 2}));
}

TEST(PlantedPartition, CanBeDrawnAtEitherExtreme) {
  const auto inside =
      generate(PlantedPartition{.nodes = 12, .blocks = 3, .mean_degree = 3, .inside = 1}, 1);
  EXPECT_EQ(inside.graph.edges(), 18);  // three complete blocks of four
  EXPECT_EQ(count_edges(inside, 3).trace(), 18);
  const auto between =
      generate(PlantedPartition{.nodes = 12, .blocks = 3, .mean_degree = 8, .inside = 0}, 1);
  EXPECT_EQ(between.graph.edges(), 48);  // complete but for the blocks
  EXPECT_EQ(count_edges(between, 3).trace(), 0);
  const auto one =
      generate(PlantedPartition{.nodes = 100, .blocks = 1, .mean_degree = 9, .inside = 1}, 1);
  expect_count(static_cast<double>(one.graph.edges()), 450);
}

TEST(PlantedPartition, DependsOnTheSeedAlone) {
  const PlantedPartition options{.nodes = 500, .blocks = 4};
  EXPECT_TRUE(equal(generate(options, 7).graph, generate(options, 7).graph));
  EXPECT_FALSE(equal(generate(options, 7).graph, generate(options, 8).graph));
}

TEST(PlantedPartition, HasDegreesThatVaryLikeIndependentEdges) {
  const Vector degrees = generate(PlantedPartition{.nodes = 20000, .blocks = 5}, 3).graph.degrees();
  const double variance = (degrees.array() - degrees.mean()).square().mean();
  EXPECT_NEAR(variance, 20, 1.5);  // binomial, nearly Poisson
}

TEST(PlantedPartition, RefusesOptionsThatMakeNoSense) {
  const auto with = [](auto change) {
    PlantedPartition options{.nodes = 100, .blocks = 10, .mean_degree = 5, .inside = 0.5};
    change(options);
    return [options] { return generate(options, 0); };
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error(with([](auto& o) { o.nodes = 0; }),
               "nodes is 0, expected a number from 1 to 4294967295");
  expect_error(with([](auto& o) { o.blocks = 101; }),
               "blocks is 101, expected a number from 1 to 100, the nodes");
  expect_error(with([](auto& o) { o.mean_degree = nan; }),
               "mean_degree is nan, expected a finite number above 0");
  expect_error(with([](auto& o) { o.inside = 1.5; }), "inside is 1.5, expected a number in [0, 1]");
  expect_error(
      with([](auto& o) { o.mean_degree = 20; }),
      "mean_degree and inside ask for 500 edges inside blocks, expected at most 450, the pairs");
  expect_error(
      with([](auto& o) { o.blocks = 1; }),
      "mean_degree and inside ask for 125 edges between blocks, expected at most 0, the pairs");
}

TEST(StochasticBlockModel, HasItsProbabilitiesBetweenEachPairOfBlocks) {
  Matrix p(3, 3);
  p << 0.3, 0.02, 0.1, 0.02, 0.2, 0.05, 0.1, 0.05, 0.5;
  const StochasticBlockModel options{.sizes = {200, 300, 100}, .probabilities = p};
  const PlantedGraph planted = generate(options, 2);
  expect_simple(planted.graph);
  EXPECT_EQ(planted.blocks.size(), 600u);
  EXPECT_EQ(planted.blocks[200], 1u);
  const Matrix counts = count_edges(planted, 3);
  expect_count(counts(0, 0), 0.3 * 200 * 199 / 2);
  expect_count(counts(1, 1), 0.2 * 300 * 299 / 2);
  expect_count(counts(2, 2), 0.5 * 100 * 99 / 2);
  expect_count(counts(0, 1), 0.02 * 200 * 300);
  expect_count(counts(0, 2), 0.1 * 200 * 100);
  expect_count(counts(1, 2), 0.05 * 300 * 100);
}

TEST(StochasticBlockModel, MayBeDirected) {
  Matrix p(2, 2);
  p << 0.3, 0.02, 0.1, 0.2;
  const PlantedGraph planted =
      generate(StochasticBlockModel{.sizes = {200, 300}, .probabilities = p, .directed = true}, 2);
  expect_simple(planted.graph);
  EXPECT_TRUE(planted.graph.directed());
  const Matrix counts = count_edges(planted, 2);
  expect_count(counts(0, 0), 0.3 * 200 * 199);
  expect_count(counts(0, 1), 0.02 * 200 * 300);
  expect_count(counts(1, 0), 0.1 * 200 * 300);
  expect_count(counts(1, 1), 0.2 * 300 * 299);
}

class CertainModel : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Directed, CertainModel, testing::Bool());

TEST_P(CertainModel, HasExactlyThePairsOfProbabilityOne) {
  const StochasticBlockModel options{
      .sizes = {3, 4}, .probabilities = Matrix::Identity(2, 2), .directed = GetParam()};
  const PlantedGraph planted = generate(options, 5);
  expect_simple(planted.graph);
  EXPECT_EQ(planted.graph.edges(), (3 + 6) * (GetParam() ? 2 : 1));
  EXPECT_EQ(count_edges(planted, 2)(0, 1), 0);
  EXPECT_EQ(count_edges(planted, 2)(1, 0), 0);
}

TEST(StochasticBlockModel, RefusesOptionsThatMakeNoSense) {
  const auto draw = [](std::vector<Index> sizes, Matrix p) {
    return
        [options = StochasticBlockModel{.sizes = std::move(sizes), .probabilities = std::move(p)}] {
          return generate(options, 0);
        };
  };
  Matrix p(2, 2);
  p << 0.5, 0.25, 0.125, 0.5;
  expect_error(draw({}, p), "sizes is empty, expected at least one block");
  expect_error(draw({3, 0}, p),
               "a block of 0 after 3 nodes, expected sizes from 1 up and at most 4294967295 nodes");
  expect_error(draw({3, 2, 1}, p), "probabilities is 2 x 2, expected 3 x 3");
  expect_error(draw({3, 2}, p),
               "probabilities(0, 1) is 0.25 and (1, 0) is 0.125, expected equal numbers");
  p(0, 0) = -0.5;
  expect_error(draw({3, 2}, p), "probabilities(0, 0) is -0.5, expected a number in [0, 1]");
}

TEST(DegreeCorrected, HasTheEdgesItPromises) {
  const DegreeCorrected options{.nodes = 20000, .blocks = 4, .mean_degree = 15, .inside = 0.6};
  const PlantedGraph planted = generate(options, 4);
  expect_simple(planted.graph);
  // Certain pairs of hubs cost a few edges.
  EXPECT_NEAR(static_cast<double>(planted.graph.edges()), 150000, 3000);
  EXPECT_NEAR(count_edges(planted, 4).trace(), 90000, 3000);
}

TEST(DegreeCorrected, HasDegreesFromThePowerLaw) {
  const DegreeCorrected options{
      .nodes = 100000, .blocks = 1, .mean_degree = 20, .inside = 1, .exponent = 2.5};
  const Vector degrees = generate(options, 5).graph.degrees();
  EXPECT_NEAR(degrees.mean(), 20, 0.3);
  EXPECT_GT(degrees.maxCoeff(), 500);
  EXPECT_LT(degrees.maxCoeff(), 1700);  // the default of the largest is sqrt(2e6) = 1414
  // The share of degrees above x falls like x^-1.5, while x is far from the largest.
  const auto share_above = [&](double x) {
    return static_cast<double>((degrees.array() > x).count()) / 100000;
  };
  EXPECT_NEAR(share_above(40) / share_above(80), std::pow(2, 1.5), 0.2);
  EXPECT_NEAR(share_above(80) / share_above(160), std::pow(2, 1.5), 0.35);
}

TEST(DegreeCorrected, IsPlantedPartitionWhenTheLargestDegreeIsTheMean) {
  const DegreeCorrected options{
      .nodes = 20000, .blocks = 5, .mean_degree = 20, .inside = 0.8, .largest_degree = 20};
  const PlantedGraph planted = generate(options, 6);
  const Vector degrees = planted.graph.degrees();
  expect_count(static_cast<double>(planted.graph.edges()), 200000);
  EXPECT_NEAR((degrees.array() - degrees.mean()).square().mean(), 20, 1.5);
}

TEST(DegreeCorrected, DependsOnTheSeedAlone) {
  const DegreeCorrected options{.nodes = 500, .blocks = 4};
  EXPECT_TRUE(equal(generate(options, 7).graph, generate(options, 7).graph));
  EXPECT_FALSE(equal(generate(options, 7).graph, generate(options, 8).graph));
}

TEST(DegreeCorrected, RefusesOptionsThatMakeNoSense) {
  const auto with = [](double exponent, double largest_degree) {
    return [=] {
      return generate(DegreeCorrected{.exponent = exponent, .largest_degree = largest_degree}, 0);
    };
  };
  expect_error(with(2, 0), "exponent is 2, expected a finite number above 2");
  expect_error(with(2.5, 10),
               "largest_degree is 10, expected a number from 20, the mean, to 1000, the nodes");
}

TEST(Lfr, HasTheDegreesMixingAndSizesItPromises) {
  const Lfr options{.nodes = 5000,
                    .mean_degree = 15,
                    .largest_degree = 60,
                    .mixing = 0.3,
                    .smallest_size = 20,
                    .largest_size = 120};
  const PlantedGraph lfr = generate(options, 1);
  expect_simple(lfr.graph);
  const Vector degrees = lfr.graph.degrees();
  EXPECT_NEAR(degrees.mean(), 15, 0.7);
  EXPECT_LE(degrees.maxCoeff(), 61);
  Index inside = 0;
  detail::for_each_entry(lfr.graph.adjacency(), [&](Index i, Index j, double) {
    inside += lfr.blocks[static_cast<std::size_t>(i)] == lfr.blocks[static_cast<std::size_t>(j)];
  });
  EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(lfr.graph.adjacency().entries()),
              0.7, 0.02);
  std::vector<Index> sizes(1 + *std::ranges::max_element(lfr.blocks), 0);
  for (const NodeId block : lfr.blocks) ++sizes[block];
  EXPECT_GE(*std::ranges::min_element(sizes), 20);
  EXPECT_LE(*std::ranges::max_element(sizes), 140);
  EXPECT_TRUE(equal(lfr.graph, generate(options, 1).graph));
  EXPECT_FALSE(equal(lfr.graph, generate(options, 2).graph));
}

TEST(Lfr, RefusesCommunitiesWithoutRoomForTheNeighbours) {
  expect_error(
      [] {
        return generate(Lfr{.nodes = 1000, .largest_degree = 200, .mixing = 0, .largest_size = 100},
                        1);
      },
      "200 neighbours inside a community of at most 100 nodes, expected room: raise largest_size "
      "or mixing, or lower largest_degree");
}

TEST(Rewired, KeepsEveryDegreeAndLosesTheBlocks) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 2000, .blocks = 4, .mean_degree = 12, .inside = 0.9}, 1);
  const Graph mixed = rewired(planted.graph, 1);
  expect_simple(mixed);
  EXPECT_EQ(mixed.degrees(), planted.graph.degrees());
  const Matrix counts = count_edges({mixed, planted.blocks}, 4);
  EXPECT_NEAR(counts.trace() / counts.sum(), 0.25, 0.03);
}

TEST(Rewired, KeepsTheDegreesOfADenseGraph) {
  const PlantedGraph dense =
      generate(PlantedPartition{.nodes = 40, .blocks = 2, .mean_degree = 34, .inside = 0.5}, 1);
  const Graph mixed = rewired(dense.graph, 3);
  expect_simple(mixed);
  EXPECT_EQ(mixed.degrees(), dense.graph.degrees());
}

}  // namespace
}  // namespace srgw
