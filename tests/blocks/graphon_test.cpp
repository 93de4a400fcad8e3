// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "srgw/blocks.hpp"
#include "srgw/generate.hpp"
#include "srgw/io.hpp"
#include "srgw/metrics.hpp"
#include "support/expect_error.hpp"

namespace srgw {
namespace {

/// A graph whose nodes have random places, with edges by W.
Graph draw(Index nodes, const std::function<double(double, double)>& W, std::uint64_t seed) {
  detail::Random random(seed, 0);
  std::vector<double> places(static_cast<std::size_t>(nodes));
  for (double& place : places) place = random.uniform();
  std::vector<Entry> edges;
  for (Index i = 0; i < nodes; ++i) {
    for (Index j = i + 1; j < nodes; ++j) {
      if (random.uniform() >= W(places[i], places[j])) continue;
      edges.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j), 1});
    }
  }
  return Graph::from_edges(nodes, edges);
}

/// sum_ij (A_ij - B_ij)^2 over all graphs, with B the means over steps, diagonals included.
double brute_objective(const std::vector<Graph>& graphs, const std::vector<Assignment>& labels,
                       Index count) {
  Matrix sums = Matrix::Zero(count, count), pairs = Matrix::Zero(count, count);
  std::vector<Matrix> dense;
  for (std::size_t s = 0; s < graphs.size(); ++s) {
    dense.push_back(adjacency(graphs[s]).structure.dense());
    for (Index i = 0; i < dense[s].rows(); ++i) {
      for (Index j = 0; j < dense[s].cols(); ++j) {
        sums(labels[s][i], labels[s][j]) += dense[s](i, j);
        pairs(labels[s][i], labels[s][j]) += 1;
      }
    }
  }
  double value = 0, all = 0;
  for (std::size_t s = 0; s < graphs.size(); ++s) {
    for (Index i = 0; i < dense[s].rows(); ++i) {
      for (Index j = 0; j < dense[s].cols(); ++j) {
        const Index k = labels[s][i], l = labels[s][j];
        value += std::pow(dense[s](i, j) - sums(k, l) / pairs(k, l), 2);
        all += 1;
      }
    }
  }
  return value / all;
}

std::vector<Graph> planted(const Matrix& p, const std::vector<std::vector<Index>>& sizes,
                           std::vector<Assignment>& blocks) {
  std::vector<Graph> graphs;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    PlantedGraph drawn = generate(StochasticBlockModel{.sizes = sizes[s], .probabilities = p}, s);
    graphs.push_back(std::move(drawn.graph));
    blocks.push_back(std::move(drawn.blocks));
  }
  return graphs;
}

TEST(Graphon, ValueIsTheObjectiveOfItsLabels) {
  const std::vector<Graph> graphs{draw(
                                      12, [](double x, double y) { return x * y; }, 1),
                                  draw(
                                      9, [](double x, double y) { return x * y; }, 2),
                                  draw(
                                      15, [](double x, double y) { return x * y; }, 3)};
  for (const std::size_t many : {1U, 3U}) {
    const std::vector<Graph> some(graphs.begin(), graphs.begin() + static_cast<long>(many));
    const Graphon found = fit_graphon(some, {.steps = 4});
    EXPECT_NEAR(found.value, brute_objective(some, found.labels, found.steps()), 1e-12);
    double mean = 0, all = 0;
    for (std::size_t s = 0; s < many; ++s) {
      const auto n = static_cast<double>(some[s].nodes());
      mean += n * n * found.sample_values[s];
      all += n * n;
    }
    EXPECT_NEAR(found.value, mean / all, 1e-12);
  }
}

TEST(Graphon, OfOneTinyGraphIsTheBestOfAllLabelings) {
  int best = 0;
  constexpr int draws = 10;
  for (int seed = 0; seed < draws; ++seed) {
    const std::vector<Graph> graphs{draw(
        8, [](double x, double y) { return x > 0.5 && y > 0.5 ? 0.9 : 0.2; }, seed)};
    const Graphon found = fit_graphon(graphs, {.steps = 2});
    double least = std::numeric_limits<double>::infinity();
    for (unsigned mask = 1; mask < 255; ++mask) {
      std::vector<Assignment> labels(1, Assignment(8));
      for (unsigned i = 0; i < 8; ++i) labels[0][i] = (mask >> i) & 1U;
      least = std::min(least, brute_objective(graphs, labels, 2));
    }
    EXPECT_GE(found.value, least - 1e-12);
    best += found.value < least + 1e-12 ? 1 : 0;
  }
  EXPECT_GE(best, 7);
}

TEST(Graphon, FindsBlocksOfGraphsOfDifferentSizes) {
  const std::vector<Matrix> kinds{Matrix{{0.7, 0.1, 0.2}, {0.1, 0.6, 0.1}, {0.2, 0.1, 0.4}},
                                  Matrix{{0.05, 0.6, 0.3}, {0.6, 0.1, 0.1}, {0.3, 0.1, 0.5}}};
  for (const Matrix& p : kinds) {
    std::vector<Assignment> blocks;
    const std::vector<Graph> graphs =
        planted(p, {{60, 40, 50}, {90, 60, 75}, {30, 20, 25}, {120, 80, 100}}, blocks);
    const Graphon found = fit_graphon(graphs, {.steps = 3});
    ASSERT_EQ(found.steps(), 3);
    // One naming of the blocks for all graphs.
    Assignment all, truth;
    for (std::size_t s = 0; s < graphs.size(); ++s) {
      all.insert(all.end(), found.labels[s].begin(), found.labels[s].end());
      truth.insert(truth.end(), blocks[s].begin(), blocks[s].end());
    }
    EXPECT_GT(metrics::adjusted_rand_index(all, truth), 0.95);
    Assignment order(3);
    for (std::size_t i = 0; i < all.size(); ++i) order[truth[i]] = all[i];
    for (Index k = 0; k < 3; ++k) {
      for (Index l = 0; l < 3; ++l) {
        EXPECT_NEAR(found.values(order[k], order[l]), p(k, l), 0.05);
        EXPECT_LT(found.standard_errors(k, l), 0.02);
      }
    }
    EXPECT_NEAR(found.widths.sum(), 1, 1e-12);
  }
}

TEST(Graphon, IsCloserThanTheMeanOfASmoothOne) {
  const auto W = [](double x, double y) { return (x * x + y * y) / 2; };
  std::vector<Graph> graphs;
  for (int s = 0; s < 6; ++s) graphs.push_back(draw(80 + 20 * s, W, s));
  const Graphon found = fit_graphon(graphs);
  EXPECT_EQ(found.steps(), 6);  // half the root of 130 nodes
  // Steps have falling degrees; so has W along 1 - x.
  double error = 0, constant = 0;
  Vector ends(found.steps());
  std::partial_sum(found.widths.begin(), found.widths.end(), ends.begin());
  constexpr int grid = 100;
  for (int a = 0; a < grid; ++a) {
    for (int b = 0; b < grid; ++b) {
      const double x = (a + 0.5) / grid, y = (b + 0.5) / grid;
      const auto step = [&](double place) {
        return std::min<Index>(std::ranges::upper_bound(ends, place) - ends.begin(),
                               found.steps() - 1);
      };
      const double truth = W(1 - x, 1 - y);
      error += std::pow(found.values(step(x), step(y)) - truth, 2);
      constant += std::pow(1.0 / 3 - truth, 2);
    }
  }
  EXPECT_LT(error, 0.12 * constant);
}

TEST(Graphon, DoesNotDependOnThreads) {
  std::vector<Graph> graphs;
  for (int s = 0; s < 5; ++s) {
    graphs.push_back(draw(
        40 + 9 * s, [](double x, double y) { return std::abs(x - y); }, s));
  }
  const Graphon one = fit_graphon(graphs, {.steps = 6}, {.threads = 1, .seed = 5});
  const Graphon three = fit_graphon(graphs, {.steps = 6}, {.threads = 3, .seed = 5});
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_EQ(one.values, three.values);
  EXPECT_EQ(one.value, three.value);
}

TEST(Graphon, FollowsTheScaleOfWeights) {
  std::vector<Entry> edges;
  for (NodeId i = 0; i < 12; ++i) edges.push_back({i, (i + 1 + i % 3) % 12, 1 + 0.25 * (i % 4)});
  const auto scaled = [&](double factor) {
    std::vector<Entry> own = edges;
    for (Entry& edge : own) edge.value *= factor;
    return Graph::from_edges(12, own);
  };
  const Graphon usual = fit_graphon(std::vector{scaled(1), scaled(1)}, {.steps = 3});
  for (const double factor : {0x1p-400, 0x1p300}) {
    const Graphon found = fit_graphon(std::vector{scaled(factor), scaled(factor)}, {.steps = 3});
    EXPECT_EQ(found.labels, usual.labels);
    EXPECT_EQ(found.values, Matrix(factor * usual.values));
    EXPECT_EQ(found.value, factor * factor * usual.value);
  }
  EXPECT_TRUE(usual.weighted);
}

TEST(Graphon, SamplesHaveItsWidthsAndValues) {
  Graphon graphon;
  graphon.values = Matrix{{0.8, 0.2}, {0.2, 0.05}};
  graphon.widths = Vector{{0.3, 0.7}};
  const GraphonSample drawn = sample(graphon, 2000, 3);
  double first = 0;
  for (const NodeId label : drawn.labels) first += label == 0 ? 1 : 0;
  EXPECT_NEAR(first / 2000, 0.3, 0.04);
  const double density = 2.0 * static_cast<double>(drawn.graph.edges()) / (2000.0 * 1999.0);
  EXPECT_NEAR(density, graphon.widths.dot(graphon.values * graphon.widths), 0.02);
  EXPECT_EQ(sample(graphon, 1, 0).graph.nodes(), 1);
  graphon.values(0, 0) = 1.5;
  test::expect_refused("1.5, expected probabilities", [&] { return sample(graphon, 10, 0); });
}

TEST(Graphon, FilesKeepItAndDamagedOnesAreRefused) {
  const std::vector<Graph> graphs{draw(
                                      20, [](double x, double y) { return x * y; }, 1),
                                  draw(
                                      11, [](double x, double y) { return x * y; }, 2)};
  const Graphon found = fit_graphon(graphs, {.steps = 3});
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / "srgw_graphon_test.npz";
  save(found, file);
  const Graphon read = load_graphon(file);
  EXPECT_EQ(read.values, found.values);
  EXPECT_EQ(read.standard_errors, found.standard_errors);
  EXPECT_EQ(read.widths, found.widths);
  EXPECT_EQ(read.labels, found.labels);
  EXPECT_EQ(read.value, found.value);
  EXPECT_EQ(read.sample_values, found.sample_values);
  Graphon wrong = found;
  wrong.labels[0][0] = 77;
  save(wrong, file);
  EXPECT_THROW((void)load_graphon(file), Error);
  wrong = found;
  wrong.widths.conservativeResize(found.steps() + 1);
  wrong.widths[found.steps()] = 0.5;
  save(wrong, file);
  EXPECT_THROW((void)load_graphon(file), Error);
  std::filesystem::remove(file);
}

TEST(Graphon, ProgressHasTheUnitOfTheResult) {
  std::vector<Entry> edges;
  for (NodeId i = 0; i < 40; ++i) edges.push_back({i, (i * i + 1) % 40, 1000.0 + i});
  const std::vector<Graph> graphs{Graph::from_edges(40, edges), Graph::from_edges(41, edges)};
  double last = 0;
  const Graphon found =
      fit_graphon(graphs, {.steps = 5}, {.observer = [&](const Progress& progress) {
                    last = progress.value;
                    return true;
                  }});
  ASSERT_GT(last, 0);
  EXPECT_NEAR(last / found.value, 1, 1e-9);
}

TEST(Graphon, LargeGraphsTakeNoTurns) {
  // Arrays of nodes x steps would be refused.
  constexpr Index n = 700'000, steps = 100;
  std::vector<Entry> edges;
  for (NodeId i = 1; i < 40; ++i) edges.push_back({0, i, 1});
  const std::vector<Graph> graphs{Graph::from_edges(n, edges), Graph::from_edges(n, edges)};
  const std::clock_t begin = std::clock();
  const auto cancelled = [&] { return std::clock() - begin > 3 * CLOCKS_PER_SEC; };
  const Graphon found = fit_graphon(graphs, {.steps = steps}, {.cancelled = cancelled});
  EXPECT_LE(found.steps(), steps);
  EXPECT_EQ(found.labels.size(), 2U);
  EXPECT_GT(found.values.maxCoeff(), 0);
}

TEST(Graphon, GivesWhatItHasWhenItIsStopped) {
  std::vector<Graph> graphs;
  for (int s = 0; s < 3; ++s) {
    graphs.push_back(draw(
        60, [](double x, double y) { return x * y; }, s));
  }
  const Graphon found = fit_graphon(graphs, {.steps = 5}, {.cancelled = [] { return true; }});
  EXPECT_EQ(found.status, Status::interrupted);
  EXPECT_EQ(found.labels.size(), 3U);
  EXPECT_TRUE(found.values.allFinite());
}

TEST(Graphon, OfGraphsWithoutEdgesOrWithOneNode) {
  const Graph alone = Graph::from_edges(1, std::span<const Entry>());
  const Graph empty = Graph::from_edges(5, std::span<const Entry>());
  EXPECT_EQ(fit_graphon(std::vector{alone}).values, Matrix{{0.0}});
  const Graphon found = fit_graphon(std::vector{alone, empty, empty});
  EXPECT_EQ(found.values.maxCoeff(), 0);
  EXPECT_EQ(found.value, 0);
}

TEST(Graphon, NamesWhatIsWrong) {
  const Graph plain = Graph::from_edges(3, std::vector<Entry>{{0, 1, 1}});
  const Graph directed = Graph::from_edges(3, std::vector<Entry>{{0, 1, 1}}, true);
  const Graph negative = Graph::from_edges(3, std::vector<Entry>{{0, 1, -1}});
  test::expect_refused("no graphs", [] { return fit_graphon({}); });
  test::expect_refused("graph 1 is directed", [&] {
    return fit_graphon(std::vector{plain, directed});
  });
  test::expect_refused("graph 1: the edge 0 1 has the weight -1", [&] {
    return fit_graphon(std::vector{plain, negative});
  });
  for (const Index steps : {0, 4}) {
    test::expect_refused("expected 1 to 3",
                         [&] { return fit_graphon(std::vector{plain}, {.steps = steps}); });
  }
}

}  // namespace
}  // namespace srgw
