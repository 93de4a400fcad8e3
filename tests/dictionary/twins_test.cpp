// SPDX-License-Identifier: MIT
#include "dictionary/twins.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/sampling.hpp"
#include "dictionary/atom_sums.hpp"
#include "dictionary/projector.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

detail::Twins twins_of(std::span<const Sample> samples, int threads = 1) {
  detail::Shard shard(samples.size());
  return {samples, threads, shard};
}

/// The same graph with its nodes in another order.
Sample permuted(const Sample& sample, std::uint64_t seed) {
  const auto& [structure, h] = sample.source;
  std::vector<Index> order(static_cast<std::size_t>(h.size()));
  std::iota(order.begin(), order.end(), Index{0});
  detail::Random random(seed, 0);
  detail::shuffle(order, random);
  const Matrix C = structure.dense();
  Matrix permuted_C(C.rows(), C.cols());
  Sample result{{structure, Vector(h.size())}, Matrix(h.size(), sample.features.cols())};
  for (Index i = 0; i < h.size(); ++i) {
    const Index from = order[static_cast<std::size_t>(i)];
    result.source.weights[i] = h[from];
    if (result.features.cols() > 0) result.features.row(i) = sample.features.row(from);
    for (Index j = 0; j < h.size(); ++j) {
      permuted_C(i, j) = C(from, order[static_cast<std::size_t>(j)]);
    }
  }
  result.source.structure = Structure::csr(test::to_csr(permuted_C));
  return result;
}

Sample star(Index leaves) {
  std::vector<Entry> edges;
  for (NodeId i = 1; i <= leaves; ++i) edges.push_back({0, i, 1});
  return {adjacency(Graph::from_edges(leaves + 1, edges))};
}

TEST(Twins, MakeOneNodeOfEachColour) {
  const std::vector<Sample> samples{star(5), star(6), permuted(star(5), 3)};
  const detail::Twins twins = twins_of(samples, 2);
  ASSERT_EQ(twins.groups().size(), 2U);
  EXPECT_EQ(twins.group_of(2), 0U);
  EXPECT_EQ(twins.groups()[0].graphs, 2);
  const Sample& two = twins.groups()[0].sample;
  EXPECT_EQ(two.source.structure.size(), 2);
  EXPECT_NEAR(two.source.weights.maxCoeff(), 5.0 / 6, 1e-15);
}

TEST(Twins, TellApartWhatFeaturesAndDirectionsTellApart) {
  Sample marked = star(5);
  marked.features = Matrix::Zero(6, 1);
  marked.features(3, 0) = 1;
  EXPECT_EQ(twins_of(std::vector<Sample>{marked}).groups()[0].sample.source.weights.size(), 3);
  const std::vector<Entry> out{{0, 1, 1}, {0, 2, 1}}, in{{1, 0, 1}, {2, 0, 1}};
  const std::vector<Sample> directed{{adjacency(Graph::from_edges(3, out, true))},
                                     {adjacency(Graph::from_edges(3, in, true))}};
  EXPECT_EQ(twins_of(directed).groups().size(), 2U);
}

TEST(Twins, GiveTheValuesAndSumsOfTheWholeGraphs) {
  for (const bool directed : {false, true}) {
    std::vector<Sample> samples = test::random_samples(20, 0, 6, directed);
    for (Sample& sample : samples) {  // two kinds of nodes, so that colours are few
      sample.features = Matrix::Zero(sample.source.weights.size(), 1);
      sample.features(0, 0) = 1;
    }
    samples.push_back(permuted(samples[0], 5));
    samples.push_back(star(7));
    samples.back().features = Matrix::Zero(8, 1);
    const detail::Twins twins = twins_of(samples);
    EXPECT_EQ(twins.group_of(20), 0U);
    detail::Random random(1, 1);
    Matrix B = test::random_matrix(4, 4, random);
    B = (B + B.transpose()).eval();
    // Steps for all rows at once; a polish goes row by row and parts twins.
    const Projection projection{
        .alpha = 0.6,
        .method = ConditionalGradient{.tolerance = 1e-9, .stopping = Stopping::change_of_former}};
    detail::Projector projector(projection, 1);
    projector.set_atom({B, test::random_matrix(4, 1, random)});
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const auto& group = twins.groups()[twins.group_of(s)];
      const Solution whole = projector.solve(0, samples[s]);
      detail::AtomSums expected(4, 1), sums(4, 1);
      expected.add_plan(samples[s], whole.plan);
      const Solution small = projector.solve(0, group.sample);
      sums.add_plan(group.sample, small.plan);
      EXPECT_NEAR(small.value + 0.6 * group.constant, whole.value, 1e-4 * whole.value) << s;
      EXPECT_NEAR(sums.cross.sum(), expected.cross.sum(), 1e-12);
      EXPECT_LT((sums.masses - expected.masses).cwiseAbs().maxCoeff(), 1e-2) << s;
    }
  }
}

}  // namespace
}  // namespace srgw
