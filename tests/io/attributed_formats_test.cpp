// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "io/read_text.hpp"

namespace srgw::test {
namespace {

using io::Attribute;
using Names = std::vector<std::string>;
using Integers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

constexpr std::string_view graphml = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="colour" attr.type="string"><default>red</default></key>
  <key id="d1" for="edge" attr.name="weight" attr.type="double"/>
  <key id="d2" for="edge" attr.name="cost" attr.type="int"/>
  <key id="g" for="node" yfiles.type="nodegraphics"/>
  <graph id="G" edgedefault="undirected">
    <node id="a"><data key="d0">blue</data><data key="g"><y:x/></data></node>
    <node id="b &amp; c"/>
    <edge source="b &amp; c" target="a"><data key="d1">0.5</data><data key="d2">7</data></edge>
    <edge source="a" target="a"><data key="d1">2</data><data key="d2">8</data></edge>
  </graph>
</graphml>
)";

TEST(Graphml, ReadsNodesEdgesAndAttributes) {
  const auto named = io::parse_graph(graphml, "a.graphml");
  EXPECT_EQ(dense(named.graph), (Matrix{{2, .5}, {.5, 0}}));
  EXPECT_EQ(to_list(named.names), (Names{"a", "b & c"}));
  EXPECT_EQ(named.node_attributes, (std::vector<Attribute>{{"colour", Texts{"blue", "red"}}}));
  EXPECT_EQ(named.edge_attributes, (std::vector<Attribute>{{"cost", Integers{8, 7, 7}}}));
  EXPECT_FALSE(named.graph.directed());
}

TEST(Graphml, WeightsCanHaveAnotherName) {
  const auto named = io::parse_graph(graphml, "a.graphml", {.weight_attribute = "cost"});
  EXPECT_EQ(dense(named.graph), (Matrix{{8, 7}, {7, 0}}));
  expect_error([] { return io::parse_graph(graphml, "a.graphml", {.weight_attribute = "x"}); },
               "a.graphml: no edge has an attribute 'x', expected the weights there",
               Error::Kind::format);
}

TEST(Graphml, SaysWhereAnElementIsWrong) {
  const auto expect = [](std::string text, const std::string& old, const std::string& changed,
                         const std::string& message) {
    text.replace(text.find(old), old.size(), changed);
    expect_error([&] { return io::parse_graph(text, "a.graphml"); }, "a.graphml" + message,
                 Error::Kind::format);
  };
  const std::string whole(graphml);
  expect(whole, "target=\"a\"", "target=\"z\"",
         ":10: target 'z' is no node, expected a node of the file");
  expect(whole, "<node id=\"b &amp; c\"/>", "<node id=\"a\"/>",
         ":9: node 'a' is there twice, expected once");
  expect(whole, ">0.5<", ">heavy<", ":10: weight 'heavy', expected a finite number");
  expect(whole, "edgedefault=\"undirected\"", "",
         ":7: edgedefault '', expected directed or undirected");
}

constexpr std::string_view gml = R"(# comment
Creator "me"
graph [
  directed 1
  node [ id 5 label "a&quot;&#233;" colour "red" graphics [ x 1.0 ] ]
  node [
    id 7
    label "b"
  ]
  edge [ source 5 target 7 weight 0.5 kind 3 ]
  edge [ source 7 target 7 weight 2 kind 4 ]
]
)";

TEST(Gml, ReadsNodesEdgesAndAttributes) {
  const auto named = io::parse_graph(gml, "a.gml");
  EXPECT_EQ(dense(named.graph), (Matrix{{0, .5}, {0, 2}}));
  EXPECT_TRUE(named.graph.directed());
  EXPECT_EQ(to_list(named.names), (Names{"a\"é", "b"}));
  EXPECT_EQ(named.node_attributes, (std::vector<Attribute>{{"colour", Texts{"red", ""}}}));
  EXPECT_EQ(named.edge_attributes, (std::vector<Attribute>{{"kind", Integers{3, 4}}}));
}

TEST(Gml, IdsAreNamesWhereLabelsAreNot) {
  const auto named =
      io::parse_graph("graph [ node [ id 1 label \"x\" ] node [ id 2 label \"x\" ] ]", "a.gml");
  EXPECT_EQ(named.names, NodeNames::numbered(2, 1));
  EXPECT_EQ(named.node_attributes, (std::vector<Attribute>{{"label", Texts{"x", "x"}}}));
}

TEST(Gml, BoundsItsDepth) {
  std::string text = "graph [ node [ id 0 ] ]\nx ";
  for (int i = 0; i < 100000; ++i) text += "[ y ";
  expect_error([&] { return io::parse_graph(text, "a.gml"); },
               "a.gml:2: more than 100 open brackets, expected fewer", Error::Kind::format);
}

io::NamedGraph attributed_sample(bool weighted, bool directed) {
  const Entry edges[] = {
      {0, 1, weighted ? 1.0 / 3 : 1}, {1, 2, weighted ? 7e-300 : 1}, {2, 2, weighted ? -2.0 : 1}};
  io::NamedGraph named{.graph = Graph::from_edges(4, edges, directed),
                       .names = NodeNames(Names{"a <&>", "New \"York\"", "é\t\n", "d"})};
  named.node_attributes = {{"community", Integers{4, -1, 0, 2}},
                           {"x", std::vector<double>{0.1, 3, 1e30, -2}},
                           {"text", Texts{"", "7", "b\"", "ü"}}};
  if (directed) {
    named.edge_attributes = {{"kind", Integers{1, 2, 3}}, {"note", Texts{"a", "", "c"}}};
  } else {
    named.edge_attributes = {{"kind", Integers{1, 1, 2, 2, 3}}};
  }
  return named;
}

class Attributed : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Formats, Attributed,
                         testing::Values("a.graphml", "a.graphml.gz", "a.gml", "a.gml.gz"));

TEST_P(Attributed, ReadBackWhatTheyWrite) {
  expect_round_trips(GetParam(), [](bool weighted, bool directed) {
    return attributed_sample(weighted, directed);
  });
}

TEST_P(Attributed, SymmetrizeKeepsTheAttributesOfEdges) {
  const TemporaryFolder folder;
  io::write_graph(attributed_sample(true, true), folder / GetParam());
  const auto read = io::read_graph(folder / GetParam(), {.symmetrize = true});
  EXPECT_TRUE(read.symmetrized);
  EXPECT_EQ(read.edge_attributes[0], (Attribute{"kind", Integers{1, 1, 2, 2, 3}}));
}

TEST_P(Attributed, KnownNodesAreAppended) {
  const TemporaryFolder folder;
  io::write_graph(attributed_sample(false, false), folder / GetParam());
  const auto read =
      io::read_graph(folder / GetParam(), {.known_nodes = NodeNames(Names{"d", "e"})});
  EXPECT_EQ(read.graph.nodes(), 5);
  EXPECT_EQ(read.names[4], "e");
}

}  // namespace
}  // namespace srgw::test
