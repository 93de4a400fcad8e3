// SPDX-License-Identifier: MIT
#include "io/formats/dialect.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace srgw::detail {

namespace {

constexpr std::string_view comment_marks = "#%";

char separator_of(std::string_view line) {
  for (const char c : {'\t', ',', ';'}) {
    if (line.find(c) != std::string_view::npos) return c;
  }
  return ' ';
}

/// Fields of a line. Names are never empty, so that tabs in a row are one, like blanks.
void split(const Where& where, std::string_view line, char separator,
           std::vector<std::string>& fields) {
  if (separator == ' ') {
    fields.clear();
    Words words(line);
    for (auto word = words.next(); !word.empty(); word = words.next()) fields.emplace_back(word);
  } else if (!split_fields(line, separator, fields)) {
    fail_at(where, "a double quote is left open, expected its partner in the same line");
  } else if (separator == '\t') {
    std::erase(fields, std::string());
  }
}

/// The names that the two ends of an edge have in headers.
bool is_known_header(const std::vector<std::string>& fields) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> known = {{
      {"source", "target"},
      {"from", "to"},
      {"src", "dst"},
      {"u", "v"},
      {"i", "j"},
      {"node1", "node2"},
      {"node_1", "node_2"},
      {"id1", "id2"},
      {"id_1", "id_2"},
      {"fromnodeid", "tonodeid"},
      {"head", "tail"},
      {"tail", "head"},
  }};
  const std::string first = lower(fields[0]), second = lower(fields[1]);
  return std::any_of(known.begin(), known.end(), [&](const auto& pair) {
    return pair.first == first && pair.second == second;
  });
}

/// A header has words where the next line has numbers.
bool is_header(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  if (is_known_header(first)) return true;
  if (second.size() != first.size()) return false;
  const auto worded = [&](std::size_t i) { return !to_number(first[i]) && to_number(second[i]); };
  return (worded(0) && worded(1)) || (first.size() > 2 && worded(2));
}

void check_count(const Where& where, std::size_t found, std::size_t expected, char separator) {
  if (found == expected) return;
  const std::string_view kind = separator == '\t'  ? "tabs"
                                : separator == ' ' ? "blanks"
                                : separator == ',' ? "commas"
                                                   : "semicolons";
  fail_at(where, "{} {} separated by {}, expected {} as in the first line", found,
          found == 1 ? "field" : "fields", kind, expected);
}

std::optional<std::size_t> find_column(const std::vector<std::string>& header,
                                       const std::string& name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return found - header.begin();
}

std::optional<std::size_t> weight_column(const Where& where, const std::vector<std::string>& first,
                                         bool header, const io::ReadOptions& options) {
  if (options.weight_attribute) {
    const auto column = header ? find_column(first, *options.weight_attribute) : std::nullopt;
    if (!column || *column < 2) {
      fail_at(where, "no column {} behind the two nodes, expected a header that names it",
              shown(*options.weight_attribute));
    }
    return column;
  }
  if (first.size() == 2) return std::nullopt;
  if (header) {
    if (const auto column = find_column(first, "weight")) return column;
  }
  if (first.size() == 3) return 2;
  fail_at(where,
          "{} fields, expected two nodes and at most a weight; name the column of the weights in a "
          "header and as weight attribute",
          first.size());
}

}  // namespace

Dialect sniff_dialect(const Input& input, const io::ReadOptions& options) {
  Dialect dialect;
  const std::string_view text = as_text(input);
  dialect.body = text;
  LineReader lines(input);
  if (!lines.next_content(comment_marks)) {
    dialect.body = {};
    return dialect;
  }
  dialect.separator = separator_of(lines.line());
  const Where where = lines.where();
  std::vector<std::string> first, second;
  split(where, lines.line(), dialect.separator, first);
  if (first.size() < 2) {
    fail_at(where, "{}, expected two nodes separated by blanks, tabs or commas",
            shown(lines.line()));
  }
  dialect.fields = first.size();
  const std::size_t behind_first = text.size() - lines.bytes_left();
  if (lines.next_content(comment_marks)) {
    split(lines.where(), lines.line(), dialect.separator, second);
  }
  const bool header = is_header(first, second);
  dialect.weight_column = weight_column(where, first, header, options);
  if (header) {
    dialect.body = text.substr(behind_first);
    dialect.lines_before = where.line;
  }
  return dialect;
}

DataLines::DataLines(const Input& input, const Dialect& dialect)
    : dialect_(dialect), lines_(input.name, dialect.body) {}

bool DataLines::next() {
  if (!lines_.next_content(comment_marks)) return false;
  if (lines_.line().find('\0') != std::string_view::npos) {
    fail_at(where(), "a zero byte, expected text; is the format of the file another one?");
  }
  split(where(), lines_.line(), dialect_.separator, fields_);
  check_count(where(), fields_.size(), dialect_.fields, dialect_.separator);
  return true;
}

Where DataLines::where() const {
  const Where place = lines_.where();
  return {place.file, place.line + dialect_.lines_before};
}

double DataLines::weight() const {
  if (!dialect_.weight_column) return 1;
  const std::string& text = fields_[*dialect_.weight_column];
  const auto number = to_number(text);
  if (!number) fail_at(where(), "weight {}, expected a finite number", shown(text));
  return *number;
}

void check_name(const Where& where, const std::string& name) {
  if (name.empty()) fail_at(where, "an empty node name, expected two names of nodes");
  if (!is_utf8(name)) fail_at(where, "name {} is not UTF-8, expected UTF-8", shown(name));
}

NodeId indexed_node(const Where& where, const std::string& name, const io::ReadOptions& options) {
  const auto id = to_integer(name);
  const Index first = options.index_base, last = first + *options.nodes - 1;
  if (!id || *id < first || *id > last) {
    fail_at(where,
            "node {}, expected an index from {} to {}; is the number of nodes or the first index "
            "another one?",
            shown(name), first, last);
  }
  return static_cast<NodeId>(*id - first);
}

}  // namespace srgw::detail
