// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <sstream>

#include "srgw/io.hpp"
#include "support/data.hpp"
#include "support/expect_error.hpp"
#include "support/thread_ranks.hpp"

namespace srgw::test {
namespace {

using io::ReadOptions;

/// A folder that is gone after the test.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / ("srgw_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::filesystem::path file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// What all ranks have, one behind the other.
struct Rows {
  std::vector<std::uint64_t> lengths;
  std::vector<NodeId> columns;
  std::vector<double> weights;
  std::vector<std::string> names;
  Index edges = 0;
  bool symmetrized = false;

  friend bool operator==(const Rows&, const Rows&) = default;
};

Rows rows_on_ranks(int count, const std::filesystem::path& path, const ReadOptions& options) {
  std::vector<GraphShard> shards(static_cast<std::size_t>(count));
  on_ranks(count, [&](Ranks& ranks) {
    shards[static_cast<std::size_t>(ranks.rank())] = io::read_shard(path, options, ranks);
  });
  Rows all;
  for (std::size_t r = 0; r < shards.size(); ++r) {
    const GraphShard& shard = shards[r];
    EXPECT_EQ(shard.starts, shards[0].starts);
    EXPECT_EQ(shard.starts.size(), shards.size() + 1);
    EXPECT_EQ(shard.rows(), shard.starts[r + 1] - shard.starts[r]);
    EXPECT_EQ(shard.names.size(), shard.rows());
    EXPECT_TRUE(r + 1 == shards.size() || shard.starts[r + 1] % 1024 == 0 ||
                shard.starts[r + 1] == shard.nodes());
    for (Index i = 0; i < shard.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      all.lengths.push_back(shard.offsets[at + 1] - shard.offsets[at]);
      all.names.push_back(shard.names[i]);
    }
    all.columns.insert(all.columns.end(), shard.columns.begin(), shard.columns.end());
    all.weights.insert(all.weights.end(), shard.weights.begin(), shard.weights.end());
    EXPECT_EQ(shard.edges, shards[0].edges);
  }
  all.edges = shards[0].edges;
  all.symmetrized = shards[0].symmetrized;
  return all;
}

Rows rows_of(const io::NamedGraph& read) {
  Rows all;
  const Csr& csr = read.graph.adjacency();
  std::visit(
      [&](const auto& offsets) {
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
          all.lengths.push_back(offsets[i + 1] - offsets[i]);
        }
      },
      csr.offsets);
  all.columns.assign(csr.columns.begin(), csr.columns.end());
  all.weights.assign(csr.values.begin(), csr.values.end());
  for (Index i = 0; i < read.names.size(); ++i) all.names.push_back(read.names[i]);
  all.edges = read.graph.edges();
  all.symmetrized = read.symmetrized;
  return all;
}

void expect_same(const std::filesystem::path& path, const ReadOptions& options = {}) {
  const Rows expected = rows_of(io::read_graph(path, options));
  for (const int ranks : {1, 2, 3, 4, 7}) {
    EXPECT_EQ(rows_on_ranks(ranks, path, options), expected) << path << " on " << ranks;
  }
}

/// Random edges among `nodes` ids, `stride` apart; some are given again, in either direction.
std::string random_edges(Index nodes, int edges, std::int64_t stride, bool weighted,
                         unsigned seed) {
  std::mt19937 random(seed);
  std::ostringstream text;
  text << "# comment\n";
  std::vector<std::string> lines;
  for (int e = 0; e < edges; ++e) {
    const auto a = static_cast<std::int64_t>(random() % static_cast<unsigned>(nodes)) * stride;
    const auto b = static_cast<std::int64_t>(random() % static_cast<unsigned>(nodes)) * stride;
    const double weight = static_cast<double>(random() % 8) / 4;
    text << a << ' ' << b;
    if (weighted) text << ' ' << weight;
    text << (e % 97 == 0 ? "\r\n\n% more\n" : "\n");
    if (e % 5 == 0) {
      text << b << '\t' << a;
      if (weighted) text << ' ' << weight;
      text << '\n';
    }
  }
  return text.str();
}

TEST(ReadShard, HasTheRowsOfOneProcess) {
  const Folder folder;
  expect_same(folder.file("dense.txt", random_edges(5000, 20000, 1, false, 1)));
  expect_same(folder.file("sparse.txt", random_edges(5000, 9000, 800000, false, 2)));
  expect_same(folder.file("wide.txt", random_edges(3000, 9000, std::int64_t{1} << 34, false, 3)));
  expect_same(folder.file("negative.txt", random_edges(3000, 9000, -7, false, 4)));
  expect_same(folder.file("gaps.txt", random_edges(9000, 9000, 3, false, 5)));
}

TEST(ReadShard, FollowsTheRulesForDuplicates) {
  const Folder folder;
  const auto path = folder.file("weighted.txt", random_edges(300, 9000, 1, true, 6));
  for (const Duplicates rule : {Duplicates::sum, Duplicates::maximum, Duplicates::first}) {
    expect_same(path, {.duplicates = rule});
    expect_same(path, {.directed = true, .symmetrize = true, .duplicates = rule});
  }
  const auto plain = folder.file("plain.txt", random_edges(300, 9000, 1, false, 7));
  expect_same(plain, {.duplicates = Duplicates::sum});
  expect_same(plain, {.directed = true, .symmetrize = true});
}

TEST(ReadShard, KnowsNodesWithoutEdges) {
  const Folder folder;
  const auto path = folder.file("indices.txt", random_edges(3000, 2000, 1, false, 8));
  expect_same(path, {.nodes = 5000});
  const auto one_based = folder.file("one_based.csv", "source,target\n1,2\n3,4\n2,4\n");
  expect_same(one_based, {.nodes = 4, .index_base = 1});
  expect_same(one_based, {.known_nodes = NodeNames(std::vector<std::int64_t>{9, 2, 70})});
  expect_same(one_based, {.known_nodes = NodeNames(std::vector<std::int64_t>{-5, 1})});
}

TEST(ReadShard, TakesFilesThatAreSmallerThanTheRanksAreMany) {
  const Folder folder;
  expect_same(folder.file("one.txt", "0 1"));
  expect_same(folder.file("loop.txt", "5 5\n"));
  expect_same(folder.file("header.tsv", "a\tb\tweight\n1\t2\t0.5\n2\t3\t1\n"));
}

TEST(ReadShard, ReadsPackedGraphs) {
  const Folder folder;
  const auto pack = [&](const std::filesystem::path& path, const ReadOptions& options) {
    io::write_graph(io::read_graph(path, options), folder / "packed.npz", {.format = "packed"});
    return folder / "packed.npz";
  };
  const auto text = folder.file("g.txt", random_edges(5000, 20000, 3, false, 9));
  expect_same(pack(text, {}));
  expect_same(pack(text, {.directed = true, .symmetrize = true}));
  expect_same(pack(text, {.directed = true}), {.symmetrize = true});
  const auto weighted = folder.file("w.txt", random_edges(3000, 9000, 1, true, 10));
  expect_same(pack(weighted, {.duplicates = Duplicates::maximum}));
  expect_same(pack(weighted, {.directed = true, .duplicates = Duplicates::sum}),
              {.symmetrize = true});
  expect_same(pack(folder.file("names.txt", "anna berta\nberta carla\n"), {}));
}

std::string error_on_ranks(int count, const std::filesystem::path& path,
                           const ReadOptions& options = {}) {
  try {
    static_cast<void>(rows_on_ranks(count, path, options));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string error_alone(const std::filesystem::path& path, const ReadOptions& options = {}) {
  try {
    static_cast<void>(io::read_graph(path, options));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReadShard, SaysOfABadFileWhatOneProcessSays) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data("bad"))) {
    const std::string extension = entry.path().extension().string();
    const bool packed =
        extension == ".npz" && error_alone(entry.path()).find("graph") != std::string::npos;
    if (extension != ".txt" && extension != ".csv" && extension != ".tsv" && !packed) continue;
    if (entry.path().filename() == "expected.txt") continue;
    const std::string alone = error_alone(entry.path());
    for (const int ranks : {1, 2, 3, 4}) {
      const std::string found = error_on_ranks(ranks, entry.path());
      // A matrix of SciPy is not read at all.
      if (found.find("is no packed graph") != std::string::npos) continue;
      EXPECT_EQ(found, alone) << entry.path() << " on " << ranks;
    }
    ++files;
  }
  EXPECT_GE(files, 15);
}

TEST(ReadShard, NamesTheFirstBadLineWhereverItIs) {
  const Folder folder;
  const std::string good = random_edges(2000, 5000, 1, false, 11);
  std::string text = good + "1 2 3 4\n" + good + "5\n";
  const auto path = folder.file("bad.txt", text);
  for (const int ranks : {1, 2, 3, 4}) EXPECT_EQ(error_on_ranks(ranks, path), error_alone(path));
  const auto outside = folder.file("outside.txt", good);
  for (const int ranks : {2, 4}) {
    EXPECT_EQ(error_on_ranks(ranks, outside, {.nodes = 1500}),
              error_alone(outside, {.nodes = 1500}));
  }
}

TEST(ReadShard, NamesBothLinesOfAContradiction) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 4000; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + " 2\n";
  const auto path = folder.file("twice.txt", "3000 2999 2\n" + text + "17 16 3\n2000 2001 5\n");
  EXPECT_NE(error_alone(path).find("twice.txt:4002: edge 17 16 is given again, with weight 3 after"
                                   " 2 in line 18"),
            std::string::npos);
  for (const int ranks : {1, 2, 3, 4}) EXPECT_EQ(error_on_ranks(ranks, path), error_alone(path));
}

TEST(ReadShard, RefusesWhatCannotBeReadInParts) {
  const Folder folder;
  const auto named = folder.file("names.txt", "1 2\nanna 2\n");
  EXPECT_NE(error_on_ranks(2, named).find("names.txt:2: node 'anna' is no whole number, which 2 "
                                          "ranks cannot read in parts; `srgw convert "),
            std::string::npos);
  const auto other = folder.file("g.graph", "2 1\n2\n1\n");
  EXPECT_NE(error_on_ranks(3, other).find("convert"), std::string::npos);
  const auto directed = folder.file("d.txt", "1 2\n");
  EXPECT_NE(error_on_ranks(2, directed, {.directed = true}).find("directed"), std::string::npos);
}

/// Labels of all ranks, in the order of the nodes.
io::NodeLabels labels_on_ranks(int count, const std::filesystem::path& graph,
                               const std::filesystem::path& labels) {
  std::vector<io::NodeLabels> parts(static_cast<std::size_t>(count));
  on_ranks(count, [&](Ranks& ranks) {
    const GraphShard shard = io::read_shard(graph, {}, ranks);
    const io::LabelShare share = io::read_label_share(labels, ranks);
    parts[static_cast<std::size_t>(ranks.rank())] = io::join(share, shard, ranks);
  });
  io::NodeLabels all{.names = {}, .labels = {}, .classes = parts[0].classes};
  std::vector<std::string> names;
  for (const io::NodeLabels& part : parts) {
    for (Index i = 0; i < part.names.size(); ++i) names.push_back(part.names[i]);
    all.labels.insert(all.labels.end(), part.labels.begin(), part.labels.end());
  }
  all.names = NodeNames(std::move(names));
  return all;
}

TEST(LabelShare, IsJoinedAsInOneProcess) {
  const Folder folder;
  const auto graph = folder.file("g.txt", random_edges(3000, 9000, 3, false, 12));
  const io::NamedGraph read = io::read_graph(graph);
  std::string numbers = "# nodes\nnode\tlabel\n", words = "node,label\n";
  for (Index i = read.names.size(); i-- > 0;) {
    numbers += read.names[i] + "\t" + std::to_string(i * i % 7 - 2) + "\n";
    words += read.names[i] + ",class " + std::to_string(i * i % 5) + "\n";
  }
  for (const auto& path : {folder.file("l.tsv", numbers), folder.file("l.csv", words)}) {
    const io::NodeLabels expected = io::read_labels(path, read.names);
    for (const int ranks : {1, 2, 3, 4}) {
      EXPECT_EQ(labels_on_ranks(ranks, graph, path), expected) << path << " on " << ranks;
    }
  }
  const auto short_file = folder.file("short.tsv", numbers.substr(0, numbers.size() / 2 - 3));
  for (const int ranks : {1, 3}) {
    EXPECT_THROW(static_cast<void>(labels_on_ranks(ranks, graph, short_file)), Error);
  }
}

TEST(LabelShare, SaysWhichLineRepeatsANode) {
  const Folder folder;
  const auto graph = folder.file("g.txt", "1 2\n2 3\n3 4\n");
  const auto labels = folder.file("l.tsv", "1\t0\n2\t0\n3\t1\n4\t1\n2\t1\n");
  for (const int ranks : {1, 2, 4}) {
    expect_error([&] { return labels_on_ranks(ranks, graph, labels); },
                 labels.string() + ":5: node 2 has a label in line 2 already, expected one",
                 Error::Kind::format);
  }
}

TEST(WriteLabels, GivesTheBytesOfOneProcess) {
  const Folder folder;
  for (const char* name : {"l.tsv", "l.csv", "l.npy", "l.json", "l.tsv.gz"}) {
    io::NodeLabels all{.names = NodeNames::numbered(5000, 3), .labels = {}};
    for (int i = 0; i < 5000; ++i) all.labels.push_back(i * 31 % 1001);
    io::write_labels(all, folder / name);
    const std::string expected = content(folder / name);
    for (const int count : {1, 2, 3, 4}) {
      const auto path = folder / (std::to_string(count) + name);
      on_ranks(count, [&](Ranks& ranks) {
        const Index begin = 1024 * ranks.rank();
        const Index end = ranks.rank() + 1 == count ? 5000 : begin + 1024;
        const io::NodeLabels own{.names = NodeNames::numbered(end - begin, begin + 3),
                                 .labels = {all.labels.begin() + begin, all.labels.begin() + end}};
        io::write_labels(own, path, ranks);
      });
      EXPECT_TRUE(content(path) == expected) << path;
    }
  }
}

}  // namespace
}  // namespace srgw::test
