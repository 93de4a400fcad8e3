// SPDX-License-Identifier: MIT
#include <algorithm>

#include "io/formats.hpp"
#include "io/formats/dialect.hpp"
#include "io/formats/edge_lines.hpp"

// Two ways to the same result. Lines of plain numbers are read on all threads; the first line that
// is anything else (a name, a quote, a mistake) sends the whole file to the careful way, which
// reads line by line and knows what to say.

namespace srgw::detail {

namespace {

class EdgeListReader {
 public:
  EdgeListReader(const Input& input, const ReadOptions& options)
      : input_(input),
        options_(options),
        dialect_(sniff_dialect(input, options)),
        edges_(options) {}

  NamedGraph read(std::size_t chunk_bytes) {
    if (!read_plain(chunk_bytes)) read_carefully();
    if (names_.size() == 0) {
      fail_at({input_.name}, "no edges, expected at least one, or the number of nodes");
    }
    directed_ = options_.directed || dialect_.directed || edges_.marks().directed;
    EdgeList list{
        .nodes = names_.size(), .directed = directed_, .chunks = std::move(edges_.chunks)};
    Graph graph = make_graph(std::move(list), options_.duplicates, options_.threads,
                             [&](const DuplicateEdge& edge) { refuse(edge); });
    return symmetrize_if_asked({.graph = std::move(graph), .names = std::move(names_)}, options_);
  }

 private:
  bool read_plain(std::size_t chunk_bytes) {
    if (!edges_.parse_plain(dialect_, chunk_bytes)) return false;
    if (!options_.nodes) return number_plain();
    names_ = NodeNames::numbered(*options_.nodes, options_.index_base);
    edges_.subtract_index_base();
    return true;
  }

  /// Makes ids places among all ids that occur or are known to exist.
  bool number_plain() {
    // One huge id in a small file must not cost memory: there the careful way is fast enough.
    const std::size_t known = options_.known_nodes ? options_.known_nodes->size() : 0;
    const std::size_t marked = edges_.marks().nodes;
    if (edges_.largest() / 4 > input_.bytes.size() + 16 * (known + marked) + 4096) return false;
    IdSet ids = edges_.occurring_ids(edges_.largest(), resolve_threads(options_.threads));
    ids.count();
    if (ids.total() == 0) return true;
    if (ids.total() == Index{edges_.largest()} + 1) {
      names_ = NodeNames::numbered(ids.total());
      return true;
    }
    names_ = NodeNames(ids.ids());
    edges_.renumber([&](NodeId id) { return ids.place(id); });
    return true;
  }

  void read_carefully() {
    edges_.parse_carefully(input_, dialect_);
    names_ =
        options_.nodes ? NodeNames::numbered(*options_.nodes, options_.index_base) : edges_.names();
  }

  [[noreturn]] void refuse(const DuplicateEdge& edge) const {
    DataLines lines(input_, dialect_);
    std::size_t first_line = 0;
    std::string first_source;
    for (std::size_t i = 0; lines.next(); ++i) {
      if (i == edge.first_edge) {
        first_line = lines.where().line;
        first_source = lines.source();
      }
      if (i == edge.second_edge) {
        const bool turned = !directed_ && lines.source() != first_source;
        fail_duplicate(lines.where(), first_line, edge, lines.source(), lines.target(), turned);
      }
    }
    fail_duplicate({input_.name}, first_line, edge, "?", "?");
  }

  const Input& input_;
  const ReadOptions& options_;
  Dialect dialect_;
  EdgeLines edges_;
  bool directed_ = false;
  NodeNames names_;
};

}  // namespace

NamedGraph read_edge_list(const Input& input, const ReadOptions& options) {
  // Large enough for large pages, small enough to keep all threads at work to the end.
  constexpr std::size_t smallest = std::size_t{1} << 20, largest = std::size_t{1} << 24;
  const std::size_t threads = resolve_threads(options.threads);
  const std::size_t share = input.bytes.size() / (8 * threads);
  return read_edge_list_in_chunks(input, options, std::clamp(share, smallest, largest));
}

NamedGraph read_edge_list_in_chunks(const Input& input, const ReadOptions& options,
                                    std::size_t chunk_bytes) {
  return EdgeListReader(input, options).read(chunk_bytes);
}

}  // namespace srgw::detail
