// SPDX-License-Identifier: MIT
#include "srgw/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>

#include "srgw/generate.hpp"
#include "srgw/io.hpp"
#include "srgw/metrics.hpp"
#include "srgw/problem.hpp"
#include "srgw/transform.hpp"
#include "support/data.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw {
namespace {

using test::expect_error;
using test::shared_data;

struct Labelled {
  Graph graph;
  Assignment truth;
};

Labelled read(const std::string& name, bool directed, const char* file = "edges.tsv") {
  const auto folder = shared_data() / "partition" / name;
  Assignment truth;
  std::ifstream labels(folder / "labels.tsv");
  for (NodeId node = 0, label = 0; labels >> node >> label;) truth.push_back(label);
  io::ReadOptions options;
  options.nodes = static_cast<Index>(truth.size());
  options.directed = directed;
  return {io::read_graph(folder / file, options).graph, truth};
}

double ami(const Labelled& data, const Partition& found) {
  return metrics::adjusted_mutual_information(data.truth, found.labels);
}

struct Mark {
  const char* name;
  bool directed;
  Index clusters;
  double at_least;
};

class PaperGraph : public testing::TestWithParam<Mark> {};

TEST_P(PaperGraph, IsPartitionedAboveThePrintedFiguresWithoutLabels) {
  const auto [name, directed, clusters, at_least] = GetParam();
  SRGW_NEEDS_SHARED_DATA(std::string("partition/") + name);
  const Labelled data = read(name, directed);
  constexpr std::uint64_t seeds = 3;
  double sum = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Partition found =
        partition(data.graph, {.clusters = clusters}, {.threads = 1, .seed = seed});
    sum += ami(data, found);
    EXPECT_EQ(found.symmetrized, directed);
    EXPECT_TRUE(found.significant);
    EXPECT_LE(found.clusters, clusters);
  }
  EXPECT_GE(sum / seeds, at_least);
}

INSTANTIATE_TEST_SUITE_P(Symmetric, PaperGraph,
                         testing::Values(Mark{"wikipedia", false, 15, 0.69},
                                         Mark{"eu-email", false, 42, 0.67},
                                         Mark{"amazon", false, 12, 0.969},
                                         Mark{"village", false, 12, 0.938}),
                         [](const auto& mark) {
                           std::string name = mark.param.name;
                           std::erase(name, '-');
                           return name;
                         });
INSTANTIATE_TEST_SUITE_P(Directed, PaperGraph,
                         testing::Values(Mark{"wikipedia", true, 15, 0.5713},
                                         Mark{"eu-email", true, 42, 0.5475}),
                         [](const auto& mark) {
                           std::string name = mark.param.name;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Partition, FindsTheNumberOfBlocks) {
  const PlantedGraph data = test::planted_graph(1);
  const Partition found = partition(data.graph);
  EXPECT_EQ(found.clusters, 5);
  EXPECT_TRUE(found.significant);
  EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, found.labels), 0.97);
  EXPECT_NEAR(found.modularity, metrics::modularity(data.graph, found.labels), 1e-12);
  EXPECT_FALSE(found.reasons.empty());
}

TEST(Partition, IsTheSameOnAnyNumberOfThreads) {
  const PlantedGraph data = test::planted_graph(2);
  const Partition one = partition(data.graph, {.clusters = 5}, {.threads = 1});
  const Partition four = partition(data.graph, {.clusters = 5}, {.threads = 4});
  EXPECT_EQ(one.labels, four.labels);
  EXPECT_EQ(one.solution.value, four.solution.value);
  EXPECT_EQ(one.solution.gap, four.solution.gap);
}

TEST(Partition, SaysThatARandomGraphHasNoCommunities) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const PlantedGraph data = generate(
        PlantedPartition{.nodes = 1000, .blocks = 1, .mean_degree = 10, .inside = 1}, seed);
    const Partition free = partition(data.graph, {}, {.seed = seed});
    EXPECT_FALSE(free.significant);
    EXPECT_EQ(free.clusters, 1);
    const Partition eight = partition(data.graph, {.clusters = 8}, {.seed = seed});
    EXPECT_FALSE(eight.significant);
    EXPECT_GT(eight.clusters, 1);
  }
}

TEST(Partition, SaysThatRewiredGraphsHaveNoCommunities) {
  SRGW_NEEDS_SHARED_DATA("partition/eu-email");
  const Graph graph = read("eu-email", true).graph.undirected();
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Partition found = partition(rewired(graph, seed), {.clusters = 10}, {.seed = seed % 2});
    EXPECT_FALSE(found.significant) << seed;
  }
}

TEST(Partition, SaysThatASparseRandomGraphHasNoCommunities) {
  // A giant component and crumbs: for two clusters, too.
  const PlantedGraph data =
      generate(PlantedPartition{.nodes = 1000, .blocks = 1, .mean_degree = 3, .inside = 1}, 1);
  for (const Index clusters : {2, 5, 30}) {
    EXPECT_FALSE(partition(data.graph, {.clusters = clusters}).significant) << clusters;
  }
}

TEST(Partition, CallsPlantedBlocksSignificant) {
  for (const double inside : {0.45, 0.5, 0.7, 0.9}) {
    const PlantedGraph data = generate(
        PlantedPartition{.nodes = 1000, .blocks = 5, .mean_degree = 20, .inside = inside}, 1);
    EXPECT_TRUE(partition(data.graph, {.clusters = 5}).significant) << inside;
  }
}

TEST(Partition, NeverSplitsComponentsThatItCannotSplitEvenly) {
  // Eight components of one block, twelve clusters allowed.
  const std::vector<Index> sizes(8, 50);
  const PlantedGraph data = generate(StochasticBlockModel{sizes, Matrix::Identity(8, 8) * 0.3}, 1);
  const Partition found = partition(data.graph, {.clusters = 12});
  EXPECT_EQ(found.clusters, 8);
  EXPECT_NEAR(metrics::adjusted_mutual_information(data.blocks, found.labels), 1, 1e-12);
}

/// The edges of a graph that has all of them twice.
std::vector<Entry> edges_of(const Graph& graph) {
  std::vector<Entry> edges;
  const auto& csr = graph.adjacency();
  const auto& offsets = std::get<SharedArray<std::uint32_t>>(csr.offsets);
  for (NodeId i = 0; i < static_cast<NodeId>(graph.nodes()); ++i) {
    for (std::uint32_t e = offsets[i]; e < offsets[i + 1]; ++e) {
      if (csr.columns[e] < i) edges.push_back({i, csr.columns[e]});
    }
  }
  return edges;
}

TEST(Partition, SplitsALargeComponentBesideACrumb) {
  const PlantedGraph data =
      generate(PlantedPartition{.nodes = 400, .blocks = 2, .mean_degree = 12, .inside = 0.85}, 1);
  std::vector<Entry> edges = edges_of(data.graph);
  edges.push_back({400, 401});
  const Partition found = partition(Graph::from_edges(402, edges), {.clusters = 2});
  EXPECT_EQ(found.clusters, 2);
  const Assignment large(found.labels.begin(), found.labels.begin() + 400);
  EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, large), 0.9);
}

TEST(Partition, KeepsClustersForTheLargeComponentRatherThanForCrumbs) {
  // Five cliques of six nodes beside twenty blocks, and a node without edges.
  const PlantedGraph data =
      generate(PlantedPartition{.nodes = 400, .blocks = 20, .mean_degree = 12, .inside = 0.85}, 1);
  std::vector<Entry> edges = edges_of(data.graph);
  for (NodeId base = 400; base < 430; base += 6) {
    for (NodeId i = 0; i < 6; ++i) {
      for (NodeId j = 0; j < i; ++j) edges.push_back({base + i, base + j});
    }
  }
  const Partition found = partition(Graph::from_edges(431, edges), {.clusters = 20});
  EXPECT_EQ(found.clusters, 20);
  EXPECT_EQ(found.unconnected, 31);
  const Assignment large(found.labels.begin(), found.labels.begin() + 400);
  EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, large), 0.95);
}

TEST(Partition, FindsSmallBlocksBesideALargeOneFromEverySeed) {
  std::vector<Index> sizes(11, 50);
  sizes[0] = 1000;
  Matrix probabilities = Matrix::Constant(11, 11, 4.8 / 1500);
  for (Index b = 0; b < 11; ++b) {
    probabilities(b, b) = 11.2 / static_cast<double>(sizes[static_cast<std::size_t>(b)]);
  }
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const PlantedGraph data = generate(StochasticBlockModel{sizes, probabilities}, seed / 2);
    const Partition found = partition(data.graph, {.clusters = 11}, {.seed = seed});
    EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, found.labels), 0.9) << seed;
  }
}

TEST(Partition, SplitsSixComponentsOfTwoBlocksIntoTwelve) {
  Matrix probabilities = Matrix::Zero(12, 12);
  for (Index b = 0; b < 12; ++b) {
    probabilities(b, b) = 0.4;
    probabilities(b, b ^ 1) = 0.02;
  }
  const PlantedGraph data =
      generate(StochasticBlockModel{std::vector<Index>(12, 50), probabilities}, 1);
  const Partition found = partition(data.graph, {.clusters = 12});
  EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, found.labels), 0.95);
}

TEST(Partition, PutsNodesWithoutEdgesIntoAGroupOfTheirOwn) {
  const PlantedGraph data = test::planted_graph(3);
  std::vector<Entry> edges = edges_of(data.graph);
  edges.push_back({605, 605});  // a loop is no edge to another node
  const Partition found = partition(Graph::from_edges(610, edges), {.clusters = 5});
  EXPECT_EQ(found.unconnected, 10);
  EXPECT_EQ(found.clusters, 5);
  for (std::size_t i = 600; i < 610; ++i) EXPECT_EQ(found.labels[i], 5U);
}

TEST(Partition, TakesTheNumberOfClustersForABound) {
  const std::vector<Entry> edges{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}};
  const Partition found =
      partition(Graph::from_edges(6, edges), {.clusters = 100, .test_significance = false});
  EXPECT_EQ(found.clusters, 2);
  EXPECT_EQ(found.labels, (Assignment{0, 0, 0, 1, 1, 1}));
}

Graph star_of(NodeId leaves) {
  std::vector<Entry> edges;
  for (NodeId leaf = 1; leaf <= leaves; ++leaf) edges.push_back({0, leaf});
  return Graph::from_edges(leaves + 1, edges);
}

Graph ring_of(NodeId nodes) {
  std::vector<Entry> edges;
  for (NodeId i = 0; i < nodes; ++i) edges.push_back({i, (i + 1) % nodes});
  return Graph::from_edges(nodes, edges);
}

Graph path_of(NodeId nodes) {
  std::vector<Entry> edges;
  for (NodeId i = 1; i < nodes; ++i) edges.push_back({i - 1, i});
  return Graph::from_edges(nodes, edges);
}

Graph tree_of(NodeId nodes) {
  std::vector<Entry> edges;
  for (NodeId i = 1; i < nodes; ++i) edges.push_back({(i - 1) / 2, i});
  return Graph::from_edges(nodes, edges);
}

Graph complete_of(NodeId nodes) {
  std::vector<Entry> edges;
  for (NodeId i = 0; i < nodes; ++i) {
    for (NodeId j = 0; j < i; ++j) edges.push_back({i, j});
  }
  return Graph::from_edges(nodes, edges);
}

bool says(const Partition& found, const std::string& words) {
  return std::ranges::any_of(found.reasons, [&](const std::string& sentence) {
    return sentence.find(words) != std::string::npos;
  });
}

TEST(Partition, KeepsANumberOfClustersThatWasGiven) {
  const std::vector<Entry> bridge{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}};
  const Partition triangles = partition(Graph::from_edges(6, bridge), {.clusters = 2});
  EXPECT_EQ(triangles.labels, (Assignment{0, 0, 0, 1, 1, 1}));
  for (const Graph& graph : {ring_of(30), path_of(30), tree_of(63), star_of(20), complete_of(8)}) {
    for (const Index k : {2, 3}) {
      const Partition found = partition(graph, {.clusters = k});
      EXPECT_EQ(found.clusters, k) << graph.nodes();
      // What the test found is said, and does not replace the clusters.
      EXPECT_EQ(found.significant, !says(found, "No communities")) << graph.nodes();
      EXPECT_EQ(found.significant, !says(found, "are kept because their number was given"));
    }
  }
  EXPECT_FALSE(partition(star_of(20), {.clusters = 3}).significant);
  EXPECT_FALSE(partition(complete_of(8), {.clusters = 3}).significant);
}

TEST(Partition, GivesAsManyClustersAsAskedForWhateverTheGraph) {
  std::vector<Entry> bipartite;
  for (NodeId i = 0; i < 3; ++i) {
    for (NodeId j = 3; j < 23; ++j) bipartite.push_back({i, j});
  }
  const Graph with_isolated = Graph::from_edges(30, bipartite);  // 23 nodes have edges
  for (const Graph& graph : {Graph::from_edges(23, bipartite), with_isolated, star_of(20),
                             complete_of(15), path_of(16), tree_of(31)}) {
    for (const Index k : {1, 2, 5, 10, 12}) {
      const Partition found = partition(graph, {.clusters = k});
      EXPECT_EQ(found.clusters, k) << graph.nodes();
      EXPECT_EQ(found.unconnected > 0, graph.nodes() == 30);
      EXPECT_NEAR(found.modularity, metrics::modularity(graph, found.labels), 1e-12);
      EXPECT_EQ(std::accumulate(found.sizes.begin(), found.sizes.end(), Index{0}),
                graph.nodes() - found.unconnected);
    }
  }
}

TEST(Partition, CallsNoSplitSignificantThatIsWorseThanNone) {
  for (const Graph& graph : {star_of(9), complete_of(7)}) {
    for (const Start start : {Start::random_labels, Start::spectral, Start::kmeans}) {
      const auto adjacency = PartitionStructure{PartitionStructure::Kind::adjacency};
      for (const PartitionStructure& structure : {PartitionStructure{}, adjacency}) {
        const Partition found =
            partition(graph, {.clusters = 3, .structure = structure, .start = start});
        EXPECT_FALSE(found.significant && found.modularity <= 0) << name(start);
      }
    }
  }
}

TEST(Partition, SaysNothingThatIsNotTrueOfTheResult) {
  SRGW_NEEDS_SHARED_DATA("partition/eu-email");
  const Labelled data = read("eu-email", false);
  const Partition found = partition(data.graph, {.clusters = 42});
  EXPECT_EQ(found.clusters, 42);
  EXPECT_TRUE(says(found, " single nodes are clusters of their own"));
  EXPECT_TRUE(says(found, " clusters at resolution "));
}

TEST(Partition, DoesNotDependOnTheScaleOfTheWeights) {
  const PlantedGraph data =
      generate(PlantedPartition{.nodes = 200, .blocks = 4, .mean_degree = 10, .inside = 0.7}, 1);
  const auto scaled = [&](int exponent) {
    std::vector<Entry> edges = edges_of(data.graph);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      edges[e].value = std::ldexp(1.0 + static_cast<double>(e % 3), exponent);
    }
    return Graph::from_edges(data.graph.nodes(), edges);
  };
  for (const bool searches : {true, false}) {
    PartitionOptions options{.clusters = 4};
    if (!searches) options.start = Start::split_merge;
    const Partition one = partition(scaled(0), options);
    for (const int exponent : {-900, -300, -70, 1, 70, 300, 900}) {
      const Partition other = partition(scaled(exponent), options);
      EXPECT_EQ(other.labels, one.labels) << exponent;
      EXPECT_EQ(other.modularity, one.modularity) << exponent;
      EXPECT_EQ(other.solution.value, one.solution.value) << exponent;
    }
  }
}

/// What a stopped run has to be: valid labels and their true modularity and value.
void expect_valid(const Graph& graph, const Partition& found, Index most) {
  ASSERT_EQ(std::ssize(found.labels), graph.nodes());
  EXPECT_LE(found.clusters, most);
  EXPECT_GE(found.clusters, 1);
  EXPECT_NEAR(found.modularity, metrics::modularity(graph, found.labels), 1e-12);
  EXPECT_EQ(found.solution.plan.rows(), graph.nodes());
}

TEST(Partition, EndsWhenTheTimeIsOverOrTheObserverSaysSo) {
  const PlantedGraph data = test::planted_graph(6);
  const Partition late = partition(data.graph, {.clusters = 5}, {.time_limit = 0.0});
  EXPECT_EQ(late.solution.status, Status::time_limit);
  expect_valid(data.graph, late, 5);
  EXPECT_TRUE(says(late, "connected components"));
  const Partition stopped =
      partition(data.graph, {.clusters = 5}, {.observer = [](const Progress&) { return false; }});
  EXPECT_EQ(stopped.solution.status, Status::interrupted);
  const Partition cancelled =
      partition(data.graph, {.clusters = 5}, {.cancelled = [] { return true; }});
  EXPECT_EQ(cancelled.solution.status, Status::interrupted);
  expect_valid(data.graph, cancelled, 5);
}

TEST(Partition, EndsSoonOnEveryRoute) {
  const PlantedGraph data = generate(
      PlantedPartition{.nodes = 30000, .blocks = 300, .mean_degree = 16, .inside = 0.6}, 1);
  const std::vector<PartitionOptions> routes{
      {},
      {.clusters = 40},
      {.clusters = 40, .starts = 200},
      {.clusters = 40, .start = Start::split_merge, .starts = 50},
      {.clusters = 40, .start = Start::random_labels, .starts = 1000},
      {.clusters = 300, .start = Start::multilevel, .starts = 50},
  };
  for (std::size_t r = 0; r < routes.size(); ++r) {
    const auto begin = std::chrono::steady_clock::now();
    const Partition found = partition(data.graph, routes[r], {.time_limit = 0.2});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(taken.count(), 3.2) << r;
    EXPECT_EQ(found.solution.status, Status::time_limit) << r;
    expect_valid(data.graph, found, routes[r].clusters.value_or(data.graph.nodes()));
  }
}

TEST(Partition, TellsTheObserverTrueValuesFromTheBeginning) {
  const PlantedGraph data = test::planted_graph(6);
  std::vector<double> values;
  const Partition found = partition(data.graph, {}, {.observer = [&](const Progress& progress) {
                                      values.push_back(progress.value);
                                      return true;
                                    }});
  ASSERT_GT(values.size(), 2U);
  const Source source = modularity(data.graph);
  const Structure target = Structure::scaled_identity(1, 1);
  const Plan one = Plan::from_labels(source.weights, Assignment(600, 0), 1);
  const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
  EXPECT_NEAR(values.front(), value(problem, one).total(), 1e-12);  // the component
  EXPECT_NEAR(values.back(), found.solution.value, 1e-12);
  for (const double told : values) EXPECT_GE(told, found.solution.value - 1e-12);
}

TEST(Partition, CarriesAPlanAndACertificate) {
  const PlantedGraph data = test::planted_graph(4);
  const Partition found = partition(data.graph, {.clusters = 5});
  EXPECT_EQ(found.solution.plan.rows(), 600);
  EXPECT_EQ(found.solution.plan.columns(), 5);
  EXPECT_EQ(found.solution.plan.labels(), found.labels);
  const Source source = modularity(data.graph);
  const Structure target = Structure::scaled_identity(5, found.resolution);
  const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
  EXPECT_NEAR(value(problem, found.solution.plan).total(), found.solution.value, 1e-12);
  EXPECT_LT(found.solution.gap, 1e-4 * found.solution.value);
}

TEST(Partition, FollowsThePenaltyWhereTheNumberOfClustersIsFree) {
  const PlantedGraph data = test::planted_graph(11);
  const Partition found = partition(data.graph, {.sparsity = 2.0});
  ASSERT_EQ(found.path.size(), 10U);
  EXPECT_EQ(found.path.front().clusters, 5);
  EXPECT_EQ(found.path.back().sparsity, 2);
  EXPECT_EQ(found.path.back().clusters, found.clusters);
  for (std::size_t i = 1; i < found.path.size(); ++i) {
    EXPECT_LE(found.path[i].clusters, found.path[i - 1].clusters);
  }
}

TEST(Partition, SoftMembershipsNeverLowerTheModularityOfTheLabels) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    // Dense graphs without communities: conditional gradient goes far from the labels there.
    const Graph graph =
        generate(PlantedPartition{.nodes = 24, .blocks = 2, .mean_degree = 9, .inside = 0.5}, seed)
            .graph;
    PartitionOptions options{.criterion = PartitionCriterion::modularity,
                             .test_significance = false};
    const Partition soft = partition(graph, options);
    options.max_size = graph.nodes();  // memberships are hard
    EXPECT_GE(soft.modularity, partition(graph, options).modularity - 1e-12) << seed;
    EXPECT_EQ(soft.solution.plan.labels(), soft.labels);
    options.max_size = {};
    options.criterion = PartitionCriterion::automatic;
    options.clusters = 3;
    const Partition three = partition(graph, options);
    EXPECT_EQ(three.clusters, 3);
  }
}

TEST(Partition, TheCriterionThatDecidedIsNamed) {
  const Graph graph = generate(PlantedPartition{.nodes = 300, .blocks = 5}, 1).graph;
  EXPECT_EQ(partition(graph).criterion, PartitionCriterion::description_length);
  EXPECT_EQ(partition(graph, {.effort = PartitionEffort::quick}).criterion,
            PartitionCriterion::modularity);
  EXPECT_EQ(partition(graph, {.clusters = 5}).criterion, std::nullopt);
}

TEST(Partition, RefusesWhatItCannotDo) {
  const Graph empty = Graph::from_edges(3, {});
  expect_error([&] { return partition(empty); },
               "a graph of 3 nodes without edges, expected at least one edge");
  const std::vector<Entry> edges{{0, 1}, {1, 2}};
  const Graph arcs = Graph::from_edges(3, edges, true);
  expect_error(
      [&] {
        return partition(arcs,
                         {.clusters = 2, .structure = {PartitionStructure::Kind::modularity}});
      },
      "modularity of a directed graph, expected an undirected one: undirected(), or --symmetrize, "
      "takes the union of both directions");
  const Graph graph = Graph::from_edges(3, edges);
  expect_error([&] { return partition(graph, {.clusters = 0}); },
               "clusters is 0, expected at least 1");
  expect_error(
      [&] {
        return partition(graph, {.features = PartitionFeatures{Matrix::Zero(2, 1), 0.5}});
      },
      "features of 2 nodes, expected 3");
  const std::vector<Entry> signed_edges{{0, 1, -1.0}, {1, 2, 2.0}};
  expect_error([&] { return partition(Graph::from_edges(3, signed_edges)); },
               "modularity: edge (0, 1) has weight -1, expected no negative weights");
}

}  // namespace
}  // namespace srgw
