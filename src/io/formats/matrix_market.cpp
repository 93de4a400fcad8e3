// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/message.hpp"
#include "graph/csr_rows.hpp"
#include "io/formats.hpp"

namespace srgw::detail {

namespace {

constexpr std::string_view matrix_market_comment = "%";

enum class Symmetry { general, symmetric, skew };

class MatrixMarketReader : TextReader {
 public:
  MatrixMarketReader(const Input& input, const ReadOptions& options) : TextReader(input, options) {}

  NamedGraph read() {
    read_banner();
    if (!lines_.next_content(matrix_market_comment))
      fail("the file ends, expected a line with the sizes");
    if (coordinate_) {
      read_coordinates();
    } else {
      read_array();
    }
    return make();
  }

 private:
  void read_banner() {
    if (!lines_.next()) fail_at({input_.name, 1}, "an empty file, expected %%MatrixMarket");
    Words words(lines_.line());
    const std::string banner = lower(words.next()), object = lower(words.next()),
                      layout = lower(words.next()), field = lower(words.next()),
                      symmetry = lower(words.next());
    if (banner != "%%matrixmarket" || object != "matrix") {
      fail("{}, expected '%%MatrixMarket matrix ...'", quote(lines_.line()));
    }
    if (layout != "coordinate" && layout != "array") {
      fail("layout {}, expected coordinate or array", quote(layout));
    }
    coordinate_ = layout == "coordinate";
    pattern_ = field == "pattern";
    if (field != "real" && field != "double" && field != "integer" && !(pattern_ && coordinate_)) {
      fail("values {}, expected real, integer or (coordinate only) pattern", quote(field));
    }
    if (symmetry == "symmetric") {
      symmetry_ = Symmetry::symmetric;
    } else if (symmetry == "skew-symmetric" && !pattern_) {
      symmetry_ = Symmetry::skew;
    } else if (symmetry != "general") {
      fail("symmetry {}, expected general, symmetric or skew-symmetric", quote(symmetry));
    }
  }

  void read_sizes(Words& words) {
    nodes_ = count(words.next(), "a size");
    const std::int64_t columns = count(words.next(), "a size");
    if (nodes_ != columns || nodes_ == 0) {
      fail("{} rows and {} columns, expected a square matrix", nodes_, columns);
    }
    check_promised_nodes(lines_.where(), static_cast<std::uint64_t>(nodes_), input_, options_);
  }

  void end_line(Words& words) const {
    if (const auto word = words.next(); !word.empty()) {
      fail("{} at the end of the line, expected nothing more", quote(word));
    }
  }

  void read_coordinates() {
    Words sizes(lines_.line());
    read_sizes(sizes);
    const std::int64_t promised = count(sizes.next(), "a size");
    end_line(sizes);
    const std::size_t header_line = lines_.number();
    constexpr std::size_t shortest_line = 3;  // two digits and a blank; its end may be missing
    const std::size_t possible = lines_.bytes_left() / shortest_line;
    edges_.reserve(std::min(static_cast<std::size_t>(promised), possible));
    std::int64_t found = 0;
    while (lines_.next_content(matrix_market_comment)) {
      if (++found > promised) {
        fail("one more entry than the {} that line {} promises", promised, header_line);
      }
      Words words(lines_.line());
      const NodeId row = index(words.next()), column = index(words.next());
      const double value = pattern_ ? 1.0 : number(words.next());
      end_line(words);
      if (symmetry_ == Symmetry::skew && row == column) {
        fail("an entry on the diagonal, expected none in a skew-symmetric matrix");
      }
      add(row, column, value);
    }
    if (found != promised) {
      fail_at({input_.name, header_line}, "promises {} entries, expected the {} that follow",
              promised, found);
    }
  }

  /// Values column by column; of symmetric matrices on and below the diagonal only.
  void read_array() {
    Words sizes(lines_.line());
    read_sizes(sizes);
    end_line(sizes);
    const auto n = static_cast<NodeId>(nodes_);
    const auto first_row = [&](NodeId column) {
      return symmetry_ == Symmetry::general     ? 0
             : symmetry_ == Symmetry::symmetric ? column
                                                : column + 1;
    };
    for (NodeId column = 0; column < n; ++column) {
      for (NodeId row = first_row(column); row < n; ++row) {
        if (!lines_.next_content(matrix_market_comment)) {
          fail("the file ends in column {}, expected {} columns", column + 1, n);
        }
        Words words(lines_.line());
        const double value = number(words.next());
        end_line(words);
        if (value != 0) add(row, column, value);
      }
    }
    if (lines_.next_content(matrix_market_comment))
      fail("one more value than the matrix has places");
  }

  NodeId index(std::string_view word) const {
    const auto value = to_integer(word);
    if (!value || *value < 1 || *value > nodes_) {
      fail("index {}, expected 1 to {}", quote(word), nodes_);
    }
    return static_cast<NodeId>(*value - 1);
  }

  double number(std::string_view word) const {
    const auto value = to_number(word);
    if (!value) fail("value {}, expected a finite number", quote(word));
    return *value;
  }

  void add(NodeId row, NodeId column, double value) {
    edges_.add(row, column, value);
    if (symmetry_ == Symmetry::skew) edges_.add(column, row, -value);
  }

  NamedGraph make() {
    const Index nodes = count_nodes({input_.name}, nodes_, options_);
    EdgeList list{.nodes = nodes, .directed = symmetry_ != Symmetry::symmetric};
    list.chunks.push_back(std::move(edges_));
    Graph graph = make_graph(std::move(list), options_.duplicates, options_.threads,
                             [&](const DuplicateEdge& edge) { refuse(edge); });
    if (symmetry_ == Symmetry::symmetric && !options_.directed) {
      return symmetrize_if_asked({.graph = std::move(graph), .names = NodeNames::numbered(nodes)},
                                 options_);
    }
    return matrix_graph(graph.adjacency(), options_);
  }

  [[noreturn]] void refuse(const DuplicateEdge& edge) const {
    const std::size_t each = symmetry_ == Symmetry::skew ? 2 : 1;
    LineReader lines(input_);
    std::size_t first_line = 0;
    lines.next_content(matrix_market_comment);  // the sizes
    for (std::size_t i = 0; lines.next_content(matrix_market_comment); ++i) {
      if (i == edge.first_edge / each) first_line = lines.number();
      if (i == edge.second_edge / each) break;
    }
    fail_duplicate(lines.where(), first_line, edge, std::to_string(edge.source + 1),
                   std::to_string(edge.target + 1));
  }

  bool coordinate_ = true, pattern_ = false;
  Symmetry symmetry_ = Symmetry::general;
  Index nodes_ = 0;
  EdgeChunk edges_;
};

}  // namespace

NamedGraph read_matrix_market(const Input& input, const ReadOptions& options) {
  refuse_index_base(input, options);
  return MatrixMarketReader(input, options).read();
}

void write_matrix_market(const NamedGraph& named, Output& out) {
  require_no_names(named, out, "Matrix Market");
  const Graph& graph = named.graph;
  out.print("%%MatrixMarket matrix coordinate {} {}\n", graph.weighted() ? "real" : "pattern",
            graph.directed() ? "general" : "symmetric");
  out.print("{0} {0} {1}\n", graph.nodes(), graph.edges());
  for_each_entry(graph.adjacency(), [&](Index row, Index column, double weight) {
    // Symmetric matrices are stored on and below the diagonal.
    if (!graph.directed() && column > row) return;
    if (graph.weighted()) {
      out.print("{} {} {}\n", row + 1, column + 1, weight);
    } else {
      out.print("{} {}\n", row + 1, column + 1);
    }
  });
}

}  // namespace srgw::detail
