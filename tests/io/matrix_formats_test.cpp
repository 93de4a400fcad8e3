// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "io/read_text.hpp"
#include "srgw/io.hpp"

namespace srgw::test {
namespace {

using io::ReadOptions;

void expect_format_error(std::string_view text, const std::string& file, const std::string& message,
                         const ReadOptions& options = {}) {
  expect_error([&] { return io::parse_graph(text, file, options); }, file + message,
               Error::Kind::format);
}

TEST(MatrixMarket, ReadsEverySymmetryAndField) {
  const auto read = [](const std::string& text) {
    return io::parse_graph("%%MatrixMarket matrix " + text, "a.mtx").graph;
  };
  const Graph symmetric = read("coordinate real symmetric\n% x\n3 3 2\n2 1 0.5\n3 3 2\n");
  EXPECT_EQ(dense(symmetric), (Matrix{{0, .5, 0}, {.5, 0, 0}, {0, 0, 2}}));
  EXPECT_FALSE(symmetric.directed());
  const Graph general = read("coordinate integer general\n2 2 1\n1 2 7\n");
  EXPECT_EQ(dense(general), (Matrix{{0, 7}, {0, 0}}));
  EXPECT_TRUE(general.directed());
  EXPECT_FALSE(read("coordinate pattern general\n2 2 2\n1 2\n2 1\n").directed());
  EXPECT_EQ(dense(read("coordinate real skew-symmetric\n2 2 1\n2 1 3\n")),
            (Matrix{{0, -3}, {3, 0}}));
  EXPECT_EQ(dense(read("array real general\n2 2\n1\n2\n0\n4\n")), (Matrix{{1, 0}, {2, 4}}));
  EXPECT_EQ(dense(read("array real symmetric\n2 2\n1\n2\n4\n")), (Matrix{{1, 2}, {2, 4}}));
  EXPECT_EQ(dense(read("array integer skew-symmetric\n2 2\n5\n")), (Matrix{{0, -5}, {5, 0}}));
}

TEST(MatrixMarket, DuplicatesAreRefusedInTheirLine) {
  expect_format_error(
      "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 4\n1 3 1\n1 2 5\n", "a.mtx",
      ":5: edge 1 2 is given again, with weight 5 after 4 in line 3; expected once, "
      "or a rule for duplicates: sum, max or first");
}

TEST(MatrixMarket, PromisesAreChecked) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  expect_format_error(
      banner + "1000000000000 1000000000000 1\n1 1\n", "a.mtx",
      ":2: promises 1000000000000 nodes in 83 bytes, expected a larger file or fewer "
      "nodes; give the number of nodes to confirm it");
  expect_format_error(banner + "2 2 1000000000000\n1 1\n", "a.mtx",
                      ":2: promises 1000000000000 entries, expected the 1 that follow");
}

TEST(Metis, ReadsEveryFormatCode) {
  const Matrix path{{0, 1, 0}, {1, 0, 1}, {0, 1, 0}};
  EXPECT_EQ(dense(io::parse_graph("% c\n3 2\n2\n1 3\n2\n", "a.graph").graph), path);
  const auto weighted = io::parse_graph("3 2 1\n2 5\n1 5 3 7\n2 7\n", "a.graph");
  EXPECT_EQ(dense(weighted.graph), (Matrix{{0, 5, 0}, {5, 0, 7}, {0, 7, 0}}));
  const auto full = io::parse_graph("3 2 111 2\n9 1 4 2 1\n8 2 5 1 1 3 1\n7 3 6 2 1\n", "a.graph");
  EXPECT_EQ(dense(full.graph), path);
  const std::vector<io::Attribute> expected = {{"size", std::vector<std::int64_t>{9, 8, 7}},
                                               {"weight", std::vector<std::int64_t>{1, 2, 3}},
                                               {"weight2", std::vector<std::int64_t>{4, 5, 6}}};
  EXPECT_EQ(full.node_attributes, expected);
  EXPECT_EQ(io::parse_graph("3 1\n2\n1\n\n", "a.graph").graph.edges(), 1);
}

TEST(Metis, SaysWhereALineIsWrong) {
  expect_format_error("3 2\n2\n1 99\n2\n", "a.graph",
                      ":3: neighbour '99', but the header promises 3 nodes: expected 1 to 3");
  expect_format_error(
      "3 2\n2\n3 1\n2\n", "a.graph",
      ":3: neighbour 1 after 3, expected rising neighbours, each once; sort the line");
  expect_format_error("3 2\n2\n3\n2\n", "a.graph",
                      ":2: node 1 names 2, but 2 does not name 1; expected both or neither");
  expect_format_error("3 3\n2\n1 3\n2\n", "a.graph",
                      ":1: promises 3 edges, expected the 2 that follow");
}

io::NamedGraph matrix_sample(bool weighted, bool directed, bool loops = true, bool whole = false) {
  const double half = whole ? 3 : 1.0 / 3;
  const std::vector<Entry> edges = {{0, 1, weighted ? half : 1},
                                    {1, 2, weighted ? 7.0 : 1},
                                    {loops ? NodeId{2} : NodeId{3}, 2, weighted ? 2.0 : 1}};
  return {.graph = Graph::from_edges(5, edges, directed), .names = NodeNames::numbered(5)};
}

class Matrices : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Formats, Matrices,
                         testing::Values("a.mtx", "a.mtx.gz", "a.npy", "a.npy.gz", "a.npz"));

TEST_P(Matrices, ReadBackWhatTheyWrite) {
  expect_round_trips(
      GetParam(), [](bool weighted, bool directed) { return matrix_sample(weighted, directed); });
}

TEST(Metis, ReadsBackWhatItWrites) {
  const TemporaryFolder folder;
  for (const bool weighted : {false, true}) {
    const auto written = matrix_sample(weighted, false, false, true);
    io::write_graph(written, folder / "a.graph.gz");
    expect_same(io::read_graph(folder / "a.graph.gz"), written);
  }
  EXPECT_THROW(io::write_graph(matrix_sample(true, false, true), folder / "b.graph"), Error);
}

TEST(Packed, KeepsNamesDirectionAndAttributes) {
  const TemporaryFolder folder;
  auto written = matrix_sample(true, true);
  written.names = NodeNames(std::vector<std::string>{"a", "b", "c", "d", "é"});
  written.node_attributes = {{"community", std::vector<std::int64_t>{1, 2, 3, 4, 5}},
                             {"x", std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5}},
                             {"text", std::vector<std::string>{"", "b", "c", "d", "e"}}};
  written.edge_attributes = {{"kind", std::vector<std::int64_t>{7, 8, 9}}};
  io::write_graph(written, folder / "a.npz", {.format = "packed"});
  expect_same(io::read_graph(folder / "a.npz"), written);
}

TEST(Packed, RowsAreMapped) {
  const TemporaryFolder folder;
  io::write_graph(matrix_sample(true, false), folder / "a.npz", {.format = "packed"});
  const auto read = io::read_graph(folder / "a.npz");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read.graph.adjacency().columns.data()) % 64, 0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read.graph.adjacency().values.data()) % 64, 0);
}

TEST(Archive, ReadsBackWhatItWrites) {
  const TemporaryFolder folder;
  io::Archive written("model", 3);
  written.set_header(R"({"alpha": 0.5})");
  written.add("structure", Matrix{{1, 2, 3}, {4, 5, 6}});
  written.add("ids", std::vector<std::int64_t>{-1, 2});
  written.add("bytes", std::vector<std::uint8_t>{0, 255});
  written.add("none", std::vector<double>{});
  written.write(folder / "m.npz");
  const auto read = io::Archive::read(folder / "m.npz", "model", 3);
  EXPECT_EQ(read.version(), 3);
  EXPECT_EQ(read.header(), R"({"alpha":0.5})");
  EXPECT_EQ(read.matrix("structure"), (Matrix{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(read.values<std::int64_t>("ids")[0], -1);
  EXPECT_EQ(read.values<std::uint8_t>("bytes")[1], 255);
  EXPECT_TRUE(read.values<double>("none").empty());
  EXPECT_THROW(static_cast<void>(read.values<double>("ids")), Error);
  EXPECT_THROW(static_cast<void>(read.array("absent")), Error);
}

TEST(Archive, RefusesOtherKindsVersionsAndShortFiles) {
  const TemporaryFolder folder;
  io::Archive written("model", 2);
  written.add("x", std::vector<double>{1, 2, 3});
  const auto path = folder / "m.npz";
  written.write(path);
  const auto expect = [&](std::string_view kind, int newest, const std::string& message) {
    expect_error([&] { return io::Archive::read(path, kind, newest); }, path.string() + message,
                 Error::Kind::format);
  };
  expect("graph", 2, ": holds a model, expected a graph");
  expect("model", 1, ": a model of version 2, expected version 1 to 1; read it with a newer srgw");
  const std::string whole = file_text(path);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    write_file(path, whole.substr(0, size));
    EXPECT_THROW(static_cast<void>(io::Archive::read(path, "model", 2)), Error) << size;
  }
  std::string damaged = whole;
  damaged[damaged.find("\x08\x40")] ^= 1;
  write_file(path, damaged);
  EXPECT_THROW(static_cast<void>(io::Archive::read(path, "model", 2)), Error);
}

TEST(Matrix, ReadsBackWhatItWrites) {
  const TemporaryFolder folder;
  const Matrix written{{1, 2.5, -3}, {1e-300, 5, 6}};
  io::write_matrix(written, folder / "m.npy");
  EXPECT_EQ(io::read_matrix(folder / "m.npy"), written);
  io::write_matrix(written.leftCols(2), folder / "m.npy.gz");
  EXPECT_EQ(io::read_matrix(folder / "m.npy.gz"), written.leftCols(2));
}

}  // namespace
}  // namespace srgw::test
