// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "io/read_text.hpp"
#include "support/data.hpp"

namespace srgw::test {
namespace {

Dataset sample() {
  const Entry path[] = {{0, 1}, {1, 2}}, loop[] = {{0, 0}};
  Dataset dataset{.name = "DS", .graphs = {Graph::from_edges(3, path), Graph::from_edges(2, loop)}};
  dataset.labels = {-1, 7};
  dataset.node_labels = {{1, 2, 3}, {4, 5}};
  dataset.node_features = {Matrix{{1, 0.1}, {2, 0.2}, {3, 1e-300}}, Matrix{{4, 0.4}, {5, -1}}};
  dataset.edge_labels = {{1, 1, 2, 2}, {3}};
  return dataset;
}

void expect_same_dataset(const Dataset& found, const Dataset& expected) {
  ASSERT_EQ(found.graphs.size(), expected.graphs.size());
  for (std::size_t g = 0; g < found.graphs.size(); ++g) {
    EXPECT_EQ(dense(found.graphs[g]), dense(expected.graphs[g]));
    EXPECT_EQ(found.graphs[g].directed(), expected.graphs[g].directed());
  }
  EXPECT_EQ(found.labels, expected.labels);
  EXPECT_EQ(found.node_labels, expected.node_labels);
  EXPECT_EQ(found.node_features, expected.node_features);
}

struct Place {
  const char* path;
  const char* format;
};
class DatasetFiles : public testing::TestWithParam<Place> {};
INSTANTIATE_TEST_SUITE_P(Formats, DatasetFiles,
                         testing::Values(Place{"DS.npz", "packed"}, Place{"DS", "tud"},
                                         Place{"graphs", "folder"}));

TEST_P(DatasetFiles, ReadBackWhatTheyWrite) {
  const TemporaryFolder folder;
  const auto path = folder / GetParam().path;
  io::write_dataset(sample(), path, {.format = GetParam().format});
  const Dataset read = io::read_dataset(path);
  expect_same_dataset(read, sample());
  if (std::string(GetParam().format) != "folder") {
    EXPECT_EQ(read.edge_labels, sample().edge_labels);
    EXPECT_EQ(read.name, "DS");
  }
}

TEST(DatasetFiles, PackedKeepsWeightsAndDirections) {
  const TemporaryFolder folder;
  const Entry arcs[] = {{0, 1, 0.5}}, edges[] = {{0, 1, 1}};
  const Dataset written{.graphs = {Graph::from_edges(2, edges), Graph::from_edges(3, arcs, true)},
                        .names = {"first", "second"}};
  io::write_dataset(written, folder / "d.npz");
  const Dataset read = io::read_dataset(folder / "d.npz");
  expect_same_dataset(read, written);
  EXPECT_EQ(read.names, written.names);
  EXPECT_THROW(static_cast<void>(io::read_graph(folder / "d.npz")), Error);
}

TEST(DatasetFiles, AFolderOfAnyGraphsIsADataset) {
  const TemporaryFolder folder;
  write_file(folder / "b.txt", "0 1\n");
  write_file(folder / "a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n");
  write_file(folder / "notes.pdf", "");
  EXPECT_EQ(io::read_dataset(folder.path()).names, (std::vector<std::string>{"a.mtx", "b.txt"}));
  write_file(folder / "labels.csv", "graph,label\nb.txt,3\n");
  const Dataset listed = io::read_dataset(folder.path());
  EXPECT_EQ(listed.names, (std::vector<std::string>{"b.txt"}));
  EXPECT_EQ(listed.labels, (std::vector<std::int64_t>{3}));
  write_file(folder / "labels.csv", "graph,label\nb.txt,cat\na.mtx,\"dog, large\"\n");
  const Dataset worded = io::read_dataset(folder.path());
  EXPECT_EQ(worded.labels, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(worded.classes, (std::vector<std::string>{"cat", "dog, large"}));
  const TemporaryFolder other;
  io::write_dataset(worded, other / "packed.npz");
  EXPECT_EQ(io::read_dataset(other / "packed.npz").classes, worded.classes);
  io::write_dataset(worded, other / "folder", {.format = "folder"});
  EXPECT_EQ(io::read_dataset(other / "folder").classes, worded.classes);
}

TEST(TuDataset, SaysWhereALineIsWrong) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& entries, const std::string& indicator,
                          const std::string& file, const std::string& message) {
    write_file(folder / "D_A.txt", entries);
    write_file(folder / "D_graph_indicator.txt", indicator);
    expect_error([&] { return io::read_dataset(folder.path()); },
                 (folder / file).string() + message, Error::Kind::format);
  };
  expect("1, 2\n1, 9\n", "1\n1\n", "D_A.txt",
         ":2: node 9, expected 1 to 2 as in the graph indicator");
  expect("1, 3\n", "1\n1\n2\n", "D_A.txt",
         ":1: an edge from graph 1 to graph 2, expected edges inside of graphs");
  expect("1, 2\n", "2\n1\n", "D_graph_indicator.txt",
         ":2: graph 1 after graph 2, expected graphs 1, 2, ... in rising order");
}

TEST(TuDataset, LeavesOutGraphsWithoutNodes) {
  const TemporaryFolder folder;
  write_file(folder / "D_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n");
  write_file(folder / "D_graph_indicator.txt", "1\n1\n4\n4\n");
  write_file(folder / "D_graph_labels.txt", "5\n6\n7\n8\n9\n");
  const Dataset read = io::read_dataset(folder.path());
  EXPECT_EQ(read.graphs.size(), 2U);
  EXPECT_EQ(read.names, (std::vector<std::string>{"1", "4"}));
  EXPECT_EQ(read.labels, (std::vector<std::int64_t>{5, 8}));
  EXPECT_EQ(read.left_out, 2U);
  write_file(folder / "D_graph_labels.txt", "5\n8\n");  // or the file leaves them out, too
  EXPECT_EQ(io::read_dataset(folder.path()).labels, (std::vector<std::int64_t>{5, 8}));
}

TEST(Dataset, RefusesListsThatDoNotFit) {
  Dataset dataset = sample();
  dataset.labels.pop_back();
  expect_error([&] { return check(dataset), 0; },
               "1 labels for 2 graphs, expected one for each or none");
  dataset = sample();
  dataset.node_labels[1].pop_back();
  expect_error([&] { return check(dataset), 0; }, "graph 1 has 1 node labels, expected 2");
}

struct PartitionGraph {
  const char* name;
  bool directed;
  Index nodes, lines, edges, entries, noisy_lines;
};
class SharedPartition : public testing::TestWithParam<PartitionGraph> {};
INSTANTIATE_TEST_SUITE_P(
    Graphs, SharedPartition,
    testing::Values(PartitionGraph{"wikipedia", true, 1998, 3621, 2700, 5398, 3872},
                    PartitionGraph{"eu-email", true, 1005, 25571, 16706, 32770, 27124},
                    PartitionGraph{"amazon", false, 1501, 4626, 4626, 9252, 5029},
                    PartitionGraph{"village", false, 1991, 8423, 8423, 16846, 9189}));

TEST_P(SharedPartition, HasTheCountsOfItsDescription) {
  const PartitionGraph& expected = GetParam();
  const auto folder = shared_data() / "partition" / expected.name;
  SRGW_NEEDS_SHARED_DATA(std::filesystem::path("partition") / expected.name);
  const io::NodeLabels truth = io::read_labels(folder / "labels.tsv");
  const io::ReadOptions as_is{.directed = expected.directed, .known_nodes = truth.names};
  const auto graph = io::read_graph(folder / "edges.tsv", as_is);
  EXPECT_EQ(graph.graph.nodes(), expected.nodes);
  EXPECT_EQ(graph.graph.edges(), expected.lines);
  EXPECT_EQ(io::join(truth, graph.names).labels.size(), static_cast<std::size_t>(expected.nodes));
  const auto undirected = io::read_graph(
      folder / "edges.tsv",
      {.directed = expected.directed, .symmetrize = true, .known_nodes = truth.names});
  EXPECT_EQ(undirected.graph.edges(), expected.edges);
  EXPECT_EQ(undirected.graph.adjacency().entries(), expected.entries);
  EXPECT_EQ(undirected.symmetrized, expected.directed);
  EXPECT_EQ(io::read_graph(folder / "edges_noisy.tsv", as_is).graph.edges(), expected.noisy_lines);
}

struct Tud {
  const char* name;
  std::size_t graphs, classes;
  Index nodes, edges, attributes;
  bool node_labels, edge_labels;
};
class SharedTud : public testing::TestWithParam<Tud> {};
INSTANTIATE_TEST_SUITE_P(Datasets, SharedTud,
                         testing::Values(Tud{"IMDB-BINARY", 1000, 2, 19773, 96531, 0, false, false},
                                         Tud{"IMDB-MULTI", 1500, 3, 19502, 98903, 0, false, false},
                                         Tud{"MUTAG", 188, 2, 3371, 3721, 0, true, true},
                                         Tud{"PTC_MR", 344, 2, 4915, 5054, 0, true, true},
                                         Tud{"BZR", 405, 2, 14479, 15535, 3, true, false},
                                         Tud{"COX2", 467, 2, 19252, 20289, 3, true, false},
                                         Tud{"PROTEINS_full", 1113, 2, 43471, 81044, 29, true,
                                             false},
                                         Tud{"ENZYMES", 600, 6, 19580, 37282, 18, true, false}));

TEST_P(SharedTud, HasTheCountsOfItsDescription) {
  const Tud& expected = GetParam();
  SRGW_NEEDS_SHARED_DATA(std::filesystem::path("tud") / expected.name);
  const Dataset dataset = io::read_dataset(shared_data() / "tud" / expected.name);
  EXPECT_EQ(dataset.name, expected.name);
  EXPECT_EQ(dataset.graphs.size(), expected.graphs);
  EXPECT_EQ(std::set(dataset.labels.begin(), dataset.labels.end()).size(), expected.classes);
  Index nodes = 0, edges = 0;
  for (const Graph& graph : dataset.graphs) {
    nodes += graph.nodes();
    edges += graph.edges();
    EXPECT_FALSE(graph.directed() || graph.weighted());
  }
  EXPECT_EQ(nodes, expected.nodes);
  EXPECT_EQ(edges, expected.edges);
  EXPECT_EQ(dataset.node_features.empty() ? 0 : dataset.node_features[0].cols(),
            expected.attributes);
  EXPECT_EQ(!dataset.node_labels.empty(), expected.node_labels);
  EXPECT_EQ(!dataset.edge_labels.empty(), expected.edge_labels);

  const TemporaryFolder folder;
  for (const char* path : {"d.npz", "d"}) {
    io::write_dataset(dataset, folder / path);
    const Dataset again = io::read_dataset(folder / path);
    EXPECT_EQ(again.labels, dataset.labels);
    EXPECT_EQ(again.node_labels, dataset.node_labels);
    EXPECT_EQ(again.node_features, dataset.node_features);
    EXPECT_EQ(again.edge_labels, dataset.edge_labels);
  }
}

struct LargeGraph {
  const char* file;
  Index nodes, edges, self_loops;
};
class SharedLarge : public testing::TestWithParam<LargeGraph> {};
INSTANTIATE_TEST_SUITE_P(Graphs, SharedLarge,
                         testing::Values(LargeGraph{"lastfm-asia/edges.tsv", 7624, 27806, 0},
                                         LargeGraph{"facebook-pages/edges.tsv", 22470, 171002, 179},
                                         LargeGraph{"github-social/edges.tsv", 37700, 289003, 0},
                                         LargeGraph{"com-dblp/edges.tsv.gz", 317080, 1049866, 0}));

TEST_P(SharedLarge, HasTheCountsOfItsDescription) {
  const LargeGraph& expected = GetParam();
  const auto file = std::filesystem::path("large") / expected.file;
  SRGW_NEEDS_SHARED_DATA(file);
  const auto read = io::read_graph(shared_data() / file);
  EXPECT_EQ(read.graph.nodes(), expected.nodes);
  EXPECT_EQ(read.graph.edges(), expected.edges);
  EXPECT_EQ(2 * read.graph.edges() - read.graph.adjacency().entries(), expected.self_loops);
  EXPECT_TRUE(read.names.are_indices());
}

}  // namespace
}  // namespace srgw::test
