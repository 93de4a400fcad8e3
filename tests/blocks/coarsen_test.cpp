// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "base/stop.hpp"
#include "blocks/block_means.hpp"
#include "blocks/leading_pairs.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/blocks.hpp"
#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/problem.hpp"
#include "structure/eigen.hpp"
#include "support/expect_error.hpp"

namespace srgw {
namespace {

Graph random_graph(Index nodes, double p, std::uint64_t seed, bool weighted = false,
                   bool loops = false) {
  detail::Random random(seed, 0);
  std::vector<Entry> edges;
  for (Index i = 0; i < nodes; ++i) {
    for (Index j = i; j < nodes; ++j) {
      if ((i == j && !loops) || random.uniform() >= p) continue;
      edges.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j),
                       weighted ? 0.5 + random.uniform() : 1.0});
    }
  }
  return Graph::from_edges(nodes, edges);
}

/// E of labels, over the four-fold sum written for hard plans.
double brute_objective(const Matrix& C, const Vector& h, const Assignment& labels, Index count) {
  Matrix sums = Matrix::Zero(count, count);
  Vector q = Vector::Zero(count);
  for (Index i = 0; i < C.rows(); ++i) {
    q[labels[i]] += h[i];
    for (Index j = 0; j < C.rows(); ++j) sums(labels[i], labels[j]) += h[i] * h[j] * C(i, j);
  }
  const Matrix B = (q.asDiagonal().inverse() * sums * q.asDiagonal().inverse());
  double value = 0;
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < C.rows(); ++j) {
      const double difference = C(i, j) - B(labels[i], labels[j]);
      value += h[i] * h[j] * difference * difference;
    }
  }
  return value;
}

/// The smallest objective over all labelings that use every label.
double best_objective(const Matrix& C, const Vector& h, Index count) {
  const Index n = C.rows();
  Assignment labels(n, 0);
  double best = std::numeric_limits<double>::infinity();
  const std::function<void(Index, NodeId)> go = [&](Index i, NodeId used) {
    if (i == n) {
      if (used == static_cast<NodeId>(count)) {
        best = std::min(best, brute_objective(C, h, labels, count));
      }
      return;
    }
    for (NodeId c = 0; c <= std::min(used, static_cast<NodeId>(count - 1)); ++c) {
      labels[i] = c;
      go(i + 1, std::max<NodeId>(used, c + 1));
    }
  };
  go(0, 0);
  return best;
}

TEST(Coarsen, StopsBeforeAllPairsAreJudged) {
  detail::WeightedGraph pairs = detail::without_diagonal(random_graph(30, 0.5, 1).adjacency());
  pairs.mass.assign(30, 1);
  StopScope scope({});
  scope.request_stop(Status::time_limit);
  EXPECT_THROW((void)detail::merge_by_loss(pairs, 30), detail::Stopped);
}

TEST(Coarsen, ValueIsTheObjectiveOfLabelsAndMeans) {
  const Graph graph = random_graph(30, 0.2, 1, true, true);
  Vector h(30);
  for (Index i = 0; i < 30; ++i) h[i] = 1 + static_cast<double>(i % 5);
  h /= h.sum();
  for (const auto kind : {StructureKind::adjacency, StructureKind::normalized_adjacency,
                          StructureKind::laplacian, StructureKind::normalized_laplacian}) {
    const NamedStructure named{&*std::ranges::find(structure_names(), kind, &StructureName::kind)};
    const Matrix C = make_source(graph, named).structure.dense();
    const Coarsening found =
        coarsen(graph, {.nodes = 7, .structure = kind, .weights = VectorSpan(h)});
    EXPECT_NEAR(found.value, brute_objective(C, h, found.labels, 7), 1e-12);
    EXPECT_LE(found.value, found.start_value + 1e-15);
    const Matrix means = Structure::csr(found.means).dense();
    for (Index k = 0; k < 7; ++k) {
      double q = 0;
      for (Index i = 0; i < 30; ++i) q += found.labels[i] == k ? h[i] : 0.0;
      EXPECT_NEAR(found.weights[k], q, 1e-14);
      for (Index l = 0; l < 7; ++l) {
        double sum = 0, mass = 0;
        for (Index i = 0; i < 30; ++i) {
          for (Index j = 0; j < 30; ++j) {
            if (found.labels[i] != k || found.labels[j] != l) continue;
            sum += h[i] * h[j] * C(i, j);
            mass += h[i] * h[j];
          }
        }
        EXPECT_NEAR(means(k, l), sum / mass, 1e-12);
      }
    }
  }
}

TEST(Coarsen, FindsTheBestLabelsOfTinyGraphs) {
  int best = 0;
  constexpr int graphs = 30;
  for (std::uint64_t seed = 0; seed < graphs; ++seed) {
    const Graph graph = random_graph(8, 0.4, seed, seed % 2 == 0);
    const Coarsening found = coarsen(graph, {.nodes = 3});
    const double least = best_objective(adjacency(graph).structure.dense(), uniform_weights(8), 3);
    EXPECT_GE(found.value, least - 1e-12);
    EXPECT_LE(found.value, 1.1 * least + 1e-12) << "seed " << seed;
    best += found.value <= least + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(best, 27);
}

TEST(Coarsen, ReassignmentsNeverLowerWhatIsExplained) {
  const Graph graph = random_graph(120, 0.1, 5);
  detail::WeightedGraph pairs = detail::without_diagonal(graph.adjacency());
  pairs.mass.assign(120, 1);
  for (const std::size_t dense : {std::size_t{0}, std::size_t{2000}}) {
    Assignment labels(120);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<NodeId>(i % 20);
    const double before = detail::explained(pairs, labels, 20, 1);
    detail::reassign(pairs, labels, 20, {.largest_dense = dense});
    EXPECT_GT(detail::explained(pairs, labels, 20, 1), before);
    Assignment compacted = labels;
    EXPECT_EQ(detail::compact(compacted), 20u);
  }
}

TEST(Coarsen, HasExactlyTheNodesAskedFor) {
  const std::vector<std::pair<int, int>> none;
  std::vector<std::pair<int, int>> star, path;
  for (int i = 1; i < 40; ++i) {
    star.emplace_back(0, i);
    path.emplace_back(i - 1, i);
  }
  for (const Graph& graph : {Graph::from_edges(40, none), Graph::from_edges(40, star),
                             Graph::from_edges(40, path), random_graph(40, 0.05, 3)}) {
    for (const Index nodes : {1, 2, 3, 13, 39, 40}) {
      const Coarsening found = coarsen(graph, {.nodes = nodes});
      EXPECT_EQ(found.nodes(), nodes);
      EXPECT_EQ(found.graph.nodes(), nodes);
      for (const Index size : found.sizes) EXPECT_GT(size, 0);
      EXPECT_EQ(std::accumulate(found.sizes.begin(), found.sizes.end(), Index{0}), 40);
      if (nodes == 40) {
        EXPECT_EQ(found.value, 0);
      }
    }
    EXPECT_EQ(coarsen(graph, {.ratio = 0.3}).nodes(), 12);
    EXPECT_EQ(coarsen(graph, {.ratio = 1e-9}).nodes(), 1);
  }
}

TEST(Coarsen, GraphHasTheSumsOfWeights) {
  const Graph graph = random_graph(25, 0.3, 9, true, true);
  const Coarsening found = coarsen(graph, {.nodes = 6});
  Matrix sums = Matrix::Zero(6, 6);
  detail::for_each_entry(graph.adjacency(), [&](Index i, Index j, double weight) {
    if (i <= j) {
      const Index k = found.labels[i], l = found.labels[j];
      sums(k, l) += weight;
      if (k != l) sums(l, k) += weight;
    }
  });
  const Matrix made = adjacency(found.graph).structure.dense();
  EXPECT_LT((made - sums).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Coarsen, TwinsAreMergedWithoutLoss) {
  // Ten groups of nodes with the same neighbours.
  std::vector<std::pair<int, int>> edges;
  for (int a = 0; a < 10; ++a) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) edges.emplace_back(a * 4 + i, ((a + 1) % 10) * 4 + j);
    }
  }
  const Coarsening found = coarsen(Graph::from_edges(40, edges), {.nodes = 10});
  EXPECT_NEAR(found.value, 0, 1e-15);
  EXPECT_NEAR(found.spectral_error.value(), 0, 1e-8);
}

TEST(Coarsen, SpectralErrorIsThatOfTheLiftedGraph) {
  const Graph graph = random_graph(40, 0.15, 12, true);
  const Coarsening found = coarsen(graph, {.nodes = 9, .eigenvalues = 20});
  const Index n = graph.nodes();
  Matrix lifted(n, n);
  const Matrix means = Structure::csr(found.means).dense();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) lifted(i, j) = means(found.labels[i], found.labels[j]);
  }
  const auto spectrum = [](const Matrix& A) {
    const Vector d = A.rowwise().sum();
    const Vector s = d.unaryExpr([](double x) { return x > 0 ? 1 / std::sqrt(x) : 0.0; });
    const Matrix L =
        Matrix::Identity(A.rows(), A.cols()) - Matrix(s.asDiagonal() * A * s.asDiagonal());
    return detail::eigenvalues(Eigen::MatrixXd(L));
  };
  const Vector own = spectrum(adjacency(graph).structure.dense());
  const Vector theirs = spectrum(lifted);
  ASSERT_EQ(found.eigenvalues.size(), 20);
  double error = 0;
  Index many = 0;
  for (Index k = 0; k < 20; ++k) {
    EXPECT_NEAR(found.eigenvalues[k], own[k], 1e-8);
    EXPECT_NEAR(found.lifted_eigenvalues[k], theirs[k], 1e-8);
    if (own[k] <= 1e-8) continue;
    error += std::abs(theirs[k] - own[k]) / own[k];
    ++many;
  }
  EXPECT_NEAR(found.spectral_error.value(), error / static_cast<double>(many), 1e-7);
}

TEST(Coarsen, FeaturesAreAveragedAndLifted) {
  const Graph graph = random_graph(20, 0.3, 2);
  Matrix features = Matrix::Random(20, 3);
  const Coarsening found = coarsen(graph, {.nodes = 5, .features = MatrixSpan(features)});
  for (Index k = 0; k < 5; ++k) {
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(3);
    for (Index i = 0; i < 20; ++i) {
      if (found.labels[i] == k) mean += features.row(i);
    }
    mean /= static_cast<double>(found.sizes[k]);
    EXPECT_LT((found.features.row(k) - mean).cwiseAbs().maxCoeff(), 1e-12);
  }
  const Matrix lifted = lift_rows(found.features, found.labels);
  for (Index i = 0; i < 20; ++i) EXPECT_EQ(lifted.row(i), found.features.row(found.labels[i]));
  test::expect_refused("has the label",
                       [&] { return lift_rows(Matrix::Zero(2, 1), found.labels); });
}

TEST(Coarsen, IsTheSameOnAnyNumberOfThreadsAndAtAnyScale) {
  const Graph graph = generate(PlantedPartition{.nodes = 3000, .blocks = 30}, 4).graph;
  const Coarsening one = coarsen(graph, {.nodes = 300}, {.threads = 1});
  const Coarsening two = coarsen(graph, {.nodes = 300}, {.threads = 2});
  EXPECT_EQ(one.labels, two.labels);
  EXPECT_EQ(one.value, two.value);
  EXPECT_EQ(one.spectral_error, two.spectral_error);
  const Graph small = random_graph(30, 0.2, 7, true);
  const Coarsening plain = coarsen(small, {.nodes = 8});
  for (const int exponent : {-600, -200, 200, 400}) {
    std::vector<Entry> edges;
    detail::for_each_entry(small.adjacency(), [&](Index i, Index j, double w) {
      if (i < j) {
        edges.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j), std::ldexp(w, exponent)});
      }
    });
    const Coarsening scaled = coarsen(Graph::from_edges(30, edges), {.nodes = 8});
    EXPECT_EQ(scaled.labels, plain.labels) << exponent;
    EXPECT_TRUE(std::isfinite(scaled.value));
    EXPECT_NEAR(scaled.spectral_error.value(), plain.spectral_error.value(), 1e-8);
  }
}

TEST(Coarsen, LargeNumbersOfNodesAreReassignedInBatches) {
  const Graph graph =
      generate(PlantedPartition{.nodes = 12000, .blocks = 3000, .mean_degree = 6, .inside = 0.45},
               3)
          .graph;
  const Coarsening found = coarsen(graph, {.nodes = 3000, .eigenvalues = 0}, {.threads = 2});
  EXPECT_EQ(found.nodes(), 3000);
  EXPECT_LE(found.value, found.start_value);
  EXPECT_EQ(coarsen(graph, {.nodes = 3000, .eigenvalues = 0}, {.threads = 1}).labels, found.labels);
}

TEST(Coarsen, RefusesBadInput) {
  const Graph graph = random_graph(10, 0.4, 1);
  test::expect_refused("0 coarse nodes", [&] { return coarsen(graph, {.nodes = 0}); });
  test::expect_refused("11 coarse nodes", [&] { return coarsen(graph, {.nodes = 11}); });
  test::expect_refused("ratio is 0", [&] { return coarsen(graph, {.ratio = 0}); });
  test::expect_refused("ratio is nan", [&] { return coarsen(graph, {.ratio = std::nan("")}); });
  test::expect_refused("expected one of these",
                       [&] { return coarsen(graph, {.structure = StructureKind::heat}); });
  test::expect_refused("directed", [&] {
    return coarsen(Graph::from_edges(3, std::vector<std::pair<int, int>>{{0, 1}}, true), {});
  });
  test::expect_refused("negative", [&] {
    return coarsen(Graph::from_edges(3, std::vector<std::tuple<int, int, double>>{{0, 1, -1.0}}),
                   {});
  });
  test::expect_refused("node 2 has the weight 0", [&] {
    return coarsen(graph, {.weights = VectorSpan(Vector(Vector::Ones(10) - Vector::Unit(10, 2)))});
  });
  test::expect_refused("features of 3 nodes", [&] {
    return coarsen(graph, {.features = MatrixSpan(Matrix::Zero(3, 1))});
  });
}

TEST(Coarsen, StoppedItReturnsTheBestSoFar) {
  const Graph graph = generate(PlantedPartition{.nodes = 2000, .blocks = 20}, 4).graph;
  int calls = 0;
  const Coarsening found =
      coarsen(graph, {.nodes = 200}, {.observer = [&](const Progress&) { return ++calls < 1; }});
  EXPECT_EQ(found.status, Status::interrupted);
  EXPECT_EQ(found.nodes(), 200);
  EXPECT_TRUE(std::isfinite(found.value));
}

TEST(LeadingPairs, AreThoseOfTheDenseMatrix) {
  const Graph graph =
      generate(PlantedPartition{.nodes = 900, .blocks = 6, .mean_degree = 30}, 2).graph;
  const detail::Walk walk{.entries = graph.adjacency(), .scale = {}, .u = {}, .v = {}};
  const Vector all = detail::eigenvalues(Eigen::MatrixXd(detail::dense_walk(walk)));
  const auto found = detail::leading_pairs(
      walk, {.wanted = 6, .which = detail::Leading::largest, .tolerance = 1e-7});
  for (Index k = 0; k < 6; ++k) EXPECT_NEAR(found.values[k], all[899 - k], 1e-6);
}

}  // namespace
}  // namespace srgw
