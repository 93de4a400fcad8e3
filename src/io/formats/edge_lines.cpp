// SPDX-License-Identifier: MIT
#include "io/formats/edge_lines.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/message.hpp"
#include "io/formats.hpp"

namespace srgw::detail {

namespace {

/// The edges and marks of one chunk of the file.
struct Chunk {
  EdgeChunk edges;
  PlainMarks marks;
  NodeId smallest = std::numeric_limits<NodeId>::max();
  NodeId largest = 0;
  bool plain = true;
};

/// Reads lines of plain numbers.
class PlainParser {
 public:
  PlainParser(std::string_view text, const Dialect& dialect)
      : at_(text.data()), end_(text.data() + text.size()), dialect_(dialect) {}

  Chunk parse() {
    chunk_.edges.reserve(expected_lines());
    while (chunk_.plain && at_ < end_) {
      skip_blanks();
      if (at_ == end_) break;
      if (*at_ == '\n') {
        ++at_;
      } else if (*at_ == '#' || *at_ == '%') {
        const auto* stop = static_cast<const char*>(std::memchr(at_, '\n', left()));
        const char* next = stop == nullptr ? end_ : stop + 1;
        chunk_.plain = take_mark({at_, static_cast<std::size_t>(next - at_)});
        at_ = next;
      } else {
        chunk_.plain = parse_edge();
      }
    }
    return std::move(chunk_);
  }

 private:
  [[nodiscard]] std::size_t left() const { return end_ - at_; }

  /// From the length of the first lines, with some air.
  [[nodiscard]] std::size_t expected_lines() const {
    constexpr std::size_t sample = std::size_t{1} << 14;
    const std::size_t size = std::min(sample, left());
    const std::size_t lines = std::count(at_, at_ + size, '\n') + 1;
    return lines * (left() / std::max<std::size_t>(size, 1) + 1) * 17 / 16;
  }

  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }

  /// False for a mark that is no number.
  bool take_mark(std::string_view line) {
    if (!line.starts_with(mark_start)) return true;
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    EdgeMarks marks;
    try {
      marks.add({}, trim(line));
    } catch (const Error&) {
      return false;  // the careful way says where
    }
    chunk_.marks.directed |= marks.directed;
    chunk_.marks.nodes = std::max(chunk_.marks.nodes, marks.nodes);
    for (const std::string& name : marks.names) {
      const auto id = to_exact_integer(name);
      if (!id || *id < 0 || *id > static_cast<std::int64_t>(largest_plain_id)) return false;
      chunk_.marks.ids.push_back(static_cast<NodeId>(*id));
    }
    return true;
  }

  bool parse_id(NodeId& id) {
    constexpr std::ptrdiff_t most_digits = 10;  // which 64 bits hold with room to spare
    std::uint64_t number = 0;
    const char* start = at_;
    const char* stop = left() > most_digits ? at_ + most_digits + 1 : end_;
    while (at_ < stop && static_cast<unsigned char>(*at_ - '0') < 10) {
      number = number * 10 + static_cast<unsigned char>(*at_ - '0');
      ++at_;
    }
    id = static_cast<NodeId>(number);
    // 007 is another node than 7.
    const bool exact = at_ - start == 1 || (at_ != start && *start != '0');
    return exact && at_ - start <= most_digits && number <= largest_plain_id;
  }

  bool parse_separator() {
    const char* start = at_;
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
    if (dialect_.separator == ' ') return at_ != start;
    // A tab was skipped as a blank, which is fine as long as there was one.
    if (dialect_.separator == '\t') return std::memchr(start, '\t', at_ - start) != nullptr;
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
    chunk_.smallest = std::min({chunk_.smallest, source, target});
    chunk_.largest = std::max({chunk_.largest, source, target});
    chunk_.edges.add(source, target, weight);
    return true;
  }

  const char* at_;
  const char* end_;
  const Dialect& dialect_;
  Chunk chunk_;
};

/// Cuts a text behind ends of lines.
std::vector<std::string_view> cut_lines(std::string_view text, std::size_t chunk_bytes) {
  std::vector<std::string_view> texts;
  while (!text.empty()) {
    std::size_t size = std::min(chunk_bytes, text.size());
    const std::size_t end = text.find('\n', size - 1);
    size = end == std::string_view::npos ? text.size() : end + 1;
    texts.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return texts;
}

}  // namespace

bool EdgeLines::parse_plain(const Dialect& dialect, std::size_t chunk_bytes,
                            const Input* forgotten) {
  if (!dialect.plain()) return false;
  if (options_.known_nodes) {
    const NodeNames& known = *options_.known_nodes;
    for (Index i = 0; i < known.size(); ++i) {
      if (!known.are_numbers() || known.number(i) < 0 ||
          known.number(i) > static_cast<std::int64_t>(largest_plain_id)) {
        return false;
      }
    }
  }
  const auto texts = cut_lines(dialect.body, chunk_bytes);
  std::vector<Chunk> parsed(texts.size());
  parallel_for(std::ssize(texts), threads_, [&](Index item, int) {
    parsed[item] = PlainParser(texts[item], dialect).parse();
    if (forgotten != nullptr) forget_pages(*forgotten, texts[item]);
  });
  NodeId smallest = std::numeric_limits<NodeId>::max();
  for (Chunk& chunk : parsed) {
    if (!chunk.plain) return false;
    marks_.directed |= chunk.marks.directed;
    marks_.nodes = std::max(marks_.nodes, chunk.marks.nodes);
    marks_.ids.insert(marks_.ids.end(), chunk.marks.ids.begin(), chunk.marks.ids.end());
    if (chunk.edges.ends.empty()) continue;
    smallest = std::min(smallest, chunk.smallest);
    largest_ = std::max(largest_, chunk.largest);
    chunks.push_back(std::move(chunk.edges));
  }
  // The careful way checks what is promised and what indices may be.
  constexpr std::uint64_t few = std::uint64_t{1} << 24;
  if (marks_.nodes > few || (options_.nodes && (marks_.nodes > 0 || !marks_.ids.empty()))) {
    return false;
  }
  if (options_.nodes && smallest <= largest_ &&
      (Index{smallest} < options_.index_base ||
       Index{largest_} - options_.index_base >= *options_.nodes)) {
    return false;
  }
  for_each_known_id([&](NodeId id) { largest_ = std::max(largest_, id); });
  return true;
}

void EdgeLines::parse_carefully(const Input& input, const Dialect& dialect) {
  for (Index i = 0; options_.known_nodes && !options_.nodes && i < options_.known_nodes->size();
       ++i) {
    static_cast<void>(intern({input.name}, (*options_.known_nodes)[i]));
  }
  chunks.assign(1, {});
  DataLines lines(input, dialect);
  while (lines.next()) {
    const Where where = lines.where();
    const double weight = lines.weight();
    const NodeId source = node(where, lines.source()), target = node(where, lines.target());
    chunks[0].add(source, target, weight);
  }
  const EdgeMarks& marks = lines.marks();
  marks_ = {.directed = marks.directed};
  for (const std::string& name : marks.names) static_cast<void>(node({input.name}, name));
  if (marks.nodes > 0) check_promised_nodes({input.name}, marks.nodes, input, options_);
  for (std::uint64_t i = 0; i < marks.nodes; ++i) {
    static_cast<void>(node({input.name}, std::to_string(i)));
  }
  if (by_text_.empty()) sort_ids();
}

NodeId EdgeLines::node(const Where& where, const std::string& name) {
  if (options_.nodes) return indexed_node(where, name, options_);
  check_name(where, name);
  return intern(where, name);
}

NodeId EdgeLines::intern(const Where& where, const std::string& name) {
  if (ids_.size() >= largest_plain_id) fail_resource("{}: too many nodes", where.file);
  const auto number = static_cast<NodeId>(ids_.size());
  const auto id = to_exact_integer(name);
  const NodeId found =
      id ? by_id_.emplace(*id, number).first->second : by_text_.emplace(name, number).first->second;
  if (found == number) ids_.push_back(id.value_or(0));
  if (!id && first_text_.empty()) {
    first_text_ = message_at(where, fmt::format("node {} is no whole number", quote(name)));
  }
  return found;
}

/// Numbers by occurrence become numbers by size.
void EdgeLines::sort_ids() {
  std::vector<std::pair<std::int64_t, NodeId>> sorted(by_id_.begin(), by_id_.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<NodeId> place(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    ids_[i] = sorted[i].first;
    place[sorted[i].second] = static_cast<NodeId>(i);
  }
  if (!options_.nodes) renumber([&](NodeId number) { return place[number]; });
}

NodeNames EdgeLines::names() const {
  if (by_text_.empty()) return NodeNames(ids_);
  std::vector<std::string> names;
  for (const std::int64_t id : ids_) names.push_back(std::to_string(id));
  for (const auto& [text, node] : by_text_) names[node] = text;
  return NodeNames(std::move(names));
}

IdSet EdgeLines::occurring_ids(NodeId largest, int threads) const {
  std::vector<IdSet> seen(threads, IdSet(largest));
  parallel_for(std::ssize(chunks), threads, [&](Index item, int worker) {
    IdSet& mine = seen[worker];
    for (const auto& [source, target] : chunks[item].ends) {
      mine.add(source);
      mine.add(target);
    }
  });
  IdSet& all = seen.front();
  for (std::size_t i = 1; i < seen.size(); ++i) all.add(seen[i]);
  for_each_known_id([&](NodeId id) { all.add(id); });
  return std::move(all);
}

}  // namespace srgw::detail
