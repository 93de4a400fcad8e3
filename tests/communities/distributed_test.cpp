// SPDX-License-Identifier: MIT
// Partitions of a graph whose rows are distributed over ranks: the bits of one process.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/partition.hpp"
#include "support/expect_error.hpp"
#include "support/shards.hpp"
#include "support/thread_ranks.hpp"

namespace srgw {
namespace {

using Kind = PartitionStructure::Kind;

/// What all ranks found, with labels and rows in the order of the graph.
struct Joined {
  Partition first;
  Assignment labels;
  std::vector<NodeId> nodes;
  std::vector<double> weights, masses;
  std::vector<NodeId> columns;
  std::vector<std::uint64_t> lengths;

  void add(const Partition& part) {
    labels.insert(labels.end(), part.labels.begin(), part.labels.end());
    nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
    const Plan& plan = part.solution.plan;
    weights.insert(weights.end(), plan.weights().begin(), plan.weights().end());
    const ShortRows rows = plan.short_rows();
    masses.insert(masses.end(), rows.masses.begin(), rows.masses.end());
    columns.insert(columns.end(), rows.columns.begin(), rows.columns.end());
    for (std::size_t i = 0; i + 1 < rows.offsets.size(); ++i) {
      lengths.push_back(rows.offsets[i + 1] - rows.offsets[i]);
    }
  }
};

Joined on_ranks(const Graph& graph, const PartitionOptions& options, int count, int threads) {
  std::vector<Partition> parts(static_cast<std::size_t>(count));
  test::on_ranks(count, [&](Ranks& member) {
    PartitionOptions own = options;
    GraphShard shard = test::shard_of(graph, member.rank(), count);
    const auto r = static_cast<std::size_t>(member.rank());
    if (options.start) {
      if (const auto* labels = std::get_if<Assignment>(&*options.start)) {
        own.start =
            Assignment(labels->begin() + shard.starts[r], labels->begin() + shard.starts[r + 1]);
      }
    }
    parts[r] = partition(std::move(shard), own,
                         {.threads = threads, .seed = 5, .trace = true, .ranks = &member});
  });
  Joined joined;
  for (const Partition& part : parts) joined.add(part);
  joined.first = std::move(parts[0]);
  return joined;
}

void expect_same(const Graph& graph, const PartitionOptions& options) {
  const Partition one = partition(graph, options, {.threads = 2, .seed = 5, .trace = true});
  Joined alone;
  alone.add(one);
  for (const int count : {1, 2, 3, 4}) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(testing::Message() << count << " ranks, " << threads << " threads");
      const Joined many = on_ranks(graph, options, count, threads);
      EXPECT_EQ(many.labels, alone.labels);
      EXPECT_EQ(many.nodes, alone.nodes);
      EXPECT_EQ(many.weights, alone.weights);
      EXPECT_EQ(many.columns, alone.columns);
      EXPECT_EQ(many.masses, alone.masses);
      EXPECT_EQ(many.lengths, alone.lengths);
      EXPECT_EQ(many.first.sizes, one.sizes);
      EXPECT_EQ(many.first.clusters, one.clusters);
      EXPECT_EQ(many.first.unconnected, one.unconnected);
      EXPECT_EQ(many.first.significant, one.significant);
      EXPECT_EQ(many.first.modularity, one.modularity);
      EXPECT_EQ(many.first.resolution, one.resolution);
      EXPECT_EQ(many.first.reasons, one.reasons);
      const Solution& found = many.first.solution;
      EXPECT_EQ(found.value, one.solution.value);
      EXPECT_EQ(found.gap, one.solution.gap);
      EXPECT_EQ(found.iterations, one.solution.iterations);
      EXPECT_EQ(found.status, one.solution.status);
      EXPECT_EQ(found.target_weights, one.solution.target_weights);
      EXPECT_EQ(found.start_values, one.solution.start_values);
      EXPECT_EQ(found.best_start, one.solution.best_start);
      ASSERT_EQ(found.trace.size(), one.solution.trace.size());
      for (std::size_t t = 0; t < found.trace.size(); ++t) {
        EXPECT_EQ(found.trace[t].value, one.solution.trace[t].value);
        EXPECT_EQ(found.trace[t].step, one.solution.trace[t].step);
      }
      EXPECT_EQ(many.first.traffic.has_value(), true);
    }
  }
}

PlantedGraph planted(Index nodes, Index blocks, double inside = 0.8) {
  return generate(
      PlantedPartition{.nodes = nodes, .blocks = blocks, .mean_degree = 14, .inside = inside}, 3);
}

/// The same edges with weights, self-loops, nodes in no order, and a tail of nodes without edges,
/// pairs and self-loops.
Graph untidy(const Graph& graph, bool weighted) {
  detail::Random random(9, 0);
  std::vector<NodeId> place(static_cast<std::size_t>(graph.nodes()) + 900);
  for (NodeId i = 0; i < place.size(); ++i) place[i] = i;
  for (std::size_t i = place.size(); i > 1; --i) std::swap(place[i - 1], place[random.below(i)]);
  std::vector<Entry> edges;
  const auto add = [&](NodeId a, NodeId b) {
    edges.push_back({place[a], place[b], weighted ? 0.1 + random.uniform() : 1.0});
  };
  const Csr& csr = graph.adjacency();
  std::visit(
      [&](const auto& offsets) {
        for (NodeId i = 0; i + Index{0} < graph.nodes(); ++i) {
          for (auto e = offsets[i]; e < offsets[i + std::size_t{1}]; ++e) {
            if (csr.columns[e] > i) add(i, csr.columns[e]);
          }
          if (i % 50 == 0) add(i, i);
        }
      },
      csr.offsets);
  const auto tail = static_cast<NodeId>(graph.nodes());
  for (NodeId i = tail; i < tail + 300; i += 2) add(i, i + 1);  // pairs
  add(tail + 300, tail + 301);
  add(tail + 301, tail + 302);
  for (NodeId i = tail + 400; i < tail + 500; ++i) add(i, i);  // loops
  return Graph::from_edges(static_cast<Index>(place.size()), edges);
}

TEST(PartitionOnRanks, IsThatOfOneProcessFromSplitMerge) {
  const PlantedGraph graph = planted(9000, 6);
  const PartitionOptions options{.clusters = 6, .start = Start::split_merge};
  expect_same(graph.graph, options);
  const Joined many = on_ranks(graph.graph, options, 3, 1);
  EXPECT_GT(metrics::adjusted_mutual_information(graph.blocks, many.labels), 0.95);
}

TEST(PartitionOnRanks, IsThatOfOneProcessFromRandomPlansAndLabels) {
  const PlantedGraph graph = planted(6000, 5);
  for (const Start start : {Start::random_labels, Start::random}) {
    SCOPED_TRACE(name(start));
    expect_same(graph.graph, {.clusters = 5, .start = start, .starts = 2});
  }
}

TEST(PartitionOnRanks, IsThatOfOneProcessFromGivenLabels) {
  const PlantedGraph graph = planted(5000, 4, 0.6);
  Assignment labels = graph.blocks;
  detail::Random random(1, 0);
  for (NodeId& label : labels) {
    if (random.uniform() < 0.4) label = static_cast<NodeId>(random.below(4));
  }
  expect_same(graph.graph, {.clusters = 4, .start = labels});
  PartitionOptions modularity{.clusters = 4, .start = labels};
  modularity.structure.kind = Kind::modularity;
  expect_same(graph.graph, modularity);
}

TEST(PartitionOnRanks, IsThatOfOneProcessForUntidyGraphs) {
  for (const bool weighted : {false, true}) {
    SCOPED_TRACE(weighted);
    const Graph graph = untidy(planted(4000, 4).graph, weighted);
    expect_same(graph, {.clusters = 4, .start = Start::split_merge});
    expect_same(graph, {.clusters = 40, .start = Start::split_merge});
  }
}

TEST(PartitionOnRanks, IsThatOfOneProcessForManyColumns) {
  const Graph graph = planted(5000, 30, 0.9).graph;
  expect_same(graph, {.clusters = 400, .start = Start::split_merge});
  expect_same(graph, {.clusters = 90, .start = Start::random_labels});
}

TEST(PartitionOnRanks, IsThatOfOneProcessForTheAdjacency) {
  const Graph graph = untidy(planted(3000, 3).graph, true);
  for (const auto kind : {PartitionWeights::Kind::automatic, PartitionWeights::Kind::degree,
                          PartitionWeights::Kind::power}) {
    SCOPED_TRACE(static_cast<int>(kind));
    PartitionOptions options{.clusters = 3, .start = Start::split_merge};
    options.structure.kind = Kind::adjacency;
    options.weights.kind = kind;
    options.weights.exponent = 0.5;
    options.target = {.kind = PartitionTarget::Kind::scaled_identity, .scale = 0.01};
    options.method = ConditionalGradient{.max_iterations = 130};
    expect_same(graph, options);
  }
}

TEST(PartitionOnRanks, FindsComponentsThatWindThroughAllRanks) {
  // Paths whose nodes are in no order: no rank sees more than a few steps of one.
  constexpr NodeId nodes = 6000, length = 1500;
  std::vector<NodeId> place(nodes);
  for (NodeId i = 0; i < nodes; ++i) place[i] = (i * 2399U) % nodes;
  std::vector<Entry> edges;
  for (NodeId i = 0; i + 1 < nodes; ++i) {
    if ((i + 1) % length != 0) edges.push_back({place[i], place[i + 1], 1});
  }
  const Graph graph = Graph::from_edges(nodes, edges);
  expect_same(graph, {.clusters = 3, .start = Start::split_merge});
  const Joined many = on_ranks(graph, {.clusters = 3, .start = Start::random_labels}, 4, 1);
  EXPECT_EQ(many.first.unconnected, length);
}

TEST(PartitionOnRanks, MayLeaveRanksWithoutRows) {
  const Graph graph = planted(1500, 3).graph;  // two blocks of rows
  expect_same(graph, {.clusters = 3, .start = Start::split_merge});
  PartitionOptions options{.clusters = 3, .start = Start::random};
  options.structure.kind = Kind::adjacency;
  expect_same(graph, options);
}

TEST(PartitionOnRanks, SaysSoWhereThereAreNoCommunities) {
  const PlantedGraph graph = planted(3000, 3);
  PartitionOptions options{.clusters = 2, .start = Assignment(3000, 0)};
  options.structure.kind = Kind::modularity;
  expect_same(graph.graph, options);
}

TEST(PartitionOnRanks, StopsOnAllRanksWhereOneHasTo) {
  const Graph graph = planted(6000, 6).graph;
  for (const Start start : {Start::split_merge, Start::random_labels}) {
    std::vector<Partition> parts(3);
    test::on_ranks(3, [&](Ranks& member) {
      srgw::Run run{.threads = 1, .time_limit = 1e6, .ranks = &member};
      int polls = 0;
      if (member.rank() == 1) run.cancelled = [&] { return ++polls > 3; };
      parts[static_cast<std::size_t>(member.rank())] =
          partition(test::shard_of(graph, member.rank(), 3),
                    {.clusters = 6, .start = start, .starts = 20}, run);
    });
    for (const Partition& part : parts) {
      EXPECT_EQ(part.solution.status, Status::interrupted);
      EXPECT_EQ(part.modularity, parts[0].modularity);
      EXPECT_EQ(part.solution.value, parts[0].solution.value);
      EXPECT_LE(part.solution.start_values.size(), 1U);
    }
  }
}

TEST(PartitionOnRanks, CountsWhatItSends) {
  const Joined many =
      on_ranks(planted(9000, 6).graph, {.clusters = 6, .start = Start::random_labels}, 4, 1);
  const PartitionTraffic& traffic = *many.first.traffic;
  EXPECT_EQ(traffic.steps.size(), static_cast<std::size_t>(many.first.solution.iterations));
  EXPECT_GT(traffic.copies, 0U);
  for (const PartitionTraffic::Step& step : traffic.steps) {
    // A label of a byte and its position, or all labels; and some vectors of m numbers.
    EXPECT_LE(step.bytes, 5 * step.rows + 4 * 4 * 60 * (6 + 8));
  }
  EXPECT_LT(traffic.steps.back().rows, traffic.copies / 4);
}

TEST(PartitionOnRanks, NamesWhatItCannotDo) {
  const Graph graph = planted(3000, 3).graph;
  const auto expect = [&](const PartitionOptions& options, const char* message) {
    test::expect_error([&] { return on_ranks(graph, options, 2, 1).first; }, message);
  };
  expect({.clusters = 3, .start = Start::spectral},
         "start spectral on several ranks, expected split-merge, random, random-labels or labels");
  PartitionOptions heat{.clusters = 3, .start = Start::split_merge};
  heat.structure = {Kind::heat, 2};
  expect(heat, "structure heat:2 on several ranks, expected modularity or adjacency");
  PartitionOptions adjacency{.start = Start::split_merge};
  adjacency.structure.kind = Kind::adjacency;
  expect(adjacency,
         "clusters auto with structure adjacency, expected a number: only the default search, and "
         "start split-merge with the modularity structure, find the number of clusters");
  expect({.criterion = PartitionCriterion::description_length},
         "criterion description-length on several ranks, expected auto or modularity");
  expect({.sparsity = 0.1}, "sparsity on several ranks, expected 0");
  PartitionOptions features;
  features.features.emplace(PartitionFeatures{Matrix::Zero(3000, 1)});
  expect(features, "features on several ranks, expected none");
}

TEST(PartitionOnRanks, FindsTheNumberOfClusters) {
  const PlantedGraph planted_graph = planted(3000, 6);
  expect_same(planted_graph.graph, {.start = Start::split_merge, .starts = 1});
  // Without a start ranks split and merge, where one process searches.
  const Joined many = on_ranks(planted_graph.graph, {}, 3, 1);
  EXPECT_EQ(many.first.clusters, 6);
  EXPECT_TRUE(many.first.significant);
  ASSERT_EQ(many.first.reasons.size(), 2U);
  EXPECT_NE(many.first.reasons[0].find("replaces the search"), std::string::npos);
  const Partition one =
      partition(planted_graph.graph, {.start = Start::split_merge}, {.threads = 1, .seed = 5});
  EXPECT_EQ(many.labels, one.labels);
  EXPECT_EQ(many.first.solution.value, one.solution.value);
  ASSERT_EQ(one.reasons.size(), 1U);
  EXPECT_EQ(many.first.reasons[1], one.reasons[0]);
  EXPECT_GT(metrics::adjusted_mutual_information(planted_graph.blocks, many.labels), 0.9);
}

TEST(PartitionOnRanks, TakesSplitMergeWhereTheStartIsOpen) {
  const Graph graph = planted(3000, 4).graph;
  PartitionOptions open{.clusters = 4};
  open.structure.kind = Kind::modularity;
  PartitionOptions named = open;
  named.start = Start::split_merge;
  EXPECT_EQ(on_ranks(graph, open, 2, 1).labels, on_ranks(graph, named, 2, 1).labels);
  EXPECT_FALSE(resolve_on_ranks(open).searches);
  EXPECT_TRUE(resolve_on_ranks(open).chooses_start);
  EXPECT_FALSE(resolve_on_ranks(named).chooses_start);
  open.clusters.reset();  // free, though the structure is named
  EXPECT_EQ(on_ranks(graph, open, 2, 1).first.clusters, 4);
}

TEST(PartitionOnRanks, OneClusterOfAFreeNumberIsNoCommunity) {
  // A complete graph: no split gains.
  std::vector<Entry> edges;
  for (NodeId i = 0; i < 12; ++i) {
    for (NodeId j = 0; j < i; ++j) edges.push_back({i, j, 1.0});
  }
  const Graph graph = Graph::from_edges(12, std::span<const Entry>(edges));
  const Joined found = on_ranks(graph, {}, 2, 1);
  EXPECT_EQ(found.first.clusters, 1);
  EXPECT_FALSE(found.first.significant);
}

}  // namespace
}  // namespace srgw
