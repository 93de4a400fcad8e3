// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>

#include "srgw/plan.hpp"
#include "srgw/transform.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw::test {
namespace {

constexpr double times[] = {0, 0.1, 1, 7.5, 100};

class KernelsOf
    : public testing::TestWithParam<std::tuple<bool /*weighted*/, bool /*self-loops*/,
                                               Index /*lonely nodes*/, bool /*directed*/>> {
 protected:
  static Graph graph() {
    const auto [weighted, self_loops, lonely, directed] = GetParam();
    return random_graph(
        {.directed = directed, .weighted = weighted, .self_loops = self_loops, .lonely = lonely});
  }
  const Graph graph_ = graph();
};

INSTANTIATE_TEST_SUITE_P(Graphs, KernelsOf,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Values(0, 2),
                                          testing::Bool()));

TEST_P(KernelsOf, HeatIsTheExponentialOfTheLaplacian) {
  const Source L = graph_.directed() ? directed_laplacian(graph_) : normalized_laplacian(graph_);
  const Kernels kernels = Kernels::heat(graph_);
  for (const double t : times) {
    const Source source = kernels.at(t);
    const Matrix C = source.structure.dense();
    const Matrix expected = brute_force_exponential(-t * L.structure.dense());
    EXPECT_LE((C - expected).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(C, Matrix(C.transpose()));
    EXPECT_TRUE(source.structure.symmetric());
    EXPECT_EQ(source.weights, uniform_weights(graph_.nodes()));
    const Source one = heat_kernel(graph_, t);  // by a series where that is cheaper
    EXPECT_LE((one.structure.dense() - C).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_TRUE(one.structure.symmetric());
    EXPECT_EQ(one.structure.dense(), Matrix(one.structure.dense().transpose()));
  }
}

TEST_P(KernelsOf, StabilityIsTheWalkInContinuousTime) {
  if (graph_.directed()) return;
  Matrix A = dense_adjacency(graph_);
  A.diagonal() *= 2;
  const Vector d = A.rowwise().sum();
  const double w = d.sum() / 2;
  const Vector s = (d.array() == 0).select(0.0, d.array().sqrt().inverse());
  const Matrix L = Matrix::Identity(A.rows(), A.rows()) - s.asDiagonal() * A * s.asDiagonal();
  const Kernels kernels = Kernels::stability(graph_);
  for (const double t : times) {
    const Source source = kernels.at(t);
    const Matrix expected = w * s.asDiagonal() * brute_force_exponential(-t * L) * s.asDiagonal();
    EXPECT_LE((source.structure.dense() - expected).cwiseAbs().maxCoeff(),
              1e-12 * expected.cwiseAbs().maxCoeff());
    EXPECT_TRUE(source.weights.isApprox(d / (2 * w), 1e-15));
    EXPECT_LE((stability(graph_, t).structure.dense() - expected).cwiseAbs().maxCoeff(),
              1e-12 * expected.cwiseAbs().maxCoeff());
  }
}

/// The chance that a stationary walk is in the same cluster at times 0 and t, less that for
/// independent times.
double markov_stability(const Matrix& A, const Assignment& labels, double t) {
  const Vector d = A.rowwise().sum();
  const Vector p = d / d.sum();
  const Matrix P = d.cwiseInverse().asDiagonal() * A;
  const Matrix walk = brute_force_exponential(t * (P - Matrix::Identity(A.rows(), A.rows())));
  double sum = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.rows(); ++j) {
      if (labels[static_cast<std::size_t>(i)] != labels[static_cast<std::size_t>(j)]) continue;
      sum += p[i] * walk(i, j) - p[i] * p[j];
    }
  }
  return sum;
}

TEST(Stability, ValueOfAHardPlanIsAConstantLessMarkovStability) {
  const Graph graph = random_graph({.nodes = 12, .weighted = true});
  detail::Random random(4, 0);
  for (const double t : times) {
    const Source source = stability(graph, t);
    const double constant = source.structure.square_form(source.weights);
    Assignment labels(12);
    for (NodeId& label : labels) label = static_cast<NodeId>(random.below(3));
    const Matrix T = Plan::from_labels(source.weights, labels, 3).dense();
    const double value = four_fold_sum(source.structure.dense(), Matrix::Identity(3, 3), T);
    EXPECT_NEAR(value, constant - markov_stability(dense_adjacency(graph), labels, t),
                1e-12 * std::max(1.0, constant));
  }
}

TEST(HeatKernel, EqualsTheReference) {
  const auto& reference = reference_case("18_preprocessing");
  for (const char* name : {"heat_kernel", "directed_heat_kernel"}) {
    const auto& expected = reference.at(name);
    const Matrix A = to_matrix(expected.at("A"));
    std::vector<Entry> entries;
    for (Index i = 0; i < A.rows(); ++i) {
      for (Index j = 0; j < A.rows(); ++j) {
        if (A(i, j) == 0) continue;
        entries.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j), A(i, j)});
      }
    }
    const bool directed = name[0] == 'd';
    const Graph graph = Graph::from_edges(A.rows(), entries, directed);
    const Source source = heat_kernel(graph, expected.at("t"));
    EXPECT_TRUE(source.structure.dense().isApprox(to_matrix(expected.at("kernel")), 1e-12));
  }
}

TEST(HeatKernel, KnowsEigenvaluesOfThePath) {
  const Entry edges[] = {{0, 1, 1}, {1, 2, 1}};
  EXPECT_TRUE(
      Kernels::heat(Graph::from_edges(3, edges)).eigenvalues().isApprox(Vector{{0, 1, 2}}, 1e-14));
}

TEST(HeatKernel, OfLonelyNodesDecays) {
  EXPECT_NEAR(heat_kernel(Graph::from_edges(1, {}), 2).structure.at(0, 0), std::exp(-2), 1e-15);
}

TEST(HeatKernel, DoesNotDependOnThreads) {
  const Graph graph = random_graph({.nodes = 600});
  const Matrix one = heat_kernel(graph, 3, 1).structure.dense();
  for (const int threads : {2, 8}) {
    EXPECT_EQ(heat_kernel(graph, 3, threads).structure.dense(), one);
  }
}

TEST(KernelsCheck, RefusesBadTimes) {
  const Graph graph = random_graph({});
  expect_error([&] { return heat_kernel(graph, -1); },
               "heat kernel: t is -1, expected a finite number that is not negative");
  expect_error([&] { return stability(graph, not_a_number); },
               "stability: t is nan, expected a finite number that is not negative");
  expect_error([&] { return Kernels::stability(graph).at(-0.5); },
               "stability: t is -0.5, expected a finite number that is not negative");
}

TEST(KernelsCheck, RefusesGraphsWithoutTheKernel) {
  const Entry arcs[] = {{0, 1, -3}};
  expect_error([&] { return stability(Graph::from_edges(2, arcs, true), 1); },
               "stability of a directed graph, expected an undirected one");
  expect_error([&] { return stability(Graph::from_edges(2, arcs), 1); },
               "stability: edge (0, 1) has weight -3, expected no negative weights");
  expect_error([&] { return heat_kernel(Graph::from_edges(2, arcs, true), 1); },
               "heat kernel: edge (0, 1) has weight -3, expected no negative weights");
  expect_error([&] { return stability(Graph::from_edges(2, {}), 1); },
               "the degrees sum to 0, expected a positive finite number");
}

TEST(KernelsCheck, RefusesGraphsThatAreTooLarge) {
  const Graph graph = Graph::from_edges(20001, {});
  expect_error([&] { return heat_kernel(graph, 1); },
               "heat kernel of 20001 nodes is a dense array, expected at most 20000 nodes; use "
               "implicit_heat_kernel",
               Error::Kind::resource);
  expect_error([&] { return stability(graph, 1); },
               "stability of 20001 nodes is a dense array, expected at most 20000 nodes; use "
               "implicit_stability",
               Error::Kind::resource);
}

}  // namespace
}  // namespace srgw::test
