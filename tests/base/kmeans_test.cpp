// SPDX-License-Identifier: MIT
#include "base/kmeans.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <set>

#include "srgw/metrics.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

/// Row i is a normal cloud around one of `clusters` far points; square, so that it may be sparse.
struct Clouds {
  Clouds(Index size, Index clusters, std::uint64_t seed, double spread = 0.1) {
    detail::Random random(seed, 0);
    const Matrix centres = 10 * random_matrix(clusters, size, random, 0.2);
    labels = random_labels(size, clusters, random);
    rows = spread * random_matrix(size, size, random, 0.2);
    for (Index i = 0; i < size; ++i)
      rows.row(i) += centres.row(labels[static_cast<std::size_t>(i)]);
  }

  Matrix rows;
  Assignment labels;
};

Matrix random_rows(Index rows, Index columns, std::uint64_t seed) {
  detail::Random random(seed, 0);
  return random_matrix(rows, columns, random);
}

std::size_t used_clusters(const KMeansResult& result) {
  return std::set<NodeId>(result.labels.begin(), result.labels.end()).size();
}

/// Labels are nearest centres and the inertia is the sum of their squared distances.
void expect_consistent(const Matrix& rows, const KMeansResult& result) {
  ASSERT_TRUE(result.centres.allFinite());
  double inertia = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    const Vector distances = (result.centres.rowwise() - rows.row(i)).rowwise().squaredNorm();
    const double mine = distances[result.labels[static_cast<std::size_t>(i)]];
    EXPECT_NEAR(mine, distances.minCoeff(), 1e-9 * (1 + rows.row(i).squaredNorm()));
    inertia += mine;
  }
  EXPECT_NEAR(result.inertia, inertia, 1e-9 * (1 + rows.squaredNorm()));
}

TEST(KMeans, FindsCloudsInDenseRows) {
  const Clouds clouds(200, 6, 1);
  const KMeansResult found = kmeans(clouds.rows, {.clusters = 6, .seed = 3});
  EXPECT_EQ(metrics::adjusted_rand_index(found.labels, clouds.labels), 1);
  EXPECT_LT(found.iterations, 10);
  expect_consistent(clouds.rows, found);
}

TEST(KMeans, FindsCloudsInSparseRows) {
  const Clouds clouds(200, 6, 1);
  const KMeansResult found = kmeans(to_csr(clouds.rows), {.clusters = 6, .seed = 3});
  EXPECT_EQ(metrics::adjusted_rand_index(found.labels, clouds.labels), 1);
  expect_consistent(clouds.rows, found);
}

RC_GTEST_PROP(KMeans, GivesTheSameOnDenseAndSparseRows, (std::uint64_t seed)) {
  const Clouds clouds(30, 4, seed);
  const KMeansOptions options{.clusters = 4, .tries = 3, .seed = seed};
  const KMeansResult dense = kmeans(clouds.rows, options),
                     sparse = kmeans(to_csr(clouds.rows), options);
  RC_ASSERT(metrics::adjusted_rand_index(dense.labels, sparse.labels) == 1.0);
  RC_ASSERT(std::abs(dense.inertia - sparse.inertia) < 1e-6);
}

TEST(KMeans, ReadsSparseRowsWithoutValuesAsOnes) {
  std::vector<Entry> block_edges;
  for (NodeId i = 0; i < 12; ++i) {
    for (NodeId j = 0; j < 12; ++j) {
      if (i / 4 == j / 4) block_edges.push_back({i, j});
    }
  }
  const Csr csr = make_csr(12, block_edges, Duplicates::refuse);
  ASSERT_FALSE(csr.has_values());
  const KMeansResult found = kmeans(csr, {.clusters = 3});
  EXPECT_EQ(
      metrics::adjusted_rand_index(found.labels, Assignment{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}),
      1);
  EXPECT_EQ(found.inertia, 0);
}

class KMeansThreads : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Threads, KMeansThreads, testing::Values(2, 3, 8));

TEST_P(KMeansThreads, DoNotChangeABit) {
  const Matrix rows = random_rows(5000, 7, 1);
  const KMeansResult one = kmeans(rows, {.clusters = 9, .tries = 2, .threads = 1});
  const KMeansResult many = kmeans(rows, {.clusters = 9, .tries = 2, .threads = GetParam()});
  EXPECT_EQ(one.labels, many.labels);
  EXPECT_EQ(one.centres, many.centres);
  EXPECT_EQ(one.inertia, many.inertia);
}

TEST_P(KMeansThreads, DoNotChangeABitOfSparseRows) {
  const Csr rows = to_csr(Clouds(1500, 5, 2, 3).rows);
  const KMeansResult one = kmeans(rows, {.clusters = 5, .threads = 1});
  const KMeansResult many = kmeans(rows, {.clusters = 5, .threads = GetParam()});
  EXPECT_EQ(one.labels, many.labels);
  EXPECT_EQ(one.centres, many.centres);
  EXPECT_EQ(one.inertia, many.inertia);
}

TEST(KMeans, EndsAtTheMeansOfItsClusters) {
  const Matrix rows = random_rows(300, 4, 5);
  const KMeansResult found = kmeans(rows, {.clusters = 5, .tolerance = 0});
  expect_consistent(rows, found);
  Matrix sums = Matrix::Zero(5, 4);
  Vector sizes = Vector::Zero(5);
  for (Index i = 0; i < 300; ++i) {
    const NodeId label = found.labels[static_cast<std::size_t>(i)];
    sums.row(label) += rows.row(i);
    sizes[label] += 1;
  }
  for (Index c = 0; c < 5; ++c) {
    EXPECT_LT((sums.row(c) / sizes[c] - found.centres.row(c)).norm(), 1e-12);
  }
}

TEST(KMeans, NeverGetsWorseWithIterations) {
  const Matrix rows = random_rows(500, 3, 6);
  double former = std::numeric_limits<double>::infinity();
  for (int iterations = 0; iterations < 12; ++iterations) {
    const double inertia =
        kmeans(rows, {.clusters = 8, .max_iterations = iterations, .tolerance = 0}).inertia;
    EXPECT_LE(inertia, former * (1 + 1e-12));
    former = inertia;
  }
}

TEST(KMeans, KeepsTheBestOfItsTries) {
  const Matrix rows = random_rows(300, 3, 7);
  const double one = kmeans(rows, {.clusters = 12, .tries = 1}).inertia;
  const double ten = kmeans(rows, {.clusters = 12, .tries = 10}).inertia;
  EXPECT_LT(ten, one);
}

TEST(KMeans, WithOneClusterIsTheMean) {
  const Matrix rows = random_rows(50, 3, 8);
  const KMeansResult found = kmeans(rows, {.clusters = 1});
  EXPECT_LT((found.centres.row(0) - rows.colwise().mean()).norm(), 1e-12);
  EXPECT_NEAR(found.inertia, (rows.rowwise() - rows.colwise().mean()).squaredNorm(), 1e-10);
}

TEST(KMeans, DoesNotLoseSmallDifferencesFarFromTheOrigin) {
  const Clouds clouds(60, 3, 9);
  const Matrix far = clouds.rows.array() + 1e8;
  const KMeansResult found = kmeans(far, {.clusters = 3});
  EXPECT_EQ(metrics::adjusted_rand_index(found.labels, clouds.labels), 1);
}

// Integer points of a small grid: many coincide.
RC_GTEST_PROP(KMeans, LeavesNoClusterEmptyWhileThereAreDistinctRows, (std::uint64_t seed)) {
  detail::Random random(seed, 0);
  Matrix rows(12, 12);
  for (double& entry : rows.reshaped()) entry = 0;
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < 2; ++j) rows(i, j) = static_cast<double>(random.below(4));
  }
  std::set<std::pair<double, double>> distinct;
  for (Index i = 0; i < 12; ++i) distinct.emplace(rows(i, 0), rows(i, 1));
  const KMeansOptions options{.clusters = 1 + static_cast<int>(random.below(12)), .seed = seed};
  const std::size_t expected =
      std::min(distinct.size(), static_cast<std::size_t>(options.clusters));
  for (const KMeansResult& found : {kmeans(rows, options), kmeans(to_csr(rows), options)}) {
    RC_ASSERT(used_clusters(found) == expected);
    RC_ASSERT(found.centres.allFinite());
    RC_ASSERT(std::isfinite(found.inertia));
  }
}

TEST(KMeans, AcceptsMoreClustersThanRows) {
  const KMeansResult found = kmeans(random_rows(3, 2, 1), {.clusters = 5});
  EXPECT_EQ(used_clusters(found), 3u);
  EXPECT_TRUE(found.centres.allFinite());
  EXPECT_NEAR(found.inertia, 0, 1e-12);
}

TEST(KMeans, GivesFiniteNumbersAtExtremeScales) {
  for (const double scale : {1e-300, 1e-100, 1e100, 1e138}) {
    const KMeansResult found = kmeans(random_rows(40, 3, 2) * scale, {.clusters = 4});
    EXPECT_TRUE(found.centres.allFinite());
    EXPECT_TRUE(std::isfinite(found.inertia));
  }
}

TEST(KMeans, RefusesWhatMakesNoSense) {
  const Matrix rows = random_rows(4, 2, 1);
  const auto with = [&](KMeansOptions options) { return [=] { return kmeans(rows, options); }; };
  expect_error(with({.clusters = 0}), "clusters is 0, expected 1 or more");
  expect_error(with({.tries = 0}), "tries is 0, expected 1 or more");
  expect_error(with({.max_iterations = -1}), "max_iterations is -1, expected 0 or more");
  expect_error(with({.tolerance = -1}), "tolerance is -1, expected a number >= 0");
  expect_error(with({.threads = -1}), "threads is -1, expected 0 (all cores) or more");
  expect_error([] { return kmeans(Matrix(0, 3), {}); },
               "rows is 0 x 3, expected at least one row and column");
  Matrix bad = rows;
  bad(2, 1) = std::numeric_limits<double>::quiet_NaN();
  expect_error([&] { return kmeans(bad, {}); },
               "entry (2, 1) is nan, expected a number of size at most 1e+140");
}

}  // namespace
}  // namespace srgw
