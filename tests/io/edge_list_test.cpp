// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "io/formats.hpp"
#include "io/read_text.hpp"

namespace srgw::test {
namespace {

using io::ReadOptions;
using Names = std::vector<std::string>;

io::NamedGraph parse(std::string_view text, const ReadOptions& options = {}) {
  return io::parse_graph(text, "graph.txt", options);
}

struct Dialect {
  const char* name;
  std::string_view text;
};

class EdgeListDialect : public testing::TestWithParam<Dialect> {};

INSTANTIATE_TEST_SUITE_P(
    Unweighted, EdgeListDialect,
    testing::Values(
        Dialect{"Tabs", "0\t1\n1\t2\n"}, Dialect{"Blanks", "0 1\n1 2\n"},
        Dialect{"ManyBlanks", "  0   1 \n 1 \t2\n"}, Dialect{"Commas", "0,1\n1,2\n"},
        Dialect{"CommasAndBlanks", "0, 1\n1 , 2\n"}, Dialect{"Semicolons", "0;1\n1;2\n"},
        Dialect{"NoLastNewline", "0 1\n1 2"}, Dialect{"CarriageReturns", "0 1\r\n1 2\r\n"},
        Dialect{"ByteOrderMark",
                "\xEF\xBB\xBF"
                "0 1\n1 2\n"},
        Dialect{"SnapComments", "# Nodes: 3\n# From\tTo\n0\t1\n# in between\n1\t2\n"},
        Dialect{"PercentComments", "% sym\n0 1\n1 2\n"},
        Dialect{"EmptyLines", "\n0 1\n\n\n1 2\n\n"},
        Dialect{"KnownHeader", "source,target\n0,1\n1,2\n"},
        Dialect{"AnyHeader", "page_one page_two\n0 1\n1 2\n"},
        Dialect{"Repeated", "0 1\n1 2\n0 1\n"}, Dialect{"BothDirections", "0 1\n1 0\n1 2\n2 1\n"},
        Dialect{"Pandas", ",source,target\n0,0,1\n1,1,2\n"},
        Dialect{"PandasTabs", "\tsource\ttarget\n0\t0\t1\n1\t1\t2\n"},
        Dialect{"R", "\"\",\"from\",\"to\"\n\"1\",0,1\n\"2\",1,2\n"},
        Dialect{"RTable", "\"from\" \"to\"\n\"1\" 0 1\n\"2\" 1 2\n"},
        Dialect{"Gephi", "Source,Target,Type,Id,Label\n0,1,Undirected,7,x\n1,2,Undirected,8,\n"},
        Dialect{"Swapped", "type,DST,src\nx,1,0\ny,2,1\n"},
        Dialect{"UnknownNamesBehindAnIndex", ",first,second\n7,0,1\n8,1,2\n"},
        Dialect{"Marked", "0 1\n1 2\n#srgw nodes 3\n"}, Dialect{"Quoted", "\"0\",\"1\"\n1,2\n"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(EdgeListDialect, IsThePathOfThreeNodes) {
  const auto named = parse(GetParam().text);
  EXPECT_EQ(dense(named.graph), (Matrix{{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}));
  EXPECT_TRUE(named.names.are_indices());
  EXPECT_FALSE(named.graph.directed());
  EXPECT_FALSE(named.graph.weighted());
}

class WeightedDialect : public testing::TestWithParam<Dialect> {};

INSTANTIATE_TEST_SUITE_P(
    Weighted, WeightedDialect,
    testing::Values(Dialect{"Tabs", "0\t1\t0.5\n1\t2\t-3e2\n"},
                    Dialect{"Blanks", "0 1 .5\n1 2 -300\n"},
                    Dialect{"Plus", "0 1 +.5\n1 2 -300.0\n"},
                    Dialect{"Header", "source,target,weight\n0,1,0.5\n1,2,-300\n"},
                    Dialect{"HeaderOfFour", "u,v,time,weight\n0,1,77,0.5\n1,2,78,-300\n"},
                    Dialect{"Pandas", ",source,target,weight\n0,0,1,.5\n1,1,2,-300\n"},
                    Dialect{"Gephi",
                            "Source,Target,Type,Id,Label,Weight\n0,1,Undirected,0,,.5\n"
                            "1,2,Undirected,1,,-300\n"},
                    Dialect{"WeightFirst", "Weight;From;To\n0,5;0;1\n-3e2;1;2\n"},
                    Dialect{"DecimalComma", "0;1;0,5\n1;2;-300,0\n"},
                    Dialect{"DecimalCommaBelowHeader", "source;target;weight\n0;1;0,5\n1;2;-300\n"},
                    Dialect{"OneMissesNoDigit", "0 1 0.5000000000000000\n1 2 -3.0E+02\n"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(WeightedDialect, HasItsWeights) {
  EXPECT_EQ(dense(parse(GetParam().text).graph), (Matrix{{0, .5, 0}, {.5, 0, -300}, {0, -300, 0}}));
}

TEST(EdgeList, ABadWeightInTheFirstLineIsNoHeader) {
  for (const std::string weight : {"nan", "inf", "-inf", "1e400", "1.5x", "NA", "None", "-"}) {
    for (const std::string ends : {"0 1 ", "a b "}) {
      expect_error([&] { return parse(ends + weight + "\n1 2 3\n"); },
                   "graph.txt:1: weight '" + weight + "', expected a finite number",
                   Error::Kind::format);
    }
  }
}

TEST(EdgeList, RefusesColumnsWhoseMeaningIsNotKnown) {
  const auto refuse = [](const std::string& text, const std::string& message) {
    expect_error([&] { return parse(text); }, "graph.txt:" + message, Error::Kind::format);
  };
  refuse("id,person,friend\n1,2,3\n",
         "1: columns 'id', 'person', 'friend', expected two that are known as the ends of an edge; "
         "call them source and target");
  refuse("from,to,age,height\n1,2,3,4\n",
         "1: 4 fields, expected two nodes and at most a weight; name the column of the weights in "
         "a header and as weight attribute");
  refuse("Source,Target,Type\n1,2,Directed\n2,3,Undirected\n",
         "3: type 'Undirected' after directed edges, expected one type in a file");
  refuse("a,b;c\n",
         "1: 'a,b;c' has commas and semicolons, expected one of them between the "
         "columns; put fields that hold the other into double quotes");
  refuse("a b 1,5\n",
         "1: 'a b 1,5' may be a weight with a decimal comma or names with blanks, "
         "expected columns that are separated by tabs or semicolons");
  refuse("a\tb\t1,5\n",
         "1: weight '1,5', expected a finite number; write a decimal point, or "
         "semicolons between the columns");
  refuse("a;b;1,5\nb;c;1.500\n",
         "2: weight '1.500' has a decimal point and others do not, expected one kind");
  refuse("0 1\n#srgw wheels 4\n",
         "2: '#srgw wheels 4', expected '#srgw directed', '#srgw nodes "
         "COUNT' or '#srgw node NAME'");
  refuse("0 1\n#srgw nodes 99999999999\n",
         " promises 99999999999 nodes in 28 bytes, expected a larger file or fewer nodes; give the "
         "number of nodes to confirm it");
}

TEST(EdgeList, SumsThatOverflowAreRefused) {
  for (const char* text : {"0 1 1e308\n0 1 1e308\n", "a b 1e308\nb a 1.5e308\n"}) {
    expect_error([&] { return parse(text, {.duplicates = Duplicates::sum}); },
                 "graph.txt: the weights of (0, 1) sum to inf, expected a finite number",
                 Error::Kind::format);
  }
}

TEST(EdgeList, IdsWithLeadingZerosAreNames) {
  const auto named = parse("00501 007\n7 00501\n");
  EXPECT_EQ(to_list(named.names), (Names{"00501", "007", "7"}));
  EXPECT_EQ(to_list(parse("+1 2\n").names), (Names{"+1", "2"}));
  const NodeNames numbers = NodeNames::numbered(10);
  EXPECT_FALSE(NameIndex(numbers).find("007").has_value());
  EXPECT_EQ(io::parse_labels("a\t01\nb\t1\n", "l.tsv").classes, (Names{"01", "1"}));
}

TEST(EdgeList, GephisTypeMakesArcs) {
  const auto named = parse("Source,Target,Type,Weight\na,b,Directed,2\nb,a,directed,3\n");
  EXPECT_TRUE(named.graph.directed());
  EXPECT_EQ(dense(named.graph), (Matrix{{0, 2}, {3, 0}}));
  // A type that says something else is a remark.
  EXPECT_FALSE(parse("source,target,type\na,b,friend\nb,c,boss\n").graph.weighted());
}

TEST(EdgeList, NodesAreThoseThatOccurInNumericOrder) {
  const auto named = parse("10 2\n2 7\n");
  EXPECT_EQ(to_list(named.names), (Names{"2", "7", "10"}));
  EXPECT_EQ(dense(named.graph), (Matrix{{0, 1, 1}, {1, 0, 0}, {1, 0, 0}}));
}

TEST(EdgeList, NegativeAndHugeIdsAreNumbersToo) {
  EXPECT_EQ(to_list(parse("-5 99999999999\n3 4\n").names), (Names{"-5", "3", "4", "99999999999"}));
}

TEST(EdgeList, OneHugeIdCostsNothing) {
  EXPECT_EQ(to_list(parse("0 4294967294\n").names), (Names{"0", "4294967294"}));
}

TEST(EdgeList, NamesComeInTheOrderOfTheFile) {
  const auto named = parse("New York\tBoston\nBoston\tÅbo\n");
  EXPECT_EQ(to_list(named.names), (Names{"New York", "Boston", "Åbo"}));
  EXPECT_EQ(named.graph.edges(), 2);
}

TEST(EdgeList, QuotedFieldsHoldSeparators) {
  EXPECT_EQ(to_list(parse("\"a, b\",\"say \"\"c\"\"\"\n").names), (Names{"a, b", "say \"c\""}));
}

TEST(EdgeList, WithANumberOfNodesIdsAreIndices) {
  const auto named = parse("0 3\n", {.nodes = 5});
  EXPECT_EQ(named.graph.nodes(), 5);
  EXPECT_EQ(named.names, NodeNames::numbered(5));
  const auto from_one = parse("1 4\n", {.nodes = 5, .index_base = 1});
  EXPECT_EQ(dense(from_one.graph), dense(named.graph));
  EXPECT_EQ(from_one.names, NodeNames::numbered(5, 1));
}

TEST(EdgeList, KnownNodesExistWithoutEdges) {
  EXPECT_EQ(to_list(parse("5 3\n", {.known_nodes = NodeNames::numbered(5)}).names),
            (Names{"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(to_list(parse("a b\n", {.known_nodes = NodeNames(Names{"c", "b"})}).names),
            (Names{"c", "b", "a"}));
}

TEST(EdgeList, DirectedLinesAreArcs) {
  const auto named = parse("0 1\n1 0\n1 2\n", {.directed = true});
  EXPECT_TRUE(named.graph.directed());
  EXPECT_EQ(dense(named.graph), (Matrix{{0, 1, 0}, {1, 0, 1}, {0, 0, 0}}));
}

TEST(EdgeList, SymmetrizeTakesTheUnionAndTheLargerWeight) {
  const auto named = parse("0 1 2\n1 0 3\n1 2 4\n", {.directed = true, .symmetrize = true});
  EXPECT_TRUE(named.symmetrized);
  EXPECT_FALSE(named.graph.directed());
  EXPECT_EQ(dense(named.graph), (Matrix{{0, 3, 0}, {3, 0, 4}, {0, 4, 0}}));
}

TEST(EdgeList, RulesForDuplicatesAreThoseOfTheGraph) {
  const auto weight = [](Duplicates duplicates) {
    return dense(parse("1 0 3\n0 1 4\n1 0 5\n", {.duplicates = duplicates}).graph)(0, 1);
  };
  EXPECT_EQ(weight(Duplicates::sum), 12);
  EXPECT_EQ(weight(Duplicates::maximum), 5);
  EXPECT_EQ(weight(Duplicates::first), 3);
  EXPECT_EQ(dense(parse("1 0 3\n0 1 3\n").graph)(0, 1), 3);
  expect_error([] { return parse("# x\nb a 3\nc b 1\na b 4\n"); },
               "graph.txt:4: edge a b is given again, with weight 4 after 3 in line 2; expected "
               "once, or a rule for duplicates: sum, max or first; if the lines are arcs, read "
               "them as directed (--directed)",
               Error::Kind::format);
}

TEST(EdgeList, SaysWhereALineIsWrong) {
  const auto expect = [](std::string_view text, const std::string& message,
                         const ReadOptions& options = {}) {
    expect_error([&] { return parse(text, options); }, message, Error::Kind::format);
  };
  expect("0 1\n1\n", "graph.txt:2: 1 field separated by blanks, expected 2 as in the first line");
  expect("0 1\n1 2 3\n",
         "graph.txt:2: 3 fields separated by blanks, expected 2 as in the first line");
  expect("a,b,w\n0,1,x\n", "graph.txt:2: weight 'x', expected a finite number");
  expect("0 1 1e999\n", "graph.txt:1: weight '1e999', expected a finite number");
  expect("", "graph.txt: no edges, expected at least one, or the number of nodes");
  expect("0 1\n0 7\n",
         "graph.txt:2: node '7', expected an index from 0 to 2; is the number of nodes or the "
         "first index another one?",
         {.nodes = 3});
}

TEST(EdgeList, RefusesOptionsThatMakeNoSense) {
  expect_error([] { return parse("0 1\n", {.index_base = 1}); },
               "index base 1 without a number of nodes, expected both: without, ids are names");
  expect_error([] { return parse("0 1\n", {.index_base = 2}); }, "index base 2, expected 0 or 1");
}

/// Lines of random edges; few nodes, so that pairs repeat.
std::string random_lines(unsigned seed, bool weighted, std::vector<Entry>& entries) {
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < 300; ++i) {
    const Entry entry{static_cast<NodeId>(random() % 20), static_cast<NodeId>(random() % 20),
                      weighted ? 1.0 + static_cast<double>(random() % 3) : 1.0};
    entries.push_back(entry);
    text += std::to_string(entry.row) + ' ' + std::to_string(entry.column);
    if (weighted) text += ' ' + std::to_string(static_cast<int>(entry.value));
    text += '\n';
  }
  return text;
}

class EdgeListChunks : public testing::TestWithParam<std::tuple<int, bool, bool, Duplicates>> {};

INSTANTIATE_TEST_SUITE_P(Random, EdgeListChunks,
                         testing::Combine(testing::Range(0, 4), testing::Bool(), testing::Bool(),
                                          testing::Values(Duplicates::sum, Duplicates::maximum,
                                                          Duplicates::first)));

TEST_P(EdgeListChunks, GiveTheGraphOfTheEdges) {
  const auto [seed, weighted, directed, duplicates] = GetParam();
  std::vector<Entry> entries;
  const std::string text = random_lines(static_cast<unsigned>(seed), weighted, entries);
  const io::NamedGraph expected{.graph = Graph::from_edges(20, entries, directed, duplicates),
                                .names = NodeNames::numbered(20)};
  for (const std::size_t chunk : {1, 7, 64, 100000}) {
    for (const int threads : {1, 3}) {
      const ReadOptions options{
          .directed = directed, .duplicates = duplicates, .nodes = 20, .threads = threads};
      expect_same(detail::read_edge_list_in_chunks({"text", text, nullptr}, options, chunk),
                  expected);
    }
  }
}

TEST(EdgeList, ManyEdgesTakeTheParallelPath) {
  std::mt19937 random(5);
  std::vector<Entry> entries;
  std::string text;
  for (int i = 0; i < 60000; ++i) {
    entries.push_back({static_cast<NodeId>(random() % 3000), static_cast<NodeId>(random() % 3000)});
    text +=
        std::to_string(entries.back().row) + '\t' + std::to_string(entries.back().column) + '\n';
  }
  const io::NamedGraph expected{.graph = Graph::from_edges(3000, entries),
                                .names = NodeNames::numbered(3000)};
  for (const int threads : {1, 2, 5}) expect_same(parse(text, {.threads = threads}), expected);
}

io::NamedGraph sample(bool weighted, NodeNames names) {
  const Entry edges[] = {{0, 1, weighted ? 0.1 : 1},
                         {1, 2, weighted ? 1e-300 : 1},
                         {2, 2, weighted ? -7.0 : 1.0},
                         {0, 3, weighted ? 1.0 / 3 : 1}};
  return {.graph = Graph::from_edges(4, edges), .names = std::move(names)};
}

TEST(EdgeList, ReadsBackWhatItWrites) {
  const TemporaryFolder folder;
  for (const char* file : {"a.tsv", "a.csv", "a.edges.gz", "a.csv.gz"}) {
    for (const bool weighted : {false, true}) {
      for (const auto& names :
           {NodeNames::numbered(4), NodeNames(std::vector<std::int64_t>{-3, 4, 8, 100}),
            NodeNames(Names{"source", "target", "New York", "Åbo"})}) {
        const auto written = sample(weighted, names);
        io::write_graph(written, folder / file);
        // Names come as they occur, unless their order is known.
        expect_same(io::read_graph(folder / file, {.known_nodes = names}), written);
      }
    }
  }
}

TEST(EdgeList, KeepsNodesWithoutEdgesAndTheDirection) {
  const TemporaryFolder folder;
  const Entry edges[] = {{3, 1}, {1, 0}};
  for (const char* file : {"a.tsv", "a.csv", "a.edges.gz"}) {
    for (const bool directed : {false, true}) {
      for (const auto& names :
           {NodeNames::numbered(6), NodeNames(std::vector<std::int64_t>{-3, 4, 8, 100, 101, 200}),
            NodeNames(Names{"a", "b", "New \"York\"", "007", " #x", "7"})}) {
        const io::NamedGraph written{.graph = Graph::from_edges(6, edges, directed),
                                     .names = names};
        io::write_graph(written, folder / file);
        const auto read = io::read_graph(folder / file);
        EXPECT_EQ(read.graph.directed(), directed);
        EXPECT_EQ(read.graph.nodes(), 6);
        expect_same(io::read_graph(folder / file, {.known_nodes = names}), written);
      }
    }
  }
}

TEST(EdgeList, RefusesNamesThatALineCannotHold) {
  const TemporaryFolder folder;
  const auto graph = sample(false, NodeNames(Names{"#a", "b", "c", "d"}));
  EXPECT_THROW(io::write_graph(graph, folder / "a.tsv"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.tsv"));
  io::write_graph(graph, folder / "a.csv");
  expect_same(io::read_graph(folder / "a.csv", {.known_nodes = graph.names}), graph);
}

TEST(Output, KeepsTheFormerFileWhenWritingFails) {
  const TemporaryFolder folder;
  write_file(folder / "a.tsv", "former");
  EXPECT_THROW(
      io::write_graph(sample(false, NodeNames(Names{"#a", "b", "c", "d"})), folder / "a.tsv"),
      Error);
  EXPECT_EQ(file_text(folder / "a.tsv"), "former");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Output, WritesDevicesDirectly) {
  io::write_graph(sample(false, NodeNames::numbered(4)), "/dev/null", {.format = "edges"});
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Formats, NamesTheEndingsItKnows) {
  try {
    static_cast<void>(io::parse_graph("", "a.pdf"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("a.pdf: the ending '.pdf' is unknown, expected one of .txt .tsv"));
  }
}

TEST(Input, SaysWhatIsWrongWithAFile) {
  expect_error([] { return io::read_graph("/does/not/exist.txt"); },
               "/does/not/exist.txt: cannot be opened: No such file or directory", Error::Kind::io);
  const TemporaryFolder folder;
  const auto path = write_file(folder / "a.txt.gz", "0 1\n");
  expect_error([&] { return io::read_graph(path); },
               path.string() + ": does not start like a gzip file, expected one by its name",
               Error::Kind::format);
}

}  // namespace
}  // namespace srgw::test
