// SPDX-License-Identifier: MIT
#include "io/formats/plain_edges.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/parallel.hpp"

namespace srgw::detail {

namespace {

/// What one thread made of one piece of the file.
struct Piece {
  EdgeChunk edges;
  NodeId smallest = std::numeric_limits<NodeId>::max();
  NodeId largest = 0;
  bool plain = true;
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
    const std::size_t lines = static_cast<std::size_t>(std::count(at_, at_ + size, '\n')) + 1;
    return lines * (left() / std::max<std::size_t>(size, 1) + 1) * 17 / 16;
  }

  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
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
    return at_ != start && at_ - start <= most_digits && number <= largest_plain_id;
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

}  // namespace

std::optional<PlainEdges> parse_plain_edges(const Dialect& dialect, std::size_t piece_bytes,
                                            int threads) {
  const auto texts = cut_lines(dialect.body, piece_bytes);
  std::vector<Piece> pieces(texts.size());
  parallel_for(std::ssize(texts), threads, [&](Index item, int) {
    const std::size_t i = item;
    pieces[i] = PlainParser(texts[i], dialect).parse();
  });
  PlainEdges result;
  result.chunks.reserve(pieces.size());
  for (Piece& piece : pieces) {
    if (!piece.plain) return std::nullopt;
    if (piece.edges.ends.empty()) continue;
    result.smallest = std::min(result.smallest, piece.smallest);
    result.largest = std::max(result.largest, piece.largest);
    result.chunks.push_back(std::move(piece.edges));
  }
  return result;
}

}  // namespace srgw::detail
