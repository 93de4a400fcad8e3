// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>

#include "io/read_text.hpp"
#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/run.hpp"

// Work on files and graphs stops with the scope of its caller and leaves nothing behind.

namespace srgw::test {
namespace {

void expect_stopped(const std::function<void()>& work) {
  const StopScope scope(Run{.time_limit = 1e-9});
  try {
    work();
    ADD_FAILURE() << "went on to its end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::stopped) << error.what();
  }
}

const io::NamedGraph& sample() {
  static const io::NamedGraph named = [] {
    Graph graph =
        generate(PlantedPartition{.nodes = 40000, .blocks = 10, .mean_degree = 16}, 1).graph;
    const Index nodes = graph.nodes();
    return io::NamedGraph{.graph = std::move(graph), .names = NodeNames::numbered(nodes)};
  }();
  return named;
}

TEST(Stopping, ReadingStops) {
  const TemporaryFolder folder;
  for (const char* file : {"a.txt", "a.csv.gz", "a.mtx", "a.graph", "a.gml", "a.graphml"}) {
    io::write_graph(sample(), folder / file);
    expect_stopped([&] { static_cast<void>(io::read_graph(folder / file)); });
    EXPECT_EQ(io::read_graph(folder / file).graph.edges(), sample().graph.edges());
  }
}

TEST(Stopping, WritingStopsAndKeepsTheFormerFile) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "former");
  expect_stopped([&] { io::write_graph(sample(), folder / "a.txt"); });
  EXPECT_EQ(file_text(folder / "a.txt"), "former");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Stopping, ResultsThatAreStoppedDoNotAppear) {
  const TemporaryFolder folder;
  const Matrix matrix = Matrix::Ones(300, 300);
  io::Archive archive("result", 1);
  archive.add("matrix", matrix);
  const Assignment labels(100'000, 0);
  write_file(folder / "labels.tsv", "former");
  expect_stopped([&] { io::write_matrix(matrix, folder / "matrix.npy"); });
  expect_stopped([&] { archive.write(folder / "archive.npz"); });
  expect_stopped([&] { io::write_labels(labels, folder / "labels.tsv"); });
  EXPECT_EQ(file_text(folder / "labels.tsv"), "former");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Stopping, GeneratingStops) {
  expect_stopped(
      [] { static_cast<void>(generate(PlantedPartition{.nodes = 5000, .blocks = 5}, 1)); });
  expect_stopped(
      [] { static_cast<void>(generate(DegreeCorrected{.nodes = 5000, .blocks = 5}, 1)); });
  expect_stopped([] { static_cast<void>(generate(Lfr{.nodes = 5000}, 1)); });
  expect_stopped([] {
    static_cast<void>(
        generate(StochasticBlockModel{{2000, 2000}, Matrix{{.1, .01}, {.01, .1}}, false}, 1));
  });
}

TEST(Stopping, GraphsAndMetricsStop) {
  const Assignment labels(40000, 0);
  expect_stopped([&] { static_cast<void>(metrics::modularity(sample().graph, labels)); });
  expect_stopped([] { static_cast<void>(connected_components(sample().graph)); });
  expect_stopped([] { static_cast<void>(transpose(sample().graph.adjacency())); });
}

}  // namespace
}  // namespace srgw::test
