// SPDX-License-Identifier: MIT
#include "srgw/clustering.hpp"

#include <gtest/gtest.h>

#include "srgw/metrics.hpp"
#include "support/expect_error.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

using test::random_matrix;

/// Two blobs of rows, so far apart.
Matrix blobs(Index rows, double distance) {
  detail::Random random(3, 0);
  Matrix points = random_matrix(rows, 4, random);
  points.topRows(rows / 2).array() += distance;
  return points;
}

TEST(ClusterPoints, FarBlobsAreClustersWithoutDoubt) {
  const PointClusters found = cluster_points(blobs(100, 20), {});
  for (Index i = 1; i < 50; ++i) EXPECT_EQ(found.labels[i], found.labels[0]);
  EXPECT_NE(found.labels[99], found.labels[0]);
  EXPECT_EQ(found.largest_share(), 0.5);
  ASSERT_TRUE(found.evidence);
  EXPECT_TRUE(found.evidence->doubts(2).empty());
}

TEST(ClusterPoints, OneBlobIsNotSupported) {
  for (const RowScaling scaling : {RowScaling::none, RowScaling::blocks, RowScaling::quantiles}) {
    const PointClusters found = cluster_points(blobs(100, 0), {.scaling = scaling});
    ASSERT_TRUE(found.evidence);
    EXPECT_FALSE(found.evidence->doubts(2).empty());
  }
}

TEST(ClusterPoints, EqualPointsAreNotSupported) {
  const PointClusters found = cluster_points(Matrix::Ones(30, 3), {});
  ASSERT_TRUE(found.evidence);
  EXPECT_EQ(found.evidence->distinct, 1);
  EXPECT_EQ(found.evidence->doubts(2).size(), 1U);
}

TEST(ClusterPoints, SizesThatExplainTheClustersAreTold) {
  std::vector<Index> sizes(100, 10);
  std::fill_n(sizes.begin(), 50, 40);
  const PointClusters found = cluster_points(blobs(100, 20), {}, sizes);
  EXPECT_EQ(found.evidence->by_size, 1.0);
  EXPECT_EQ(found.evidence->doubts(2).size(), 1U);
}

TEST(ClusterPoints, RefusesMoreClustersThanRows) {
  test::expect_error([] { return cluster_points(Matrix::Ones(3, 2), {.clusters = 4}); },
                     "4 clusters of 3 rows, expected one for each row at most");
}

TEST(Cluster, IsLearnThenEmbedThenPoints) {
  const auto samples = test::random_samples(30, 2);
  const ClusterOptions options{.clusters = 2, .size = 4, .atoms = 2};
  const GraphPartition found = cluster(samples, options, {.seed = 5});
  const double alpha = fused_terms(samples, 2).balanced_alpha();
  Dictionary dictionary{{}, {.alpha = alpha}};
  for (std::uint64_t a = 0; a < 2; ++a) {
    dictionary.atoms.push_back(
        learn(samples, 4, dictionary.projection, options.learner, {.seed = 5 + a}).atom);
  }
  const Embedding rows = embed(dictionary, samples, options.embedding, {.seed = 5});
  const PointClusters points = cluster_points(
      rows.coordinates,
      {.scaling = RowScaling::quantiles, .blocks = embedding_blocks(dictionary, options.embedding)},
      {}, {.seed = 5});
  EXPECT_EQ(found.labels, points.labels);
  EXPECT_EQ(found.inertia, points.inertia);
  EXPECT_EQ(found.model.projection.alpha, alpha);
  EXPECT_EQ(found.learned.size(), 2U);
}

TEST(Cluster, IsTheSameOnAllThreads) {
  const auto samples = test::random_samples(25, 0);
  const GraphPartition one = cluster(samples, {.size = 4, .atoms = 2}, {.threads = 1});
  const GraphPartition four = cluster(samples, {.size = 4, .atoms = 2}, {.threads = 4});
  EXPECT_EQ(one.labels, four.labels);
  EXPECT_EQ(one.inertia, four.inertia);
  EXPECT_EQ(one.evidence->spread, four.evidence->spread);
}

}  // namespace
}  // namespace srgw
