// SPDX-License-Identifier: MIT
#include "srgw/baselines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/expect_error.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

using test::expect_error;
using test::random_samples;

/// Complete graphs and stars, of several sizes.
std::vector<Sample> two_kinds(std::size_t count) {
  std::vector<Sample> samples;
  for (std::size_t g = 0; g < count; ++g) {
    const Index n = 5 + static_cast<Index>(g / 2 % 4);
    Matrix C = Matrix::Zero(n, n);
    if (g % 2 == 0) {
      C.setOnes();
      C.diagonal().setZero();
    } else {
      C.row(0).setOnes();
      C.col(0).setOnes();
      C(0, 0) = 0;
    }
    const Vector h = Vector::Constant(n, 1.0 / static_cast<double>(n));
    samples.push_back({{Structure::dense(C), h}});
  }
  return samples;
}

TEST(GraphKMeans, TellsStarsFromCompleteGraphs) {
  const auto samples = two_kinds(20);
  const GraphClusters found = learn(samples, GraphKMeansOptions{.clusters = 2}, {.seed = 1});
  for (std::size_t g = 2; g < samples.size(); ++g) {
    EXPECT_EQ(found.labels[g], found.labels[g % 2]) << g;
  }
  EXPECT_NE(found.labels[0], found.labels[1]);
}

TEST(GraphKMeans, LabelsAreTheNearestCentresAndTheInertiaTheirSum) {
  for (const Index columns : {0, 2}) {
    const auto samples = random_samples(18, columns, 3);
    const GraphClusters found = learn(samples, GraphKMeansOptions{.clusters = 3, .size = 5});
    const Matrix values = embed(found.model, samples).coordinates;
    EXPECT_EQ(values, found.embedding.coordinates);
    double sum = 0;
    std::vector<int> sizes(3, 0);
    for (std::size_t g = 0; g < samples.size(); ++g) {
      sum += values(static_cast<Index>(g), found.labels[g]);
      ++sizes[found.labels[g]];
    }
    EXPECT_NEAR(sum, found.inertia, 1e-12);
    for (const int size : sizes) EXPECT_GT(size, 0);
    // The first centres are graphs of any size; from then on the best round is kept.
    ASSERT_EQ(found.losses.size(), static_cast<std::size_t>(found.epochs) + 1);
    EXPECT_EQ(found.inertia, *std::min_element(found.losses.begin() + 1, found.losses.end()));
    EXPECT_LT(found.inertia, learn(samples, GraphKMeansOptions{.clusters = 1, .size = 5}).inertia);
  }
}

TEST(GraphKMeans, IsTheSameOnAnyNumberOfThreads) {
  const auto samples = random_samples(16, 2, 6);
  const GraphClusters one =
      learn(samples, GraphKMeansOptions{.clusters = 3}, {.threads = 1, .seed = 2});
  const GraphClusters four =
      learn(samples, GraphKMeansOptions{.clusters = 3}, {.threads = 4, .seed = 2});
  EXPECT_EQ(one.labels, four.labels);
  EXPECT_EQ(one.embedding.coordinates, four.embedding.coordinates);
}

TEST(GraphKMeans, CentresAreTheSameAfterAFile) {
  const auto samples = random_samples(8, 2, 6);
  const GraphClusters found = learn(samples, GraphKMeansOptions{.clusters = 2, .size = 4});
  const auto path = std::filesystem::temp_directory_path() / "srgw_graph_kmeans_test.npz";
  save(found.model, path);
  const GraphCentres read = load<GraphCentres>(path);
  std::filesystem::remove(path);
  EXPECT_EQ(embed(read, samples).coordinates, found.embedding.coordinates);
}

TEST(GraphKMeans, SaysWhatIsWrong) {
  const auto samples = random_samples(4, 0, 1);
  expect_error([&] { return learn(samples, GraphKMeansOptions{.clusters = 5}); },
               "5 clusters for 4 graphs, expected no more than graphs");
  expect_error([&] { return learn({}, GraphKMeansOptions{}); },
               "the dataset is empty, expected at least one graph");
}

}  // namespace
}  // namespace srgw
