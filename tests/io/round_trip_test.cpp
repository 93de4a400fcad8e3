// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

#include "io/read_text.hpp"

// What a graph file says survives a walk through any two formats, or is refused.

namespace srgw::test {
namespace {

using Names = std::vector<std::string>;

/// What a graph says, whatever the order of its nodes.
struct Content {
  bool directed = false;
  std::set<std::string> nodes;
  std::map<std::pair<std::string, std::string>, double> edges;
  std::map<std::pair<std::string, std::string>, std::string> attributes;  // by name and node

  friend bool operator==(const Content&, const Content&) = default;
};

Content content(const io::NamedGraph& named, bool with_attributes) {
  Content result;
  result.directed = named.graph.directed();
  const Matrix weights = dense(named.graph);
  for (Index i = 0; i < named.graph.nodes(); ++i) {
    result.nodes.insert(named.names[i]);
    for (const io::Attribute& attribute : named.node_attributes) {
      if (!with_attributes) continue;
      result.attributes[{attribute.name, named.names[i]}] = std::visit(
          [&](const auto& values) {
            if constexpr (std::is_same_v<std::decay_t<decltype(values)>, Names>) {
              return values[i];
            } else {
              return std::to_string(values[i]);
            }
          },
          attribute.values);
    }
  }
  const Csr& csr = named.graph.adjacency();
  std::visit(
      [&](const auto& offsets) {
        for (Index row = 0; row < csr.rows(); ++row) {
          for (std::size_t e = offsets[row]; e < offsets[row + 1]; ++e) {
            const Index column = csr.columns[e];
            result.edges[{named.names[row], named.names[column]}] = weights(row, column);
          }
        }
      },
      csr.offsets);
  return result;
}

enum class Weights { none, whole, real, with_zero };
enum class Called { indices, numbers, padded, words };

io::NamedGraph random_named(Weights weights, Called called, bool directed, unsigned seed) {
  std::mt19937 random(seed);
  constexpr Index nodes = 9;
  std::vector<Entry> edges;
  for (NodeId i = 0; i < 6; ++i) {  // the last three nodes have none
    for (NodeId j = i + 1; j < 6; ++j) {
      if (random() % 2 != 0) continue;
      const double drawn = static_cast<double>(random() % 1000 + 1);
      edges.push_back({i, j,
                       weights == Weights::none    ? 1
                       : weights == Weights::whole ? drawn
                                                   : drawn / 7});
      if (directed && random() % 2 == 0) std::swap(edges.back().row, edges.back().column);
    }
  }
  edges.push_back({0, 6, weights == Weights::with_zero ? 0. : 1.});
  NodeNames names = NodeNames::numbered(nodes);
  if (called == Called::numbers) {
    names = NodeNames(std::vector<std::int64_t>{5, -1, 7, 100, 3, 8, 9, 1000000000000, 2});
  } else if (called == Called::padded) {
    names = NodeNames(Names{"007", "7", "00501", "+1", "1e3", "0x1", "-0", "1.0", "08"});
  } else if (called == Called::words) {
    names =
        NodeNames(Names{"source", "a b", "Åbo", "nan", "x,y", "p;q", "target", "weight", "T\"T"});
  }
  io::NamedGraph named{.graph = Graph::from_edges(nodes, edges, directed), .names = names};
  named.node_attributes.push_back({"age", std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}});
  named.node_attributes.push_back({"zip", Names{"00501", "b", "", "d", "e", "f", "g", "h", "i"}});
  return named;
}

struct Format {
  const char* file;
  std::optional<std::string> name = {};
  bool attributes = false;
};
const std::vector<Format> formats{{"a.txt"},           {"a.tsv.gz"},
                                  {"a.csv"},           {"a.mtx"},
                                  {"a.graph"},         {"a.graphml", {}, true},
                                  {"a.gml", {}, true}, {"a.npy"},
                                  {"a.npz"},           {"b.npz", "packed", true}};

/// The graph that comes back from a file of this format; nothing when the format refuses it.
std::optional<io::NamedGraph> through(const io::NamedGraph& named, const Format& format) {
  const TemporaryFolder folder;
  const auto path = folder / format.file;
  try {
    io::write_graph(named, path, {.format = format.name});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::argument) << error.what();
    EXPECT_FALSE(std::filesystem::exists(path));
    return {};
  }
  return io::read_graph(path);
}

class RoundTrips : public testing::TestWithParam<std::tuple<Weights, Called, bool>> {};
INSTANTIATE_TEST_SUITE_P(Graphs, RoundTrips,
                         testing::Combine(testing::Values(Weights::none, Weights::whole,
                                                          Weights::real, Weights::with_zero),
                                          testing::Values(Called::indices, Called::numbers,
                                                          Called::padded, Called::words),
                                          testing::Bool()));

TEST_P(RoundTrips, KeepNodesEdgesWeightsNamesAndDirection) {
  const auto [weights, called, directed] = GetParam();
  for (unsigned seed = 0; seed < 1; ++seed) {
    const io::NamedGraph named = random_named(weights, called, directed, seed);
    int written = 0;
    for (const Format& first : formats) {
      const auto once = through(named, first);
      if (!once) continue;
      ++written;
      EXPECT_EQ(content(*once, first.attributes), content(named, first.attributes)) << first.file;
      for (const Format& second : formats) {
        const auto twice = through(*once, second);
        const bool attributes = first.attributes && second.attributes;
        if (!twice) continue;
        EXPECT_EQ(content(*twice, attributes), content(named, attributes))
            << first.file << " to " << second.file;
      }
    }
    EXPECT_GE(written, 4);
  }
}

TEST(RoundTrips, GraphsWithoutEdgesKeepTheirNodes) {
  const io::NamedGraph named{.graph = Graph::from_edges(4, {}), .names = NodeNames::numbered(4)};
  for (const Format& format : formats) {
    const auto read = through(named, format);
    ASSERT_TRUE(read) << format.file;
    EXPECT_EQ(content(*read, false), content(named, false)) << format.file;
  }
}

}  // namespace
}  // namespace srgw::test
