// SPDX-License-Identifier: MIT
#include <algorithm>
#include <deque>
#include <unordered_map>

#include "base/message.hpp"
#include "io/formats.hpp"
#include "io/formats/dialect.hpp"
#include "io/formats/plain_edges.hpp"

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
    directed_ = options_.directed || dialect_.directed || marks_.directed;
    EdgeList list{
        .nodes = names_.size(), .directed = directed_, .chunks = std::move(edges_.chunks)};
    Graph graph = make_graph(std::move(list), options_.duplicates, options_.threads,
                             [&](const DuplicateEdge& edge) { refuse(edge); });
    return finished({.graph = std::move(graph), .names = std::move(names_)}, options_);
  }

 private:
  bool read_plain(std::size_t chunk_bytes) {
    if (!edges_.parse(dialect_, chunk_bytes)) return false;
    marks_.directed = edges_.marks().directed;
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

  /// Line by line, with any names.
  void read_carefully() {
    if (options_.known_nodes) {
      for (Index i = 0; i < options_.known_nodes->size(); ++i) {
        static_cast<void>(intern((*options_.known_nodes)[i]));
      }
    }
    edges_.chunks.assign(1, {});
    DataLines lines(input_, dialect_);
    while (lines.next()) {
      const Where where = lines.where();
      const double weight = lines.weight();
      const NodeId source = node(where, lines.source()), target = node(where, lines.target());
      edges_.chunks[0].add(source, target, weight);
    }
    marks_ = lines.marks();
    for (const std::string& name : marks_.names) static_cast<void>(node({input_.name}, name));
    if (marks_.nodes > 0) {
      check_promised_nodes({input_.name}, marks_.nodes, input_, options_);
      for (std::uint64_t i = 0; i < marks_.nodes; ++i) {
        static_cast<void>(node({input_.name}, std::to_string(i)));
      }
    }
    if (options_.nodes) {
      names_ = NodeNames::numbered(*options_.nodes, options_.index_base);
    } else {
      order_names();
    }
  }

  NodeId node(const Where& where, const std::string& name) {
    if (options_.nodes) return indexed_node(where, name, options_);
    check_name(where, name);
    return intern(name);
  }

  NodeId intern(std::string_view name) {
    if (const auto found = index_.find(name); found != index_.end()) return found->second;
    if (texts_.size() >= largest_plain_id) fail_resource("{}: too many nodes", input_.name);
    const std::string& kept = texts_.emplace_back(name);
    return index_.emplace(kept, static_cast<NodeId>(texts_.size() - 1)).first->second;
  }

  /// Nodes in the order of their numbers when all have one, else as they occurred.
  void order_names() {
    std::vector<std::pair<std::int64_t, NodeId>> ids;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const auto id = to_exact_integer(texts_[i]);
      if (!id) {
        names_ = NodeNames(std::vector<std::string>(texts_.begin(), texts_.end()));
        return;
      }
      ids.emplace_back(*id, static_cast<NodeId>(i));
    }
    std::sort(ids.begin(), ids.end());
    std::vector<NodeId> place(ids.size());
    std::vector<std::int64_t> sorted;
    for (const auto& [id, node] : ids) {
      place[node] = static_cast<NodeId>(sorted.size());
      sorted.push_back(id);
    }
    names_ = NodeNames(std::move(sorted));
    edges_.renumber([&](NodeId node) { return place[node]; });
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
  PlainEdges edges_;
  EdgeMarks marks_;
  bool directed_ = false;
  NodeNames names_;
  std::deque<std::string> texts_;  // names as they occur; does not move them
  std::unordered_map<std::string_view, NodeId> index_;
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
