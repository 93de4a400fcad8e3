// SPDX-License-Identifier: MIT
#include <algorithm>
#include <deque>
#include <unordered_map>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "io/formats.hpp"
#include "io/formats/dialect.hpp"
#include "io/formats/plain_edges.hpp"
#include "io/id_ranks.hpp"

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
        threads_(resolve_threads(options.threads)) {}

  NamedGraph read(std::size_t chunk_bytes) {
    edges_.directed = options_.directed;
    if (!known_ids_are_plain() || !read_plain(chunk_bytes)) read_carefully();
    if (names_.size() == 0) {
      fail_at({input_.name}, "no edges, expected at least one, or the number of nodes");
    }
    edges_.nodes = names_.size();
    Graph graph = make_graph(std::move(edges_), options_.duplicates, options_.threads,
                             [&](const DuplicateEdge& edge) { refuse(edge); });
    NamedGraph result{.graph = std::move(graph), .names = std::move(names_)};
    if (options_.symmetrize && result.graph.directed()) {
      result.graph = result.graph.undirected();
      result.symmetrized = true;
    }
    return result;
  }

 private:
  [[nodiscard]] bool known_ids_are_plain() const {
    if (!options_.known_nodes) return true;
    const NodeNames& known = *options_.known_nodes;
    if (!known.are_numbers()) return false;
    for (Index i = 0; i < known.size(); ++i) {
      if (known.number(i) < 0 || known.number(i) > static_cast<std::int64_t>(largest_plain_id)) {
        return false;
      }
    }
    return true;
  }

  bool read_plain(std::size_t chunk_bytes) {
    auto plain = parse_plain_edges(dialect_, chunk_bytes, threads_);
    if (!plain) return false;
    const bool outside = options_.nodes && plain->smallest <= plain->largest &&
                         (Index{plain->smallest} < options_.index_base ||
                          Index{plain->largest} - options_.index_base >= *options_.nodes);
    if (outside) return false;
    edges_.chunks = std::move(plain->chunks);
    if (options_.nodes) {
      names_ = NodeNames::numbered(*options_.nodes, options_.index_base);
      if (options_.index_base != 0) {
        renumber([&](NodeId id) { return id - static_cast<NodeId>(options_.index_base); });
      }
      return true;
    }
    return number_plain(plain->largest);
  }

  /// Makes ids places among all ids that occur or are known to exist.
  bool number_plain(NodeId largest) {
    if (options_.known_nodes) {
      for (Index i = 0; i < options_.known_nodes->size(); ++i) {
        largest = std::max(largest, static_cast<NodeId>(options_.known_nodes->number(i)));
      }
    }
    // One huge id in a small file must not cost memory: there the careful way is fast enough.
    const std::size_t known =
        options_.known_nodes ? 16 * static_cast<std::size_t>(options_.known_nodes->size()) : 0;
    if (largest / 4 > input_.bytes.size() + known + 4096) {
      edges_.chunks = {};
      return false;
    }
    const IdRanks ranks = occurring_ids(largest);
    if (ranks.total() == 0) return true;
    if (ranks.total() == Index{largest} + 1) {
      names_ = NodeNames::numbered(ranks.total());
      return true;
    }
    names_ = NodeNames(ranks.ids());
    renumber([&](NodeId id) { return ranks.rank(id); });
    return true;
  }

  [[nodiscard]] IdRanks occurring_ids(NodeId largest) const {
    std::vector<IdRanks> seen(threads_, IdRanks(largest));
    parallel_for(std::ssize(edges_.chunks), threads_, [&](Index item, int worker) {
      IdRanks& mine = seen[worker];
      for (const auto& [source, target] : edges_.chunks[item].ends) {
        mine.add(source);
        mine.add(target);
      }
    });
    IdRanks& all = seen.front();
    for (std::size_t i = 1; i < seen.size(); ++i) all.add(seen[i]);
    if (options_.known_nodes) {
      for (Index i = 0; i < options_.known_nodes->size(); ++i) {
        all.add(static_cast<NodeId>(options_.known_nodes->number(i)));
      }
    }
    all.count();
    return std::move(all);
  }

  template <class Number>
  void renumber(Number number) {
    parallel_for(std::ssize(edges_.chunks), threads_, [&](Index item, int) {
      for (auto& [source, target] : edges_.chunks[item].ends) {
        source = number(source);
        target = number(target);
      }
    });
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
      const auto& fields = lines.fields();
      const double weight = lines.weight();
      const NodeId source = node(where, fields[0]), target = node(where, fields[1]);
      edges_.chunks[0].add(source, target, weight);
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
      const auto id = to_integer(texts_[i]);
      if (!id) {
        names_ = NodeNames(std::vector<std::string>(texts_.begin(), texts_.end()));
        return;
      }
      ids.emplace_back(*id, static_cast<NodeId>(i));
    }
    std::sort(ids.begin(), ids.end());
    std::vector<NodeId> place(ids.size());
    std::vector<std::int64_t> unique;  // 1 and 01 are one number
    for (const auto& [id, node] : ids) {
      if (unique.empty() || unique.back() != id) unique.push_back(id);
      place[node] = static_cast<NodeId>(unique.size() - 1);
    }
    names_ = NodeNames(std::move(unique));
    renumber([&](NodeId node) { return place[node]; });
  }

  [[noreturn]] void refuse(const DuplicateEdge& edge) const {
    DataLines lines(input_, dialect_);
    std::size_t first_line = 0;
    for (std::size_t i = 0; lines.next(); ++i) {
      if (i == edge.first_edge) first_line = lines.where().line;
      if (i == edge.second_edge) {
        fail_duplicate(lines.where(), first_line, edge, lines.fields()[0], lines.fields()[1]);
      }
    }
    fail_duplicate({input_.name}, first_line, edge, "?", "?");
  }

  const Input& input_;
  const ReadOptions& options_;
  Dialect dialect_;
  int threads_;
  EdgeList edges_;
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
