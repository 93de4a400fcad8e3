// SPDX-License-Identifier: MIT
#include "srgw/io.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "io/read_text.hpp"
#include "support/data.hpp"
#include "support/thread_ranks.hpp"

namespace srgw::test {
namespace {

/// Paths and rings (with a weight, or not) of 3 to 7 nodes, and all that a dataset can know.
Dataset sample(std::size_t graphs, double weight = 0.5) {
  Dataset dataset{.name = "DS"};
  for (std::size_t g = 0; g < graphs; ++g) {
    const auto nodes = static_cast<Index>(3 + g % 5);
    std::vector<Entry> edges;
    for (NodeId i = 0; i + 1 < static_cast<NodeId>(nodes); ++i) edges.push_back({i, i + 1});
    if (g % 2 == 1) edges.push_back({static_cast<NodeId>(nodes - 1), 0, weight});
    dataset.graphs.push_back(Graph::from_edges(nodes, edges));
    dataset.labels.push_back(static_cast<std::int64_t>(g % 3));
    dataset.node_labels.emplace_back(static_cast<std::size_t>(nodes), static_cast<int>(g));
    dataset.node_features.push_back(Matrix::Constant(nodes, 2, 0.1 * static_cast<double>(g)));
  }
  return dataset;
}

struct StreamPlace {
  const char* path;
  const char* format;
};
class DatasetParts : public testing::TestWithParam<StreamPlace> {};
INSTANTIATE_TEST_SUITE_P(Formats, DatasetParts,
                         testing::Values(StreamPlace{"DS.npz", "packed"}, StreamPlace{"DS", "tud"},
                                         StreamPlace{"graphs", "folder"}));

TEST_P(DatasetParts, AreTheWholeDatasetInOrder) {
  const TemporaryFolder folder;
  const auto path = folder / GetParam().path;
  // Only TUDatasets have no weights.
  const Dataset whole = sample(23, GetParam().format == std::string("tud") ? 1.0 : 0.5);
  io::write_dataset(whole, path, {.format = GetParam().format});
  for (const std::size_t count : {1, 7, 23, 100}) {
    io::DatasetReader reader(path);
    ASSERT_EQ(reader.graphs(), 23);
    std::size_t g = 0;
    for (Dataset part = reader.next(count); !part.graphs.empty(); part = reader.next(count)) {
      EXPECT_LE(part.graphs.size(), count);
      EXPECT_EQ(part.first, g);
      for (std::size_t i = 0; i < part.graphs.size(); ++i, ++g) {
        EXPECT_EQ(dense(part.graphs[i]), dense(whole.graphs[g]));
        EXPECT_EQ(part.labels[i], whole.labels[g]);
        EXPECT_EQ(part.node_labels[i], whole.node_labels[g]);
        EXPECT_EQ(part.node_features[i], whole.node_features[g]);
      }
    }
    EXPECT_EQ(g, 23);
  }
}

TEST(DatasetParts, KeepWhatWasReadBefore) {
  const TemporaryFolder folder;
  const Dataset whole = sample(4000);  // many pages, given back as the reader goes on
  io::write_dataset(whole, folder / "DS.npz");
  io::DatasetReader reader(folder / "DS.npz");
  const Dataset first = reader.next(2000);
  const Dataset second = reader.next(2000);
  EXPECT_TRUE(reader.next(1).graphs.empty());
  for (std::size_t g = 0; g < 2000; ++g) {
    ASSERT_EQ(dense(first.graphs[g]), dense(whole.graphs[g]));
    ASSERT_EQ(dense(second.graphs[g]), dense(whole.graphs[2000 + g]));
  }
}

TEST(DatasetParts, NameAFileThatIsCutShort) {
  const TemporaryFolder folder;
  const auto file = folder / "DS.npz", absent = folder / "nowhere.npz";
  io::write_dataset(sample(5), file);
  std::filesystem::resize_file(file, 700);
  expect_error([&] { return io::DatasetReader(file).graphs(); },
               file.string() +
                   ": the archive is cut short, expected its directory at the end; fetch it again",
               Error::Kind::format);
  expect_error([&] { return io::DatasetReader(absent).graphs(); },
               absent.string() + ": cannot be opened: No such file or directory", Error::Kind::io);
}

TEST_P(DatasetParts, AreSharedByRanks) {
  const TemporaryFolder folder;
  const auto path = folder / GetParam().path;
  const Dataset whole = sample(23, GetParam().format == std::string("tud") ? 1.0 : 0.5);
  io::write_dataset(whole, path, {.format = GetParam().format});
  for (const int count : {1, 2, 4, 40}) {
    std::vector<int> seen(23, 0);
    on_ranks(count, [&](Ranks& ranks) {
      const auto [part, share] = io::read_share(path, {}, &ranks);
      EXPECT_EQ(share.total, 23U);
      EXPECT_EQ(part.graphs.size(), share.size());
      EXPECT_EQ(part.first, share.begin);
      for (std::size_t i = 0; i < part.graphs.size(); ++i) {
        const std::size_t g = share.begin + i;
        ++seen[g];  // of this rank alone
        EXPECT_EQ(dense(part.graphs[i]), dense(whole.graphs[g]));
        EXPECT_EQ(part.labels[i], whole.labels[g]);
        EXPECT_EQ(part.node_labels[i], whole.node_labels[g]);
        EXPECT_EQ(part.node_features[i], whole.node_features[g]);
      }
    });
    EXPECT_EQ(seen, std::vector<int>(23, 1));
  }
}

TEST(DatasetParts, LeaveOutOnAllRanksWhatSomeGraphsLack) {
  const TemporaryFolder folder;
  const Dataset whole = sample(8);
  io::write_dataset(whole, folder / "graphs", {.format = "folder"});
  std::ofstream(folder / "graphs" / "7.graphml")
      << "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' "
         "target='b'/></graph>"
         "</graphml>";
  on_ranks(3, [&](Ranks& ranks) {
    const Dataset part = io::read_share(folder / "graphs", {}, &ranks).dataset;
    EXPECT_FALSE(part.graphs.empty());
    EXPECT_TRUE(part.node_labels.empty());
    EXPECT_TRUE(part.node_features.empty());
  });
}

class RowsFile : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Endings, RowsFile,
                         testing::Values("rows.npy", "rows.csv", "rows.tsv", "rows.csv.gz",
                                         "rows.npy.gz"));

TEST_P(RowsFile, IsThatOfAllRowsAtOnce) {
  const TemporaryFolder folder;
  const Matrix rows = Matrix::Random(10, 3);
  io::RowsWriter writer(folder / GetParam(), 10, 3, "node");
  writer.append(rows.topRows(4));
  writer.append(rows.middleRows(4, 0));
  writer.append(rows.bottomRows(6));
  EXPECT_FALSE(std::filesystem::exists(folder / GetParam()));  // nobody sees half of it
  writer.finish();
  const auto other = folder / (std::string("other_") + GetParam());
  io::write_features(rows, NodeNames::numbered(10), other);
  const auto bytes = [](const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  };
  EXPECT_EQ(bytes(folder / GetParam()), bytes(other));
}

TEST(RowsWriter, WritesNamesOfRows) {
  const TemporaryFolder folder;
  io::RowsWriter writer(folder / "rows.csv", 2, 1);
  writer.append(Matrix::Ones(2, 1), std::vector<std::string>{"a.txt", "b,c"});
  writer.finish();
  std::ostringstream text;
  text << std::ifstream(folder / "rows.csv").rdbuf();
  EXPECT_EQ(text.str(), "graph,0\na.txt,1\n\"b,c\",1\n");
  io::RowsWriter other(folder / "other.csv", 2, 1);
  EXPECT_THROW(other.append(Matrix::Ones(2, 1), std::vector<std::string>{"a"}), Error);
}

TEST_P(RowsFile, IsTheSameFromRanks) {
  const TemporaryFolder folder;
  const Matrix rows = Matrix::Random(1000, 3);
  const auto file = folder / GetParam(), alone = folder / (std::string("one_") + GetParam());
  io::RowsWriter one(alone, 1000, 3);
  one.append(rows);
  one.finish();
  const auto bytes = [](const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  };
  on_ranks(3, [&](Ranks& ranks) {  // of which the second has none
    const std::size_t starts[] = {0, 600, 600, 1000};
    const io::Share own{starts[ranks.rank()], starts[ranks.rank() + 1], 1000};
    const auto count = static_cast<Index>(own.size());
    io::RowsWriter writer(file, 1000, 3, own, &ranks);
    writer.append(rows.middleRows(static_cast<Index>(own.begin), count / 2));
    writer.append(rows.middleRows(static_cast<Index>(own.begin) + count / 2, count - count / 2));
    EXPECT_FALSE(std::filesystem::exists(file));
    std::int64_t looked = 0;
    ranks.sum(std::span(&looked, 1));
    writer.finish();
    EXPECT_EQ(bytes(file), bytes(alone));
  });
  // Nothing is left of a file that could not be finished.
  expect_error(
      [&] {
        on_ranks(2, [&](Ranks& ranks) {
          io::RowsWriter writer(folder / "half.npy", 2, 3, {0, 1, 2}, &ranks);
          writer.finish();
        });
        return 0;
      },
      "0 rows of 1, expected all");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()),
                          std::filesystem::directory_iterator()),
            2);
}

TEST(RowsFile, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  io::RowsWriter writer(folder / "rows.npy", 2, 3);
  expect_error([&] { writer.append(Matrix::Zero(1, 2)); },
               "1 more rows of 2 columns, expected 2 at most of 3");
  expect_error([&] { writer.append(Matrix::Zero(3, 3)); },
               "3 more rows of 3 columns, expected 2 at most of 3");
  writer.append(Matrix::Zero(1, 3));
  expect_error([&] { writer.finish(); }, "1 rows of 2, expected all");
  const auto text = folder / "rows.txt";
  expect_error([&] { io::RowsWriter(text, 1, 1).finish(); },
               text.string() + ": the ending '.txt' is unknown, expected .npy .csv or .tsv");
}

}  // namespace
}  // namespace srgw::test
