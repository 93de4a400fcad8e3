// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "base/whole_numbers.hpp"
#include "graph/csr_rows.hpp"
#include "io/formats.hpp"

namespace srgw::detail {

namespace {

constexpr std::string_view metis_comment = "%";

class MetisReader : TextReader {
 public:
  MetisReader(const Input& input, const ReadOptions& options) : TextReader(input, options) {}

  NamedGraph read() {
    read_header();
    edges_.reserve(std::min<std::size_t>(2 * promised_edges_, lines_.bytes_left() / 2 + 1));
    offsets_.reserve(std::min(static_cast<std::size_t>(nodes_), lines_.bytes_left()) + 1);
    offsets_.push_back(0);
    for (Index node = 0; node < nodes_; ++node) {
      next_line(node);
      read_node(static_cast<NodeId>(node));
      offsets_.push_back(edges_.ends.size());
    }
    if (lines_.next_content(metis_comment)) {
      fail("one more line than the {} nodes of the header", nodes_);
    }
    check_symmetry();
    if (edges_.ends.size() != 2 * promised_edges_) {
      fail_at({input_.name, header_line_}, "promises {} edges, expected the {} that follow",
              promised_edges_, static_cast<double>(edges_.ends.size()) / 2);
    }
    return make();
  }

 private:
  void read_header() {
    if (!lines_.next_content(metis_comment)) {
      fail_at({input_.name, 1}, "an empty file, expected a line with nodes and edges");
    }
    header_line_ = lines_.number();
    Words words(lines_.line());
    nodes_ = static_cast<Index>(count(words.next(), "a number of nodes"));
    promised_edges_ = count(words.next(), "a number of edges");
    if (nodes_ == 0) fail("0 nodes, expected at least 1");
    check_promised_nodes(lines_.where(), static_cast<std::uint64_t>(nodes_), input_, options_);
    // Each node has a line, and each edge two neighbours of a digit and a blank.
    if (promised_edges_ > input_.bytes.size() / 2) {
      fail("promises {} edges in {} bytes, expected a larger file or fewer edges", promised_edges_,
           input_.bytes.size());
    }
    const std::string_view code = words.next();
    const bool known = code.size() <= 3 && code.find_first_not_of("01") == std::string_view::npos;
    if (!known) fail("format code {}, expected up to three digits 0 or 1", quote(code));
    const auto flag = [&](std::size_t from_the_end) {
      return code.size() >= from_the_end && code[code.size() - from_the_end] == '1';
    };
    weighted_ = flag(1);
    weights_per_node_ = flag(2) ? 1 : 0;
    sized_ = flag(3);
    if (const auto word = words.next(); !word.empty()) {
      weights_per_node_ = count(word, "a number of weights per node");
      constexpr std::size_t most_weights = 1000;
      if (!flag(2) || weights_per_node_ > most_weights) {
        fail("{} weights per node, expected at most {} and a format code that has them", word,
             most_weights);
      }
    }
    if (const auto word = words.next(); !word.empty()) {
      fail("{} at the end of the header, expected nothing more", quote(word));
    }
    node_weights_.resize(weights_per_node_);
  }

  /// The line of a node, which may be empty.
  void next_line(Index node) {
    do {
      if (!lines_.next()) {
        fail_at({input_.name, lines_.number()},
                "the file ends after {} nodes, expected the {} of "
                "the header",
                node, nodes_);
      }
    } while (lines_.line().starts_with('%'));
  }

  void read_node(NodeId node) {
    Words words(lines_.line());
    if (sized_) sizes_.push_back(count(words.next(), "the size of the node"));
    for (auto& weights : node_weights_) weights.push_back(count(words.next(), "a node weight"));
    std::int64_t former = 0;
    for (auto word = words.next(); !word.empty(); word = words.next()) {
      const auto neighbour = to_integer(word);
      if (!neighbour || *neighbour < 1 || *neighbour > nodes_) {
        fail("neighbour {}, but the header promises {} nodes: expected 1 to {}", quote(word),
             nodes_, nodes_);
      }
      if (*neighbour == std::int64_t{node} + 1) {
        fail("node {} is its own neighbour, expected no self-loops in this format", *neighbour);
      }
      if (*neighbour <= former) {
        fail("neighbour {} after {}, expected rising neighbours, each once; sort the line",
             *neighbour, former);
      }
      former = *neighbour;
      edges_.add(node, static_cast<NodeId>(*neighbour - 1), weighted_ ? weight(words.next()) : 1.0);
    }
  }

  double weight(std::string_view word) const {
    const auto number = to_integer(word);
    constexpr std::int64_t most = std::int64_t{1} << 53;
    if (!number || *number < 1 || *number > most) {
      fail("edge weight {}, expected a positive whole number", quote(word));
    }
    return static_cast<double>(*number);
  }

  [[nodiscard]] std::size_t line_of_node(std::size_t node) const {
    LineReader lines(input_);
    lines.next_content(metis_comment);
    for (std::size_t i = 0; lines.next();) {
      if (lines.line().starts_with('%')) continue;
      if (i++ == node) break;
    }
    return lines.number();
  }

  /// Rows are sorted, so the mirror of an entry is found by halving.
  void check_symmetry() const {
    for (std::size_t row = 0; row + 1 < offsets_.size(); ++row) {
      for (std::size_t i = offsets_[row]; i < offsets_[row + 1]; ++i) {
        const std::size_t other = edges_.ends[i][1];
        const auto begin = edges_.ends.begin() + static_cast<std::ptrdiff_t>(offsets_[other]);
        const auto end = edges_.ends.begin() + static_cast<std::ptrdiff_t>(offsets_[other + 1]);
        const EdgeChunk::Ends wanted{static_cast<NodeId>(other), static_cast<NodeId>(row)};
        const auto found = std::lower_bound(begin, end, wanted);
        if (found == end || *found != wanted) {
          fail_at({input_.name, line_of_node(row)},
                  "node {} names {}, but {} does not name {}; expected both or neither", row + 1,
                  other + 1, other + 1, row + 1);
        }
        if (edges_.weights.empty()) continue;
        const double mirror = edges_.weights[found - edges_.ends.begin()];
        if (edges_.weights[i] != mirror) {
          fail_at({input_.name, line_of_node(row)},
                  "edge {} {} has weight {} here and {} the other way, expected the same", row + 1,
                  other + 1, edges_.weights[i], mirror);
        }
      }
    }
  }

  NamedGraph make() {
    const Index nodes = count_nodes({input_.name}, nodes_, options_);
    EdgeList list{.nodes = nodes};
    list.chunks.push_back(std::move(edges_));
    NamedGraph result{.graph = make_graph(std::move(list), Duplicates::maximum, options_.threads,
                                          [](const DuplicateEdge&) {}),
                      .names = NodeNames::numbered(nodes)};
    if (nodes != nodes_) return result;
    if (sized_) result.node_attributes.push_back({"size", std::move(sizes_)});
    for (std::size_t k = 0; k < weights_per_node_; ++k) {
      const std::string name = k == 0 ? "weight" : "weight" + std::to_string(k + 1);
      result.node_attributes.push_back({name, std::move(node_weights_[k])});
    }
    return result;
  }

  std::size_t header_line_ = 0, promised_edges_ = 0, weights_per_node_ = 0;
  bool weighted_ = false, sized_ = false;
  Index nodes_ = 0;
  std::vector<std::size_t> offsets_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::vector<std::int64_t>> node_weights_;
  EdgeChunk edges_;
};

}  // namespace

NamedGraph read_metis(const Input& input, const ReadOptions& options) {
  refuse_index_base(input, options);
  return MetisReader(input, options).read();
}

void write_metis(const NamedGraph& named, Output& out) {
  require_no_names(named, out, "METIS");
  const Graph& graph = named.graph;
  if (graph.directed()) {
    fail_argument("{}: the graph is directed, expected an undirected one for METIS", out.name());
  }
  out.print("{} {}{}\n", graph.nodes(), graph.edges(), graph.weighted() ? " 1" : "");
  with_rows(graph.adjacency(), [&](const auto& rows) {
    for (Index i = 0; i < rows.size(); ++i) {
      for (std::size_t k = rows.begin(i); k < rows.end(i); ++k) {
        const double weight = rows.value(k);
        constexpr auto most = static_cast<double>(largest_exact_integer);
        if (rows.columns[k] == i || weight < 1 || weight > most || std::floor(weight) != weight) {
          fail_argument(
              "{}: edge {} {} with weight {}, expected no self-loops and whole positive "
              "weights for METIS; write .mtx or GraphML",
              out.name(), i, rows.columns[k], weight);
        }
        out.print("{}{}", k == rows.begin(i) ? "" : " ", rows.columns[k] + 1);
        if (graph.weighted()) out.print(" {}", static_cast<std::int64_t>(weight));
      }
      out.write("\n");
    }
  });
}

}  // namespace srgw::detail
