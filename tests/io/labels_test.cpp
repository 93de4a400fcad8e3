// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "io/read_text.hpp"

namespace srgw::test {
namespace {

using io::NodeLabels;
using Names = std::vector<std::string>;

class LabelFile : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Formats, LabelFile,
                         testing::Values("l.tsv", "l.csv", "l.json", "l.tsv.gz", "l.json.gz"));

TEST_P(LabelFile, ReadsBackWhatItWrites) {
  const TemporaryFolder folder;
  const NodeLabels cases[] = {
      {NodeNames::numbered(3), {4, -1, 4}},
      {NodeNames(std::vector<std::int64_t>{7, 3, 100}), {0, 1, 2}},
      {NodeNames(Names{"New York", "b, c", "Åbo"}), {0, 1, 0}, {"east coast", "west"}}};
  for (const NodeLabels& written : cases) {
    io::write_labels(written, folder / GetParam());
    EXPECT_EQ(io::read_labels(folder / GetParam()), written);
  }
}

TEST(Labels, TextOfEachFormat) {
  const TemporaryFolder folder;
  const NodeLabels labels{NodeNames(Names{"a", "b"}), {1, 0}};
  io::write_labels(labels, folder / "l.tsv");
  EXPECT_EQ(file_text(folder / "l.tsv"), "a\t1\nb\t0\n");
  io::write_labels(labels, folder / "l.csv");
  EXPECT_EQ(file_text(folder / "l.csv"), "node,label\na,1\nb,0\n");
  io::write_labels(labels, folder / "l.json");
  EXPECT_EQ(file_text(folder / "l.json"), "{\n  \"a\": 1,\n  \"b\": 0\n}\n");
}

TEST(Labels, OfAPartitionNeedNoNames) {
  const TemporaryFolder folder;
  const Assignment labels{1, 0};
  io::write_labels(labels, folder / "l.tsv");
  EXPECT_EQ(file_text(folder / "l.tsv"), "0\t1\n1\t0\n");
  io::write_labels(labels, folder / "l.tsv", NodeNames(Names{"a", "b"}));
  EXPECT_EQ(file_text(folder / "l.tsv"), "a\t1\nb\t0\n");
}

TEST(Labels, ArraysAreInNodeOrder) {
  const TemporaryFolder folder;
  io::write_labels({NodeNames::numbered(3), {4, -1, 4}}, folder / "l.npy");
  const NodeLabels read = io::read_labels(folder / "l.npy", NodeNames::numbered(3));
  EXPECT_EQ(read.labels, (std::vector<std::int64_t>{4, -1, 4}));
  EXPECT_EQ(io::read_labels(write_file(folder / "l.json", "[4, -1]")).labels,
            (std::vector<std::int64_t>{4, -1}));
}

TEST(Labels, AreJoinedByName) {
  const TemporaryFolder folder;
  const auto path = write_file(folder / "l.tsv", "b\t2\na\t1\nc\t3\n");
  EXPECT_EQ(io::read_labels(path, NodeNames(Names{"a", "c"})).labels,
            (std::vector<std::int64_t>{1, 3}));
  expect_error([&] { return io::read_labels(path, NodeNames(Names{"d"})); },
               path.string() + ": node d has no label, expected one for each node",
               Error::Kind::format);
}

TEST(Labels, SayWhereALineIsWrong) {
  const TemporaryFolder folder;
  const auto path = folder / "l.tsv";
  const auto expect = [&](const std::string& text, const std::string& message) {
    write_file(path, text);
    expect_error([&] { return io::read_labels(path); }, path.string() + message,
                 Error::Kind::format);
  };
  expect("a\t1\nb\n", ":2: 1 fields, expected a node and its label");
  expect("a\t1\na\t2\n", ":2: node a has a label in line 1 already, expected one");
  expect("", ": no labels, expected one for each node");
}

TEST(Features, AreJoinedByOrderOrName) {
  const TemporaryFolder folder;
  const NodeNames names(Names{"a", "b"});
  const Matrix expected{{1, 2}, {3, 4}};
  for (const char* text : {"1,2\n3,4\n", "x,y\n1,2\n3,4\n", "node,x,y\nb,3,4\na,1,2\n"}) {
    EXPECT_EQ(io::read_features(write_file(folder / "f.csv", text), names), expected);
  }
  io::write_matrix(expected, folder / "f.npy");
  EXPECT_EQ(io::read_features(folder / "f.npy", names), expected);
  for (const char* text :
       {"1,2\n", "1,2\n3\n", "1,2\n3,x\n", "node,x\na,1\na,2\n", "node,x\na,1\nz,2\n"}) {
    EXPECT_THROW(static_cast<void>(io::read_features(write_file(folder / "f.csv", text), names)),
                 Error)
        << text;
  }
}

TEST(Features, ReadBackWhatIsWritten) {
  const TemporaryFolder folder;
  const NodeNames names(Names{"a b", "c,\"d\"", "#e"});
  const Matrix written{{0.1, -2}, {1e-300, 4}, {5, 1.0 / 3}};
  for (const char* file : {"f.npy", "f.csv", "f.tsv", "f.csv.gz"}) {
    io::write_features(written, names, folder / file);
    EXPECT_EQ(io::read_features(folder / file, names), written) << file;
  }
  EXPECT_THROW(io::write_features(written, names, folder / "f.xml"), Error);
  EXPECT_THROW(io::write_features(written.topRows(2), names, folder / "f.csv"), Error);
}

TEST(Features, SayWhereALineIsWrong) {
  const NodeNames names(Names{"a", "b"});
  const auto expect = [&](const std::string& text, const std::string& message) {
    expect_error([&] { return io::parse_features(text, "f.csv", names); }, "f.csv" + message,
                 Error::Kind::format);
  };
  expect("1,2\n3\n", ":2: 1 fields, expected 2 as in the first line");
  expect("1\nx\n", ":2: feature 'x', expected a finite number");
  expect("node,x\nz,1\n", ":2: node 'z' is not in the graph");
  expect("node,x\na,1\na,2\n", ":3: node 'a' has a row in line 2 already, expected one");
  expect("1\n", ": 1 rows, expected one for each of 2 nodes");
}

TEST(Names, AreTheFirstColumn) {
  const TemporaryFolder folder;
  EXPECT_EQ(io::read_names(write_file(folder / "n.txt", "New York\tx\nb\ty\n")),
            NodeNames(Names{"New York", "b"}));
  EXPECT_THROW(static_cast<void>(io::read_names(write_file(folder / "n.txt", "a\na\n"))), Error);
}

TEST(Labels, DeepJsonIsRefused) {
  const std::string deep(200000, '[');
  expect_error([&] { return io::parse_labels(deep + std::string(200000, ']'), "l.json"); },
               "l.json: more than 100 open brackets, expected an object from node to label",
               Error::Kind::format);
}

}  // namespace
}  // namespace srgw::test
