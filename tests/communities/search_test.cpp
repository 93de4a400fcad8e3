// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "communities/communities.hpp"
#include "communities/resolution.hpp"
#include "communities/search/batched_moves.hpp"
#include "communities/search/label_sweeps.hpp"
#include "communities/search/local_moves.hpp"
#include "communities/search/merge.hpp"
#include "communities/search/multilevel.hpp"
#include "communities/search/shared_sums.hpp"
#include "communities/search/split_merge.hpp"
#include "communities/search/weighted_graph.hpp"
#include "graph/components_rows.hpp"
#include "srgw/generate.hpp"
#include "srgw/graph.hpp"
#include "srgw/metrics.hpp"

namespace srgw::detail {
namespace {

Assignment random_labels(std::size_t size, std::size_t count, std::uint64_t seed) {
  Random random(seed, 0);
  Assignment labels(size);
  for (NodeId& label : labels) label = static_cast<NodeId>(random.below(count));
  return labels;
}

PlantedGraph small_planted(std::uint64_t seed, Index blocks = 4) {
  return generate(
      PlantedPartition{.nodes = 200, .blocks = blocks, .mean_degree = 12, .inside = 0.85}, seed);
}

Graph cliques(int count, NodeId size, bool linked) {
  std::vector<Entry> edges;
  for (int c = 0; c < count; ++c) {
    const NodeId base = static_cast<NodeId>(c) * size;
    for (NodeId i = 0; i < size; ++i) {
      for (NodeId j = 0; j < i; ++j) edges.push_back({base + i, base + j});
    }
    if (linked && c > 0) edges.push_back({base, base - 1});
  }
  return Graph::from_edges(Index{count} * size, edges);
}

TEST(WeightedGraph, QualityIsTheModularityOfTheGraph) {
  const PlantedGraph planted = small_planted(1);
  const WeightedGraph weighted = modularity_graph(planted.graph);
  for (const double resolution : {0.5, 1.0, 3.0}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Assignment labels = random_labels(weighted.size(), 7, seed);
      EXPECT_NEAR(quality(weighted, labels, resolution),
                  metrics::modularity(planted.graph, labels, resolution), 1e-12);
    }
  }
}

TEST(WeightedGraph, LeavesOutSelfLoops) {
  const std::vector<Entry> edges{{0, 0}, {0, 1}, {1, 2}};
  const WeightedGraph weighted = modularity_graph(Graph::from_edges(3, edges));
  EXPECT_EQ(weighted.columns.size(), 4U);
  EXPECT_EQ(weighted.mass, (std::vector<double>{1, 2, 1}));
}

TEST(WeightedGraph, ContractionKeepsTheQualityOfCoarserLabels) {
  const WeightedGraph weighted = modularity_graph(small_planted(2).graph);
  Assignment parts = random_labels(weighted.size(), 30, 1);
  const std::size_t count = compact(parts);
  const WeightedGraph coarse = contract(weighted, parts, count);
  const Assignment labels = random_labels(count, 5, 2);
  EXPECT_NEAR(quality(coarse, labels, 1.3), quality(weighted, lift(parts, labels), 1.3), 1e-12);
  const Assignment top = random_labels(5, 2, 3);
  EXPECT_NEAR(quality(contract(coarse, labels, 5), top, 1.3),
              quality(weighted, lift(parts, lift(labels, top)), 1.3), 1e-12);
}

TEST(SharedSums, MakeTheContractedGraphAndItsQualityOnAnyNumberOfThreads) {
  const WeightedGraph weighted = modularity_graph(small_planted(4).graph);
  for (const std::size_t most : {12, 300}) {  // few labels, and many
    Assignment parts = random_labels(weighted.size(), most, 1);
    const Assignment former = parts;
    const std::size_t count = compact(parts);
    Assignment again = former;
    EXPECT_EQ(compact(weighted, again, most), count);
    EXPECT_EQ(again, parts);
    const Assignment labels = random_labels(count, 4, 2);
    for (const int threads : {1, 3}) {
      const WeightedGraph coarse = quotient(weighted, parts, count, threads);
      EXPECT_EQ(coarse.mass, contract(weighted, parts, count).mass);
      EXPECT_EQ(coarse.inside, contract(weighted, parts, count).inside);
      EXPECT_EQ(coarse.columns.size(), contract(weighted, parts, count).columns.size());
      EXPECT_EQ(quality(coarse, labels, 1.3),
                quality(contract(weighted, parts, count), labels, 1.3));
      EXPECT_EQ(quality(weighted, parts, count, 1.3, threads), quality(weighted, parts, 1.3));
    }
  }
}

TEST(WeightedGraph, ComponentsAreThoseOfTheGraph) {
  const WeightedGraph weighted = modularity_graph(cliques(3, 4, false));
  const Components found = components_of(weighted.rows(), true);
  EXPECT_EQ(found.sizes.size(), 3U);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(found.labels[i], i / 4);
}

TEST(LocalMoves, NeverLowerTheQualityAndComeToAnEndWhereNoMoveToANeighbourGains) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const WeightedGraph weighted = modularity_graph(small_planted(seed).graph);
    Assignment labels = random_labels(weighted.size(), 6, seed);
    const double before = quality(weighted, labels, 1);
    while (local_moves(weighted, labels, {.most_clusters = 6, .seed = seed})) {
    }
    const double after = quality(weighted, labels, 1);
    EXPECT_GE(after, before);
    EXPECT_LT(*std::ranges::max_element(labels), 6U);
    for (std::size_t i = 0; i < weighted.size(); ++i) {
      for (std::uint64_t e = weighted.offsets[i]; e < weighted.offsets[i + 1]; ++e) {
        Assignment moved = labels;
        moved[i] = labels[weighted.columns[e]];
        EXPECT_LE(quality(weighted, moved, 1), after + 1e-9);
      }
    }
  }
}

TEST(LocalMoves, FindCliques) {
  const WeightedGraph weighted = modularity_graph(cliques(6, 5, true));
  Assignment labels(weighted.size());
  std::iota(labels.begin(), labels.end(), NodeId{0});
  local_moves(weighted, labels, {.seed = 1});
  EXPECT_EQ(compact(labels), 6U);
}

Assignment singletons(const WeightedGraph& weighted) {
  Assignment labels(weighted.size());
  std::iota(labels.begin(), labels.end(), NodeId{0});
  return labels;
}

PlantedGraph uneven_degrees(Index nodes, Index blocks) {
  return generate(
      DegreeCorrected{.nodes = nodes, .blocks = blocks, .mean_degree = 16, .inside = 0.8}, 3);
}

/// Weights that are no whole numbers.
WeightedGraph with_weights(WeightedGraph weighted) {
  std::vector<double> weights(weighted.columns.size());
  std::ranges::fill(weighted.mass, 0);
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    for (std::uint64_t e = weighted.offsets[i]; e < weighted.offsets[i + 1]; ++e) {
      weights[e] = 0.1 * static_cast<double>(1 + (i + weighted.columns[e]) % 7);
      weighted.mass[i] += weights[e];
    }
  }
  weighted.weights = std::move(weights);
  weighted.total = std::accumulate(weighted.mass.begin(), weighted.mass.end(), 0.0);
  return weighted;
}

TEST(LocalMoves, FromAQueueVisitWhatIsInItAndWhatThatConcerns) {
  const WeightedGraph weighted = modularity_graph(cliques(6, 5, true));
  Assignment labels = singletons(weighted);
  EXPECT_FALSE(local_moves(weighted, labels, {.seed = 1}, {}));
  EXPECT_EQ(labels, singletons(weighted));
  EXPECT_TRUE(local_moves(weighted, labels, {.seed = 1}, {7}));
  EXPECT_LT(compact(labels), weighted.size());
}

TEST(BatchedMoves, AreTheSameOnAnyNumberOfThreadsAndLeaveLittleToGain) {
  const WeightedGraph plain = modularity_graph(uneven_degrees(3000, 12).graph);
  for (const WeightedGraph& weighted : {plain, with_weights(plain)}) {
    for (const std::size_t most : {std::size_t{0}, std::size_t{20}}) {
      Assignment start = most == 0 ? singletons(weighted) : random_labels(weighted.size(), most, 1);
      const MoveRules rules{.resolution = 1.3, .most_clusters = most, .seed = 5};
      Assignment labels = start;
      EXPECT_TRUE(batched_moves(weighted, labels, rules, {.batches = 8}));
      for (const int threads : {2, 3}) {
        Assignment again = start;
        batched_moves(weighted, again, rules, {.batches = 8, .threads = threads});
        EXPECT_EQ(again, labels);
      }
      EXPECT_GT(quality(weighted, labels, 1.3), quality(weighted, start, 1.3));
      EXPECT_LT(*std::ranges::max_element(labels), most == 0 ? weighted.size() : most);
      const double found = quality(weighted, labels, 1.3);
      local_moves(weighted, labels,
                  rules);  // masses of clusters changed since a node was visited
      EXPECT_LT(quality(weighted, labels, 1.3), 1.002 * found);
    }
  }
}

TEST(BatchedMoves, SeeSumsOfBothSignsAsMovesOneAfterTheOtherDo) {
  // Node 0 has weight -1/2 to its own cluster and 1 - 1 - 1 to the other one: it stays.
  WeightedGraph weighted =
      modularity_graph(Graph::from_edges(5, std::vector<Entry>{{0, 1}, {0, 2}, {0, 3}, {0, 4}}));
  std::vector<double> weights(weighted.columns.size());
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    for (std::uint64_t e = weighted.offsets[i]; e < weighted.offsets[i + 1]; ++e) {
      const auto other = std::max(static_cast<NodeId>(i), weighted.columns[e]);
      weights[e] = other == 4 ? -0.5 : other == 1 ? 1.0 : -1.0;
    }
  }
  weighted.weights = std::move(weights);
  const Assignment start{0, 1, 1, 1, 0};
  Assignment batched = start, ordered = start;
  const MoveRules rules{.resolution = 1e-6, .most_clusters = 2, .seed = 1};
  local_moves(weighted, ordered, rules, {0});
  batched_moves(weighted, batched, rules, {.batches = 1, .most_sweeps = 1, .to_the_end = false});
  EXPECT_EQ(ordered[0], batched[0]);
}

TEST(BatchedMoves, ComeCloseToMovesOneAfterTheOther) {
  const PlantedGraph planted = uneven_degrees(20'000, 40);
  const WeightedGraph weighted = modularity_graph(planted.graph);
  Assignment batched = singletons(weighted), ordered = batched;
  batched_moves(weighted, batched, {.seed = 1}, {});
  local_moves(weighted, ordered, {.seed = 1});
  EXPECT_GT(quality(weighted, batched, 1), 0.98 * quality(weighted, ordered, 1));
}

TEST(BatchedMoves, JoinNodesOfAPathThoughNeighboursDecideTogether) {
  std::vector<Entry> edges;
  for (NodeId i = 1; i < 2000; ++i) edges.push_back({i - 1, i});
  const WeightedGraph weighted = modularity_graph(Graph::from_edges(2000, edges));
  Assignment labels = singletons(weighted);
  batched_moves(weighted, labels, {.seed = 1}, {.batches = 1});
  EXPECT_LT(compact(labels), 1000U);
}

TEST(WeightedGraph, IsContractedAndCutOutAlikeOnAnyNumberOfThreads) {
  const WeightedGraph plain = modularity_graph(uneven_degrees(20'000, 40).graph);
  for (const WeightedGraph& weighted : {plain, with_weights(plain)}) {
    const Assignment parts = random_labels(weighted.size(), 3000, 1);
    const WeightedGraph coarse = contract(weighted, parts, 3000);
    const WeightedGraph again = contract(weighted, parts, 3000, 3);
    EXPECT_TRUE(std::ranges::equal(again.offsets, coarse.offsets));
    EXPECT_TRUE(std::ranges::equal(again.columns, coarse.columns));
    EXPECT_TRUE(std::ranges::equal(again.weights, coarse.weights));
    EXPECT_EQ(again.mass, coarse.mass);
    EXPECT_EQ(again.inside, coarse.inside);
    const Assignment labels = random_labels(3000, 7, 2);
    EXPECT_NEAR(quality(coarse, labels, 1.3), quality(weighted, lift(parts, labels), 1.3), 1e-12);

    std::vector<NodeId> nodes;
    for (NodeId i = 0; i < weighted.size(); i += 3) nodes.push_back(i);
    const WeightedGraph part = induced(weighted, nodes, 3);
    EXPECT_EQ(part.size(), nodes.size());
    std::size_t entries = 0;
    for (std::size_t i = 0; i < weighted.size(); i += 3) {
      for (std::uint64_t e = weighted.offsets[i]; e < weighted.offsets[i + 1]; ++e) {
        if (weighted.columns[e] % 3 != 0) continue;
        ASSERT_LT(entries, part.columns.size());
        EXPECT_EQ(part.columns[entries], weighted.columns[e] / 3);
        EXPECT_EQ(part.weight(entries), weighted.weight(e));
        ++entries;
      }
      EXPECT_EQ(part.offsets[i / 3 + 1], entries);
    }
    EXPECT_EQ(part.columns.size(), entries);
  }
}

TEST(WeightedGraph, ComponentsAreFoundBeyondTheFirstNeighbours) {
  // A hub whose first neighbours are single, chains that meet late, and nodes without edges.
  Random random(1, 0);
  for (int round = 0; round < 50; ++round) {
    constexpr NodeId size = 60;
    std::vector<Entry> edges;
    const std::uint64_t count = 10 + random.below(60);
    for (std::uint64_t e = 0; e < count; ++e) {
      const auto a = static_cast<NodeId>(random.below(size));
      const auto b = static_cast<NodeId>(random.below(size));
      if (a != b) edges.push_back({a, b});
    }
    const Graph graph = Graph::from_edges(size, edges, false, Duplicates::first);
    const Components expected = connected_components(graph);
    const Components found = components_of(modularity_graph(graph).rows(), true);
    EXPECT_EQ(found.sizes, expected.sizes);
    EXPECT_TRUE(std::ranges::equal(found.labels, expected.labels));
  }
}

TEST(Refinement, SplitsClustersIntoConnectedPartsOnly) {
  const WeightedGraph weighted = modularity_graph(small_planted(3).graph);
  const Assignment labels = random_labels(weighted.size(), 3, 1);
  const Assignment parts = refine(weighted, labels, {.seed = 1});
  const std::size_t count = 1 + *std::ranges::max_element(parts);
  std::vector<std::set<NodeId>> seen(count);
  for (std::size_t i = 0; i < parts.size(); ++i) seen[parts[i]].insert(labels[i]);
  for (const auto& labels_of_part : seen) EXPECT_EQ(labels_of_part.size(), 1U);
  for (NodeId part = 0; part < count; ++part) {
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == part) nodes.push_back(static_cast<NodeId>(i));
    }
    EXPECT_EQ(components_of(induced(weighted, nodes).rows(), true).sizes.size(), 1U);
  }
}

TEST(Refinement, IsTheSameSideBySideOrOneNodeAfterTheOther) {
  // Large enough for clusters side by side; their own order is the one of the whole graph.
  const WeightedGraph weighted = modularity_graph(uneven_degrees(70'000, 70).graph);
  const Assignment labels = random_labels(weighted.size(), 5, 1);
  const Assignment parts = refine(weighted, labels, {.seed = 1});
  EXPECT_EQ(refine(weighted, labels, {.seed = 1, .threads = 3}), parts);
  EXPECT_LT(*std::ranges::max_element(parts), weighted.size() / 2);
}

TEST(Merge, LeavesAsManyClustersAsAllowed) {
  const WeightedGraph weighted = modularity_graph(cliques(8, 5, true));
  for (const Linkage linkage : {Linkage::density, Linkage::quality}) {
    Assignment labels(weighted.size());
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<NodeId>(i / 5);
    EXPECT_EQ(merge_down(weighted, labels, 3, 1, linkage), 3U);
    EXPECT_EQ(std::set<NodeId>(labels.begin(), labels.end()).size(), 3U);
  }
}

TEST(Merge, PutsASmallComponentAsideWhereAMergeCostsMore) {
  // Two cliques of 20 with one edge between them, and an edge apart: two clusters are allowed.
  std::vector<Entry> edges;
  for (NodeId base : {NodeId{0}, NodeId{20}}) {
    for (NodeId i = 0; i < 20; ++i) {
      for (NodeId j = 0; j < i; ++j) edges.push_back({base + i, base + j});
    }
  }
  edges.push_back({0, 20});
  edges.push_back({40, 41});
  const WeightedGraph weighted = modularity_graph(Graph::from_edges(42, edges));
  Assignment labels(42, 0);
  std::fill(labels.begin() + 20, labels.begin() + 40, NodeId{1});
  labels[40] = labels[41] = 2;
  EXPECT_EQ(merge_down(weighted, labels, 2, 1, Linkage::density), 2U);
  EXPECT_EQ(labels[40], 2U);
  EXPECT_NE(labels[0], labels[20]);
}

/// A ring of cliques, and a triangle apart, which is the last cluster.
struct RingAndTriangle {
  WeightedGraph weighted;
  Assignment labels;
};
RingAndTriangle ring_and_triangle(NodeId cliques, NodeId size) {
  std::vector<Entry> edges;
  const NodeId ring = cliques * size;
  Assignment labels;
  for (NodeId c = 0; c < cliques; ++c) {
    for (NodeId i = 0; i < size; ++i) {
      for (NodeId j = 0; j < i; ++j) edges.push_back({c * size + i, c * size + j});
      labels.push_back(c);
    }
    edges.push_back({c * size, (c + 1) % cliques * size + 1});
  }
  for (NodeId i = 0; i < 3; ++i) {
    edges.push_back({ring + i, ring + (i + 1) % 3});
    labels.push_back(cliques);
  }
  return {modularity_graph(Graph::from_edges(ring + 3, edges)), labels};
}

TEST(Merge, PutsALightComponentAsideWhereOthersAre) {
  // The triangle has 6 inside. A merge costs 2 (22 22 / 446 - 1) = 0.17, more than to join a mass
  // of 2 that has been put aside before: 2 6 2 / 446.
  const auto [weighted, clusters] = ring_and_triangle(20, 5);
  Assignment alone = clusters, with_others = clusters;
  EXPECT_EQ(merge_down(weighted, alone, 20, 1, Linkage::quality), 20U);
  EXPECT_LT(alone.back(), 20U);
  EXPECT_EQ(merge_down(weighted, with_others, 20, 1, Linkage::quality, 2.0), 20U);
  EXPECT_EQ(with_others.back(), 20U);
}

TEST(MergeDown, TakesNearLinearTimeOnAStar) {
  constexpr NodeId leaves = 100'000;
  std::vector<Entry> edges;
  for (NodeId leaf = 1; leaf <= leaves; ++leaf) edges.push_back({0, leaf});
  const WeightedGraph star = modularity_graph(Graph::from_edges(leaves + 1, edges));
  for (const Linkage linkage : {Linkage::density, Linkage::quality}) {
    Assignment labels(leaves + 1);
    std::iota(labels.begin(), labels.end(), NodeId{0});
    EXPECT_EQ(merge_down(star, labels, 10, 1, linkage), 10U);  // minutes where it is quadratic
    EXPECT_EQ(compact(labels), 10U);
  }
}

TEST(Multilevel, CountsWhatIsPutAsideAsOneMoreCluster) {
  const auto [weighted, clusters] = ring_and_triangle(20, 5);
  constexpr double before = 2;
  const Clustering found =
      v_cycles(weighted, clusters, {.most_clusters = 20, .aside = before, .v_cycles = 0});
  const double own = 6, joined = own + before;  // masses of the triangle
  EXPECT_NEAR(found.quality,
              quality(weighted, clusters, 1) +
                  (own * own - joined * joined) / (weighted.total * weighted.total),
              1e-12);
}

TEST(Multilevel, FindsPlantedBlocksWithAndWithoutTheirNumber) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const PlantedGraph planted = small_planted(seed);
    const WeightedGraph weighted = modularity_graph(planted.graph);
    for (const std::size_t most : {std::size_t{0}, std::size_t{4}}) {
      const Clustering found = multilevel(weighted, {.most_clusters = most, .seed = seed});
      EXPECT_EQ(found.count, 4U);
      EXPECT_GT(metrics::adjusted_mutual_information(planted.blocks, found.labels), 0.97);
      EXPECT_GE(found.quality, quality(weighted, planted.blocks, 1) - 1e-12);
    }
  }
}

TEST(Communities, OfALargeGraphAreThoseOfASmallOneOnAnyNumberOfThreads) {
  const PlantedGraph planted = uneven_degrees(6000, 20);
  const WeightedGraph weighted = modularity_graph(planted.graph);
  const double edges = 0.5 * static_cast<double>(weighted.columns.size());
  for (const auto& most : {std::optional<std::size_t>(), std::optional<std::size_t>(20)}) {
    const Communities whole = find_communities(weighted, edges, {.most_clusters = most, .seed = 1});
    EXPECT_EQ(whole.route, Route::multilevel);
    CommunitySearch search{.most_clusters = most, .seed = 1, .largest_whole = 1000};
    const Communities found = find_communities(weighted, edges, search);
    EXPECT_EQ(found.route, Route::contracted);
    EXPECT_EQ(found.count, 20U);
    EXPECT_GT(quality(weighted, found.labels, 1), 0.995 * quality(weighted, whole.labels, 1));
    for (const int threads : {2, 3}) {
      search.threads = threads;
      EXPECT_EQ(find_communities(weighted, edges, search).labels, found.labels);
    }
  }
}

TEST(Multilevel, SettlesByMovesAloneWhereHardlyANodeMoves) {
  const PlantedGraph planted = uneven_degrees(3000, 12);
  const WeightedGraph weighted = modularity_graph(planted.graph);
  const Multilevel rules{.seed = 1, .batched_from = 1000};
  const Clustering moved = settle(weighted, planted.blocks, rules, 1);
  const Clustering cycled = settle(weighted, random_labels(weighted.size(), 12, 1), rules, 0);
  EXPECT_GE(moved.quality, quality(weighted, planted.blocks, 1));
  EXPECT_EQ(moved.count, 12U);
  EXPECT_NEAR(moved.quality, quality(weighted, moved.labels, 1), 1e-12);
  EXPECT_GT(cycled.quality, 0.99 * moved.quality);
}

TEST(Multilevel, SettlingSplitsWhatAContractionHasJoined) {
  const PlantedGraph planted = uneven_degrees(3000, 12);
  const WeightedGraph weighted = modularity_graph(planted.graph);
  Assignment joined = planted.blocks;
  for (NodeId& label : joined) label = label == 11 ? 0 : label;
  const Clustering found = settle(weighted, joined, {.resolution = 2, .most_clusters = 12}, 1);
  EXPECT_EQ(found.count, 12U);
  EXPECT_GE(found.quality, quality(weighted, planted.blocks, 2));
}

TEST(Multilevel, ReachesTheBestPartitionOfAlmostAllTinyGraphs) {
  int graphs = 0, reached = 0;
  // All partitions of 7 nodes into at most 3 clusters.
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed, 0);
    std::vector<Entry> edges;
    for (NodeId i = 0; i < 7; ++i) {
      for (NodeId j = 0; j < i; ++j) {
        if (random.uniform() < 0.45) edges.push_back({i, j});
      }
    }
    const Graph graph = Graph::from_edges(7, edges);
    const WeightedGraph weighted = modularity_graph(graph);
    if (components_of(weighted.rows(), true).sizes.size() != 1) continue;
    double best = -1;
    for (int code = 0; code < 2187; ++code) {
      Assignment labels(7);
      for (int i = 0, rest = code; i < 7; ++i, rest /= 3) {
        labels[static_cast<std::size_t>(i)] = static_cast<NodeId>(rest % 3);
      }
      best = std::max(best, quality(weighted, labels, 1));
    }
    double found = -1;
    for (std::uint64_t s = 0; s < 5; ++s) {
      found = std::max(found, multilevel(weighted, {.most_clusters = 3, .seed = s}).quality);
    }
    EXPECT_LE(found, best + 1e-12);
    ++graphs;
    reached += found > best - 1e-12 ? 1 : 0;
  }
  EXPECT_GT(graphs, 20);
  EXPECT_GE(reached, 9 * graphs / 10);
}

TEST(Multilevel, VCyclesNeverLowerTheQuality) {
  const WeightedGraph weighted = modularity_graph(small_planted(7).graph);
  Assignment labels = random_labels(weighted.size(), 4, 1);
  const double before = quality(weighted, labels, 1);
  EXPECT_GE(v_cycles(weighted, labels, {.most_clusters = 4}).quality, before);
}

TEST(SplitMerge, FindsPlantedBlocksAndGivesTheSameOnAnyNumberOfThreads) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 20'000, .blocks = 6, .mean_degree = 20, .inside = 0.8}, 1);
  const WeightedGraph weighted = modularity_graph(planted.graph);
  const Clustering one = split_merge(weighted, {.most_clusters = 6, .seed = 1, .threads = 1});
  const Clustering three = split_merge(weighted, {.most_clusters = 6, .seed = 1, .threads = 3});
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_GT(metrics::adjusted_mutual_information(planted.blocks, one.labels), 0.98);
}

TEST(SplitMerge, FindsTheNumberOfBlocks) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 6'000, .blocks = 5, .mean_degree = 20, .inside = 0.8}, 2);
  const Clustering found = split_merge(modularity_graph(planted.graph), {.seed = 3});
  EXPECT_EQ(found.count, 5U);
  EXPECT_GT(metrics::adjusted_mutual_information(planted.blocks, found.labels), 0.97);
}

TEST(LabelSweeps, CountOnesAsTheyAddWeightsOfOne) {
  // Few clusters, some more and many, with a hub whose neighbours a byte could not count.
  std::vector<Entry> edges;
  for (NodeId i = 0; i < 2000; ++i) {
    for (const NodeId step : {1U, 7U, 31U}) edges.push_back({i, (i + step) % 2000});
    if (i % 3 == 0) edges.push_back({i, 2000});
  }
  const WeightedGraph plain = modularity_graph(Graph::from_edges(2001, edges));
  WeightedGraph ones = plain;
  ones.weights = std::vector<double>(ones.columns.size(), 1.0);
  for (const std::size_t clusters : {10, 16, 17, 32, 40}) {
    Assignment counted = random_labels(plain.size(), clusters, clusters), added = counted;
    label_sweeps(plain, counted, {.clusters = clusters, .threads = 2});
    label_sweeps(ones, added, {.clusters = clusters, .threads = 2});
    EXPECT_EQ(counted, added);
    EXPECT_NE(counted, random_labels(plain.size(), clusters, clusters));
  }
}

TEST(LabelSweeps, RaiseTheQuality) {
  const WeightedGraph weighted = modularity_graph(small_planted(5).graph);
  Assignment labels = random_labels(weighted.size(), 4, 1);
  const double before = quality(weighted, labels, 1);
  label_sweeps(weighted, labels, {.clusters = 4});
  EXPECT_GT(quality(weighted, labels, 1), before);
}

TEST(LocalStructure, IsSeenWhereNeighboursShareNeighbours) {
  const PlantedGraph tree_like = generate(
      PlantedPartition{.nodes = 100'000, .blocks = 4, .mean_degree = 10, .inside = 0.8}, 1);
  EXPECT_LT(meeting_share(modularity_graph(tree_like.graph), 1), 0.02);
  const Graph dense = cliques(100, 10, true);
  EXPECT_GT(meeting_share(modularity_graph(dense), 1), 0.5);
}

TEST(Resolution, LikelyOneIsThatOfThePlantedModel) {
  // x = 0.8 / 0.25, y = 0.2 / 0.75.
  const double x = 3.2, y = 0.2 / 0.75;
  EXPECT_NEAR(likely_resolution({.inside = 0.8, .squares = 0.25}), (x - y) / std::log(x / y),
              1e-12);
  EXPECT_EQ(likely_resolution({.inside = 0.25, .squares = 0.25}), 1);
}

TEST(DescriptionLength, FollowsItsDefinition) {
  const Graph graph = cliques(2, 5, true);  // 21 edges, 20 inside
  const WeightedGraph weighted = modularity_graph(graph);
  Assignment labels(10, 0);
  std::fill(labels.begin() + 5, labels.end(), NodeId{1});
  const double a = 20.0 / 21, s = 0.5;
  const double information = 21 * (a * std::log(a / s) + (1 - a) * std::log((1 - a) / (1 - s)));
  const double planted = (information - std::log(252.0) - 1.5 * std::log(10.0)) / 10;
  const DescriptionLength found = description_length(weighted, labels, 21);
  EXPECT_NEAR(found.planted, planted, 1e-9);
  // Both blocks have the same density: the diagonal model only pays for one more number each.
  EXPECT_NEAR(found.diagonal, planted - std::log(21.0) / 10, 1e-9);
  EXPECT_NEAR(description_length(weighted, Assignment(10, 0), 21).planted,
              description_length_of_one_block(10), 1e-12);
}

}  // namespace
}  // namespace srgw::detail
