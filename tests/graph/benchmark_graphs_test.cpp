// SPDX-License-Identifier: MIT
// GraphChallenge and Abcd.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "graph/csr_rows.hpp"
#include "srgw/generate.hpp"
#include "support/expect_error.hpp"

namespace srgw {
namespace {

using test::expect_error;

void expect_no_double_edges_or_loops(const Graph& graph) {
  EXPECT_NO_THROW(check(graph.adjacency()));
  EXPECT_FALSE(graph.weighted());
  detail::for_each_entry(graph.adjacency(), [](Index i, Index j, double) { EXPECT_NE(i, j); });
}

/// Stored entries between blocks, as a share of all.
double share_between(const PlantedGraph& drawn) {
  double between = 0;
  detail::for_each_entry(drawn.graph.adjacency(), [&](Index i, Index j, double) {
    between += drawn.blocks[i] != drawn.blocks[j] ? 1 : 0;
  });
  return between / static_cast<double>(drawn.graph.adjacency().entries());
}

std::vector<Index> sizes_of(const Assignment& blocks) {
  std::vector<Index> sizes(1 + *std::ranges::max_element(blocks), 0);
  for (const NodeId block : blocks) ++sizes[block];
  return sizes;
}

bool same_columns(const Graph& a, const Graph& b) {
  return std::ranges::equal(a.adjacency().columns, b.adjacency().columns);
}

class ChallengeCategory
    : public testing::TestWithParam<std::tuple<ChallengeLevel, ChallengeLevel>> {};

INSTANTIATE_TEST_SUITE_P(
    All, ChallengeCategory,
    testing::Combine(testing::Values(ChallengeLevel::low, ChallengeLevel::high),
                     testing::Values(ChallengeLevel::low, ChallengeLevel::high)));

TEST_P(ChallengeCategory, FollowsTheRecipe) {
  const auto [overlap, variation] = GetParam();
  const GraphChallenge options{.nodes = 5000, .overlap = overlap, .size_variation = variation};
  const PlantedGraph drawn = generate(options, 4);
  expect_no_double_edges_or_loops(drawn.graph);
  EXPECT_TRUE(drawn.graph.directed());
  EXPECT_EQ(sizes_of(drawn.blocks).size(), 19u);  // 5000^0.35 = 19.7
  std::vector<Index> out(5000, 0), in(5000, 0);
  detail::for_each_entry(drawn.graph.adjacency(), [&](Index i, Index j, double) {
    ++out[i];
    ++in[j];
  });
  // A degree below 10 only where a pair was left out.
  double mean = 0, mass = 0, tail = 0;
  for (Index k = 10; k <= 100; ++k) {
    const double p = std::pow(k, -2.5);
    mass += p;
    mean += p * static_cast<double>(k);
    tail += k >= 40 ? p : 0;
  }
  for (const auto& degrees : {out, in}) {
    EXPECT_LE(*std::ranges::max_element(degrees), 100);
    EXPECT_LE(std::ranges::count_if(degrees, [](Index d) { return d < 10; }), 5);
    double sum = 0, many = 0;
    for (const Index d : degrees) {
      sum += static_cast<double>(d);
      many += d >= 40 ? 1 : 0;
    }
    EXPECT_NEAR(sum / 5000, mean / mass, 1);
    EXPECT_NEAR(many / 5000, tail / mass, 0.02);
  }
  const double between = share_between(drawn);
  const double ratio = (1 - between) / between;
  if (overlap == ChallengeLevel::low) {
    EXPECT_GT(ratio, 4.3);
    EXPECT_LT(ratio, 6.5);
  } else {
    EXPECT_GT(ratio, 2.1);
    EXPECT_LT(ratio, 3.3);
  }
  EXPECT_TRUE(same_columns(drawn.graph, generate(options, 4).graph));
  EXPECT_FALSE(same_columns(drawn.graph, generate(options, 5).graph));
}

// Dirichlet and multinomial: the variance of size / mean size is (B-1) / (aB+1) + (B-1) / N.
TEST(GraphChallenge, HasSizesThatVary) {
  for (const auto& [variation, a] :
       {std::pair(ChallengeLevel::low, 10.0), std::pair(ChallengeLevel::high, 10.0 / 3)}) {
    double squares = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const GraphChallenge options{.nodes = 1000, .size_variation = variation};
      for (const Index size : sizes_of(generate(options, seed).blocks)) {
        squares += std::pow(static_cast<double>(size) * 11 / 1000 - 1, 2) / 11 / 60;
      }
    }
    const double expected = 10 / (11 * a + 1) + 10.0 / 1000;
    EXPECT_NEAR(squares, expected, 0.2 * expected);
  }
}

TEST(GraphChallenge, CanBeSmall) {
  for (const Index nodes : {10, 11, 20, 50}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const PlantedGraph drawn =
          generate(GraphChallenge{nodes, ChallengeLevel::high, ChallengeLevel::high}, seed);
      expect_no_double_edges_or_loops(drawn.graph);
      EXPECT_GT(drawn.graph.edges(), nodes / 2);
    }
  }
  expect_error([] { return generate(GraphChallenge{.nodes = 9}, 0); },
               "nodes is 9, expected a number from 10 to 2^31");
}

/// Means over ten graphs of 2,000 nodes with degrees from 5 to 50 and communities of 30 to 200.
struct AbcdFigures {
  double noise = 0;
  double edges = 0, deviation = 0, fewest = 0, many = 0;  // of degrees; 5 neighbours, 20 and more
  double communities = 0, largest = 0;
  double size_of_node = 0;  // mean over nodes of the size of their community
  double between = 0;
};

AbcdFigures figures_of(double noise) {
  AbcdFigures mean{.noise = noise};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const PlantedGraph drawn = generate(Abcd{.nodes = 2000,
                                             .noise = noise,
                                             .largest_degree = 50,
                                             .smallest_size = 30,
                                             .largest_size = 200},
                                        seed);
    expect_no_double_edges_or_loops(drawn.graph);
    const Vector degrees = drawn.graph.degrees();
    const auto sizes = sizes_of(drawn.blocks);
    EXPECT_GE(*std::ranges::min_element(sizes), 30);
    mean.edges += static_cast<double>(drawn.graph.edges()) / 10;
    mean.deviation += std::sqrt((degrees.array() - degrees.mean()).square().mean()) / 10;
    mean.fewest += static_cast<double>((degrees.array() == 5).count()) / 20000;
    mean.many += static_cast<double>((degrees.array() >= 20).count()) / 20000;
    mean.communities += static_cast<double>(sizes.size()) / 10;
    mean.largest += static_cast<double>(*std::ranges::max_element(sizes)) / 10;
    for (const NodeId block : drawn.blocks) {
      mean.size_of_node += static_cast<double>(sizes[block]) / 20000;
    }
    mean.between += share_between(drawn) / 10;
  }
  return mean;
}

// The figures of abcd-graph 0.4.1 (PyPI) with the same parameters, seeds 0 to 9. It resolves fewer
// collisions inside communities and moves those pairs to the whole graph, therefore has a few more
// edges between communities; noise times the share of pairs in different communities is 0.190,
// 0.381 and 0.571.
TEST(Abcd, HasTheDistributionsOfTheReferenceImplementation) {
  const AbcdFigures reference[] = {
      {0.2, 9823.8, 7.2325, 0.2616, 0.0897, 27.0, 183.5, 97.28, 0.2130},
      {0.4, 9823.8, 7.2325, 0.2616, 0.0897, 27.0, 183.5, 97.28, 0.3931},
      {0.6, 9823.8, 7.2325, 0.2616, 0.0897, 27.0, 183.5, 97.28, 0.5769},
  };
  for (const AbcdFigures& expected : reference) {
    const AbcdFigures found = figures_of(expected.noise);
    EXPECT_NEAR(found.edges, expected.edges, 250);
    EXPECT_NEAR(found.deviation, expected.deviation, 0.3);
    EXPECT_NEAR(found.fewest, expected.fewest, 0.015);
    EXPECT_NEAR(found.many, expected.many, 0.012);
    EXPECT_NEAR(found.communities, expected.communities, 3);
    EXPECT_NEAR(found.largest, expected.largest, 20);
    EXPECT_NEAR(found.size_of_node, expected.size_of_node, 12);
    EXPECT_LE(found.between, expected.between + 0.003);
    EXPECT_NEAR(found.between, expected.noise * 0.952, 0.006);
  }
}

TEST(Abcd, KeepsTheDegreesWhateverTheNoise) {
  const auto with = [](double noise) { return generate(Abcd{.nodes = 3000, .noise = noise}, 7); };
  const Vector degrees = with(0.1).graph.degrees();
  EXPECT_LE((degrees - with(0.9).graph.degrees()).cwiseAbs().sum(), 6);
  EXPECT_LT(share_between(with(0)), 0.001);  // odd ends of communities
  EXPECT_GT(share_between(with(1)), 0.9);
  EXPECT_TRUE(same_columns(with(0.3).graph, with(0.3).graph));
}

TEST(Abcd, RefusesOptionsThatMakeNoSense) {
  const auto with = [](auto change) {
    Abcd options;
    change(options);
    return [options] { return generate(options, 0); };
  };
  expect_error(with([](auto& o) { o.nodes = 1; }), "nodes is 1, expected a number from 2 to 2^31");
  expect_error(with([](auto& o) { o.noise = -0.1; }), "noise is -0.1, expected a number in [0, 1]");
  expect_error(with([](auto& o) { o.size_exponent = 0.5; }),
               "exponents 2.5 and 0.5 of degrees and sizes, expected finite numbers from 1 on");
  expect_error(with([](auto& o) { o.smallest_degree = 40; }),
               "degrees from 40 to 30, expected 1 <= smallest <= largest < 1000 nodes");
  expect_error(with([](auto& o) { o.largest_size = 2000; }),
               "communities of 20 to 2000 nodes, expected 2 <= smallest <= largest <= 1000");
  expect_error(with([](auto& o) { o.largest_degree = 500; }),
               "375 neighbours inside a community of at most 250 nodes, expected room: raise "
               "largest_size or noise, or lower largest_degree");
}

}  // namespace
}  // namespace srgw
