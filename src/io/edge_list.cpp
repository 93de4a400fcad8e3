// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <unordered_map>

#include "csr_rows.hpp"
#include "io/dialect.hpp"
#include "io/formats.hpp"
#include "message.hpp"
#include "parallel.hpp"

// Two ways to the same result. Lines of plain numbers are read on all threads; the first line that
// is anything else (a name, a quote, a mistake) sends the whole file to the careful way, which
// reads line by line and knows what to say.

namespace srgw::detail {

namespace {

constexpr std::uint64_t largest_plain_id = std::numeric_limits<NodeId>::max() - 1;

/// What one thread made of one piece of the file.
struct Piece {
  EdgeChunk edges;
  NodeId smallest = std::numeric_limits<NodeId>::max();
  NodeId largest = 0;
  bool plain = true;  // false: the careful way is needed
};

/// Reads lines of plain numbers.
class PlainParser {
 public:
  PlainParser(std::string_view text, const Dialect& dialect)
      : at_(text.data()), end_(text.data() + text.size()), dialect_(dialect) {}

  Piece parse() {
    piece_.edges.reserve(expected_lines());
    while (piece_.plain && at_ < end_) {
      skip_blanks();
      if (at_ == end_) break;
      if (*at_ == '\n') {
        ++at_;
      } else if (*at_ == '#' || *at_ == '%') {
        const auto* stop = static_cast<const char*>(std::memchr(at_, '\n', left()));
        at_ = stop == nullptr ? end_ : stop + 1;
      } else {
        piece_.plain = parse_edge();
      }
    }
    return std::move(piece_);
  }

 private:
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  /// From the length of the first lines, with some air.
  [[nodiscard]] std::size_t expected_lines() const {
    constexpr std::size_t sample = std::size_t{1} << 14;
    const std::size_t size = std::min(sample, left());
    const auto lines = static_cast<std::size_t>(std::count(at_, at_ + size, '\n')) + 1;
    return lines * (left() / std::max<std::size_t>(size, 1) + 1) * 17 / 16;
  }

  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }

  bool parse_id(NodeId& id) {
    std::uint64_t number = 0;
    const char* start = at_;
    while (at_ < end_ && static_cast<unsigned char>(*at_ - '0') < 10) {
      number = number * 10 + static_cast<unsigned char>(*at_ - '0');
      ++at_;
      if (number > largest_plain_id) return false;
    }
    id = static_cast<NodeId>(number);
    return at_ != start;
  }

  bool parse_separator() {
    const char* start = at_;
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
    if (dialect_.separator == ' ') return at_ != start;
    // A tab was skipped as a blank, which is fine as long as there was one.
    if (dialect_.separator == '\t')
      return std::memchr(start, '\t', static_cast<std::size_t>(at_ - start)) != nullptr;
    if (at_ == end_ || *at_ != dialect_.separator) return false;
    ++at_;
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
    return true;
  }

  bool parse_edge() {
    NodeId source = 0, target = 0;
    if (!parse_id(source) || !parse_separator() || !parse_id(target)) return false;
    double weight = 1;
    if (dialect_.weight_column) {
      if (!parse_separator()) return false;
      const auto [stop, error] = std::from_chars(at_, end_, weight);
      if (error != std::errc{} || !std::isfinite(weight)) return false;
      at_ = stop;
    }
    skip_blanks();
    if (at_ < end_ && *at_ != '\n') return false;
    if (at_ < end_) ++at_;
    piece_.smallest = std::min({piece_.smallest, source, target});
    piece_.largest = std::max({piece_.largest, source, target});
    piece_.edges.add(source, target, weight);
    return true;
  }

  const char* at_;
  const char* end_;
  const Dialect& dialect_;
  Piece piece_;
};

/// Cuts a text behind ends of lines.
std::vector<std::string_view> cut_lines(std::string_view text, std::size_t piece_bytes) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    std::size_t size = std::min(piece_bytes, text.size());
    const std::size_t end = text.find('\n', size - 1);
    size = end == std::string_view::npos ? text.size() : end + 1;
    pieces.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return pieces;
}

/// Which ids occur, and the place of each among them.
class IdRanks {
 public:
  explicit IdRanks(NodeId largest) : words_(std::size_t{largest} / 64 + 1, 0) {}

  void add(NodeId id) { words_[id / 64] |= std::uint64_t{1} << (id % 64); }
  void count() {
    before_.reserve(words_.size());
    for (const std::uint64_t word : words_) {
      before_.push_back(static_cast<NodeId>(total_));
      total_ += std::popcount(word);
    }
  }
  [[nodiscard]] Index total() const { return total_; }
  [[nodiscard]] NodeId rank(NodeId id) const {
    const std::uint64_t below = words_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return before_[id / 64] + static_cast<NodeId>(std::popcount(below));
  }
  [[nodiscard]] std::vector<std::int64_t> ids() const {
    std::vector<std::int64_t> result;
    result.reserve(static_cast<std::size_t>(total_));
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        result.push_back(static_cast<std::int64_t>(w) * 64 + std::countr_zero(word));
      }
    }
    return result;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<NodeId> before_;
  Index total_ = 0;
};

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
    const auto texts = cut_lines(dialect_.body, chunk_bytes);
    std::vector<Piece> pieces(texts.size());
    parallel_for(std::ssize(texts), threads_, [&](Index item, int) {
      const auto i = static_cast<std::size_t>(item);
      pieces[i] = PlainParser(texts[i], dialect_).parse();
    });
    NodeId smallest = std::numeric_limits<NodeId>::max(), largest = 0;
    for (const Piece& piece : pieces) {
      if (!piece.plain) return false;
      if (piece.edges.ends.empty()) continue;
      smallest = std::min(smallest, piece.smallest);
      largest = std::max(largest, piece.largest);
    }
    const bool outside = options_.nodes && smallest <= largest &&
                         (Index{smallest} < options_.index_base ||
                          Index{largest} - options_.index_base >= *options_.nodes);
    if (outside) return false;
    edges_.chunks.reserve(pieces.size());
    for (Piece& piece : pieces) edges_.chunks.push_back(std::move(piece.edges));
    if (options_.nodes) {
      names_ = NodeNames::numbered(*options_.nodes, options_.index_base);
      if (options_.index_base != 0) {
        renumber([&](NodeId id) { return id - static_cast<NodeId>(options_.index_base); });
      }
      return true;
    }
    return number_plain(largest);
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
    IdRanks ranks(largest);
    if (options_.known_nodes) {
      for (Index i = 0; i < options_.known_nodes->size(); ++i) {
        ranks.add(static_cast<NodeId>(options_.known_nodes->number(i)));
      }
    }
    for (const EdgeChunk& chunk : edges_.chunks) {
      for (const auto& [source, target] : chunk.ends) {
        ranks.add(source);
        ranks.add(target);
      }
    }
    ranks.count();
    if (ranks.total() == 0) return true;
    if (ranks.total() == Index{largest} + 1) {
      names_ = NodeNames::numbered(ranks.total());
      return true;
    }
    names_ = NodeNames(ranks.ids());
    renumber([&](NodeId id) { return ranks.rank(id); });
    return true;
  }

  template <class Number>
  void renumber(Number number) {
    parallel_for(std::ssize(edges_.chunks), threads_, [&](Index item, int) {
      for (auto& [source, target] : edges_.chunks[static_cast<std::size_t>(item)].ends) {
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
      double weight = 1;
      if (dialect_.weight_column) {
        const std::string& text = fields[*dialect_.weight_column];
        const auto number = to_number(text);
        if (!number) fail_at(where, "weight {}, expected a finite number", shown(text));
        weight = *number;
      }
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
    if (!options_.nodes) {
      if (name.empty()) fail_at(where, "an empty node name, expected two names of nodes");
      if (!is_utf8(name)) fail_at(where, "name {} is not UTF-8, expected UTF-8", shown(name));
      return intern(name);
    }
    const auto id = to_integer(name);
    const Index first = options_.index_base, last = first + *options_.nodes - 1;
    if (!id || *id < first || *id > last) {
      fail_at(where,
              "node {}, expected an index from {} to {}; is the number of nodes or the first index "
              "another one?",
              shown(name), first, last);
    }
    return static_cast<NodeId>(*id - first);
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

/// Calls `write(row, column, weight)` once for each edge or arc.
template <class Write>
void for_each_edge(const Graph& graph, Write write) {
  for_each_entry(graph.adjacency(), [&](Index row, Index column, double weight) {
    if (graph.directed() || row <= column) write(row, column, weight);
  });
}

/// A name as it stands in a line, or an error when it cannot.
std::string plain_name(const std::string& name, const Output& out) {
  const bool fine = !name.empty() && trimmed(name) == name && name.front() != '#' &&
                    name.front() != '%' && name.front() != '"' &&
                    name.find_first_of("\t\r\n") == std::string::npos;
  if (!fine) {
    throw Error(Error::Kind::argument,
                placed({out.name()}, "a node is called " + shown(name) +
                                         ", which lines with tabs cannot hold; write .csv or "
                                         "GraphML"));
  }
  return name;
}

std::string csv_name(const std::string& name, const Output& out) {
  if (name.empty() || name.find_first_of("\r\n") != std::string::npos) {
    throw Error(Error::Kind::argument,
                placed({out.name()}, "a node is called " + shown(name) +
                                         ", which a line cannot hold; write GraphML"));
  }
  const bool plain = name.find_first_of(",\"\t ") == std::string::npos && name.front() != '#' &&
                     name.front() != '%';
  if (plain) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

NamedGraph read_edge_list(const Input& input, const ReadOptions& options) {
  constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
  return read_edge_list_in_chunks(input, options, chunk_bytes);
}

NamedGraph read_edge_list_in_chunks(const Input& input, const ReadOptions& options,
                                    std::size_t chunk_bytes) {
  return EdgeListReader(input, options).read(chunk_bytes);
}

void write_edge_list(const NamedGraph& named, Output& out) {
  const Graph& graph = named.graph;
  bool first = true;
  for_each_edge(graph, [&](Index row, Index column, double weight) {
    const std::string source = plain_name(named.names[row], out);
    const std::string target = plain_name(named.names[column], out);
    // Nodes that are called like columns are told from a header by a header.
    if (first && !named.names.are_numbers()) {
      out.write(graph.weighted() ? "source\ttarget\tweight\n" : "source\ttarget\n");
    }
    first = false;
    if (graph.weighted()) {
      out.print("{}\t{}\t{}\n", source, target, weight);
    } else {
      out.print("{}\t{}\n", source, target);
    }
  });
}

void write_edge_csv(const NamedGraph& named, Output& out) {
  const Graph& graph = named.graph;
  out.write(graph.weighted() ? "source,target,weight\n" : "source,target\n");
  for_each_edge(graph, [&](Index row, Index column, double weight) {
    out.print("{},{}", csv_name(named.names[row], out), csv_name(named.names[column], out));
    if (graph.weighted()) out.print(",{}", weight);
    out.write("\n");
  });
}

}  // namespace srgw::detail
