// SPDX-License-Identifier: MIT
#include "srgw/metrics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/thread_ranks.hpp"

namespace srgw::metrics {
namespace {

using namespace srgw::test;

constexpr double tolerance = 1e-10;

Graph graph_of(const Matrix& adjacency) { return Graph::from_adjacency(to_csr(adjacency)); }

TEST(Indices, HaveTheirReferenceValues) {
  const auto& json = reference_case("17_metrics");
  const Assignment y = to_labels(json.at("y")), z = to_labels(json.at("z"));
  EXPECT_NEAR(rand_index(y, z), json.at("rand_index"), tolerance);
  EXPECT_NEAR(adjusted_rand_index(y, z), json.at("adjusted_rand_index"), tolerance);
  EXPECT_NEAR(mutual_information(y, z), json.at("mutual_information_nats"), tolerance);
  EXPECT_NEAR(expected_mutual_information(y, z), json.at("expected_mutual_information_nats"),
              tolerance);
  EXPECT_NEAR(adjusted_mutual_information(y, z), json.at("ami_arithmetic"), tolerance);
  EXPECT_NEAR(adjusted_mutual_information(y, z, Normaliser::maximum), json.at("ami_max"),
              tolerance);
}

TEST(Indices, DifferByNormaliserWhenEntropiesDiffer) {
  const auto& json = reference_case("17b_metrics_normaliser");
  const Assignment y = to_labels(json.at("y")), z = to_labels(json.at("z"));
  EXPECT_NEAR(rand_index(y, z), json.at("rand_index"), tolerance);
  EXPECT_NEAR(adjusted_rand_index(y, z), json.at("adjusted_rand_index"), tolerance);
  EXPECT_NEAR(adjusted_mutual_information(y, z), json.at("ami_arithmetic"), tolerance);
  EXPECT_NEAR(adjusted_mutual_information(y, z, Normaliser::maximum), json.at("ami_max"),
              tolerance);
}

/// The labeling that make_metrics.py describes.
Assignment draw(std::size_t items, NodeId clusters, std::uint64_t state, bool skewed) {
  Assignment labels(items);
  for (NodeId& label : labels) {
    state = (state * 1103515245 + 12345) % (std::uint64_t{1} << 31);
    const auto first = static_cast<NodeId>((state >> 8) % clusters);
    const auto second = static_cast<NodeId>((state >> 20) % clusters);
    label = skewed ? std::min(first, second) : first;
  }
  return labels;
}

TEST(Indices, AgreeWithScikitLearn) {
  for (const auto& json : data_file("metrics.json").at("labelings")) {
    const std::size_t items = json.at("items");
    const NodeId clusters_b = json.at("clusters_b");
    const Assignment a = draw(items, json.at("clusters_a"), 1, json.at("skewed"));
    Assignment b = draw(items, clusters_b, 2, json.at("skewed"));
    for (std::size_t i = 0; json.at("related") && i < items; ++i) {
      if (i % 3 != 0) b[i] = a[i] % clusters_b;
    }
    const auto expect = [&](double found, const char* name) {
      EXPECT_NEAR(found, json.at(name), tolerance) << name << " of " << json;
    };
    expect(rand_index(a, b), "rand_index");
    expect(adjusted_rand_index(a, b), "adjusted_rand_index");
    expect(mutual_information(a, b), "mutual_information");
    expect(expected_mutual_information(a, b), "expected_mutual_information");
    expect(normalized_mutual_information(a, b), "nmi");
    expect(normalized_mutual_information(a, b, Normaliser::maximum), "nmi_max");
    expect(adjusted_mutual_information(a, b), "ami");
    expect(adjusted_mutual_information(a, b, Normaliser::maximum), "ami_max");
  }
}

/// All indices that reach 1 at agreement.
std::vector<double> agreements(const Assignment& a, const Assignment& b) {
  return {rand_index(a, b),
          adjusted_rand_index(a, b),
          normalized_mutual_information(a, b),
          normalized_mutual_information(a, b, Normaliser::maximum),
          adjusted_mutual_information(a, b),
          adjusted_mutual_information(a, b, Normaliser::maximum)};
}

TEST(Indices, AreOneWherePartitionsAgree) {
  const std::vector<double> ones(6, 1.0);
  EXPECT_EQ(agreements({0, 0, 0}, {1, 1, 1}), ones);
  EXPECT_EQ(agreements({0, 1, 2}, {2, 0, 1}), ones);
  EXPECT_EQ(agreements({0}, {5}), ones);
  EXPECT_EQ(agreements({0, 0, 1, 2, 2}, {9, 9, 4, 1, 1}), ones);
}

TEST(Indices, AreZeroBetweenOneClusterAndSingletons) {
  EXPECT_EQ(agreements({0, 0, 0}, {0, 1, 2}), std::vector<double>(6, 0.0));
}

TEST(Indices, SeeOneClusterAsNoInformation) {
  EXPECT_NEAR(rand_index(Assignment{0, 1, 1}, Assignment{0, 0, 0}), 1. / 3, tolerance);
  EXPECT_EQ(adjusted_rand_index(Assignment{0, 1, 1}, Assignment{0, 0, 0}), 0);
  EXPECT_EQ(adjusted_mutual_information(Assignment{0, 1, 1}, Assignment{0, 0, 0}), 0);
  EXPECT_EQ(normalized_mutual_information(Assignment{0, 1, 1}, Assignment{0, 0, 0}), 0);
}

RC_GTEST_PROP(Indices, DoNotSeeTheNamesOfClustersNorTheOrderOfLabelings, (std::uint64_t seed)) {
  detail::Random random(seed, 0);
  const Assignment a = random_labels(30, 5, random), b = random_labels(30, 4, random);
  Assignment renamed = a;
  for (NodeId& label : renamed) label = ~NodeId{0} - 1000 * label;  // up to 2^32 - 1
  const auto expected = agreements(a, b), found = agreements(renamed, b),
             swapped = agreements(b, a);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    RC_ASSERT(std::abs(found[i] - expected[i]) < 1e-12);
    RC_ASSERT(std::abs(swapped[i] - expected[i]) < 1e-12);
    RC_ASSERT(expected[i] <= 1);
  }
}

// The expectation is over permutations of one labeling: with few items they can all be tried.
TEST(ExpectedMutualInformation, IsTheMeanOverAllPermutations) {
  const Assignment a = {0, 0, 0, 1, 1, 2, 2};
  Assignment b = {0, 0, 1, 1, 1, 1, 2};
  double sum = 0;
  int count = 0;
  do {
    sum += mutual_information(a, b);
    ++count;
  } while (std::next_permutation(b.begin(), b.end()));
  EXPECT_NEAR(expected_mutual_information(a, b), sum / count, 1e-12);
}

TEST(AdjustedMutualInformation, IsNearZeroForAMillionItemsInAThousandRandomClusters) {
  detail::Random random(1, 0);
  const Assignment a = random_labels(1000000, 1000, random);
  const Assignment b = random_labels(1000000, 1000, random);
  EXPECT_NEAR(adjusted_mutual_information(a, b), 0, 1e-3);
}

TEST(Indices, RefuseLabelingsOfDifferentItems) {
  const Assignment three(3, 0), four(4, 0), none;
  expect_error([&] { return adjusted_rand_index(three, four); },
               "labelings of 3 and 4 items, expected the same items in both");
  expect_error([&] { return rand_index(none, none); },
               "labelings of 0 items, expected at least one");
}

TEST(Modularity, HasItsReferenceValues) {
  const auto& json = reference_case("17_metrics");
  Matrix adjacency = to_matrix(json.at("modularity").at("A"));
  const Assignment labels = to_labels(json.at("modularity").at("labels"));
  EXPECT_NEAR(modularity(graph_of(adjacency), labels), json.at("modularity").at("value"),
              tolerance);
  adjacency(0, 0) = 1;
  EXPECT_NEAR(modularity(graph_of(adjacency), labels),
              json.at("modularity_with_self_loop_on_node_0").at("value"), tolerance);
}

TEST(Modularity, AgreesWithNetworkxDirectedOrNotAtAnyResolution) {
  const auto& json = data_file("metrics.json");
  std::vector<Entry> edges;
  for (const auto& edge : json.at("edges")) edges.push_back({edge[0], edge[1], edge[2]});
  const Assignment labels = to_labels(json.at("edge_labels"));
  for (const auto& expected : json.at("modularity")) {
    const auto nodes = static_cast<Index>(labels.size());
    const Graph graph = Graph::from_edges(nodes, edges, expected.at("directed"));
    EXPECT_NEAR(modularity(graph, labels, expected.at("resolution")), expected.at("value"),
                tolerance)
        << expected;
  }
}

TEST(Contingency, OfRanksIsThatOfAllItems) {
  detail::Random random(7, 0);
  Assignment a, b;
  for (int i = 0; i < 5000; ++i) {
    a.push_back(static_cast<NodeId>(random.below(40)) * 1000);
    b.push_back(static_cast<NodeId>(random.below(7) + a.back() / 8000));
  }
  for (const int count : {1, 2, 3, 4}) {
    on_ranks(count, [&](Ranks& ranks) {
      const auto part = [&](int rank) {
        return a.size() * static_cast<std::size_t>(rank) / static_cast<std::size_t>(count);
      };
      const std::size_t begin = part(ranks.rank()), size = part(ranks.rank() + 1) - begin;
      const Contingency table =
          contingency(std::span(a).subspan(begin, size), std::span(b).subspan(begin, size), ranks);
      EXPECT_EQ(table.items, std::ssize(a));
      EXPECT_EQ(rand_index(table), rand_index(a, b));
      EXPECT_EQ(adjusted_rand_index(table), adjusted_rand_index(a, b));
      EXPECT_EQ(normalized_mutual_information(table), normalized_mutual_information(a, b));
      EXPECT_EQ(adjusted_mutual_information(table), adjusted_mutual_information(a, b));
    });
  }
}

TEST(Modularity, RefusesWrongSizesAndGraphsWithoutWeight) {
  const Graph path = Graph::from_edges(3, std::vector<Entry>{{0, 1}, {1, 2}});
  expect_error(
      [&] {
        return modularity(path, Assignment{0, 1});
      },
      "labels has 2 entries, expected 3, one for each node");
  const Graph empty = Graph::from_edges(3, {});
  expect_error(
      [&] {
        return modularity(empty, Assignment{0, 1, 1});
      },
      "edge weights sum to 0, expected a positive number");
}

}  // namespace
}  // namespace srgw::metrics
