// SPDX-License-Identifier: MIT
#include "io/formats/dialect.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace srgw::detail {

namespace {

using Fields = std::vector<std::string>;

constexpr std::string_view comment_marks = "#%";

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// 1,5 and -0,25e3: a number whose fraction starts behind a comma.
bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  return comma != std::string_view::npos && comma > 0 && comma + 1 < text.size() &&
         is_digit(text[comma - 1]) && is_digit(text[comma + 1]) &&
         text.find('.') == std::string_view::npos;
}

/// A weight as it stands in a file; where semicolons separate, commas may be decimal.
std::optional<double> weight_of(std::string text, char separator) {
  if (separator == ';' && has_decimal_comma(text)) text[text.find(',')] = '.';
  return to_number(text);
}

/// Fields of a line. Names are never empty, so that tabs in a row are one, like blanks.
void split(const Where& where, std::string_view line, char separator, Fields& fields) {
  if (separator == ' ' && line.find('"') == std::string_view::npos) {
    fields.clear();
    Words words(line);
    for (auto word = words.next(); !word.empty(); word = words.next()) fields.emplace_back(word);
  } else if (!split_fields(line, separator, fields)) {
    fail_at(where, "a double quote is left open, expected its partner in the same line");
  } else if (separator == '\t' || separator == ' ') {
    std::erase(fields, std::string());
  }
}

char separator_of(const Where& where, std::string_view line) {
  std::string plain;  // without what is in quotes
  bool quoted = false;
  for (const char c : line) {
    quoted = quoted != (c == '"');
    if (!quoted) plain += c;
  }
  const auto has = [&](char c) { return plain.find(c) != std::string::npos; };
  if (has('\t')) return '\t';
  Fields fields;
  if (has(';')) {
    split(where, line, ';', fields);
    for (std::size_t i = 0; has(',') && i < fields.size(); ++i) {
      const bool name = i < 2 || !has_decimal_comma(fields[i]);
      if (!name || fields[i].find(',') == std::string::npos) continue;
      fail_at(where,
              "{} has commas and semicolons, expected one of them between the columns; put fields "
              "that hold the other into double quotes",
              quote(line));
    }
    return ';';
  }
  if (has(',')) {
    split(where, line, ' ', fields);
    if (fields.size() == 3 && has_decimal_comma(fields[2]) &&
        (fields[0] + fields[1]).find(',') == std::string::npos) {
      fail_at(where,
              "{} may be a weight with a decimal comma or names with blanks, expected columns "
              "that are separated by tabs or semicolons",
              quote(line));
    }
    return ',';
  }
  return ' ';
}

/// A column name without its spelling: From_Node, from-node and "from node" are one.
std::string plain_name(std::string_view text) {
  std::string name = lower(text);
  std::erase_if(name, [](char c) { return c == '_' || c == '-' || c == ' ' || c == '.'; });
  return name;
}

/// Where the two ends of an edge stand, by the names that they have in headers.
std::optional<std::pair<std::size_t, std::size_t>> find_ends(const Fields& header) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 15> known = {{
      {"source", "target"},
      {"from", "to"},
      {"src", "dst"},
      {"u", "v"},
      {"i", "j"},
      {"node1", "node2"},
      {"nodea", "nodeb"},
      {"id1", "id2"},
      {"fromnode", "tonode"},
      {"fromnodeid", "tonodeid"},
      {"fromid", "toid"},
      {"sourceid", "targetid"},
      {"sourcenode", "targetnode"},
      {"head", "tail"},
      {"tail", "head"},
  }};
  Fields names;
  for (const std::string& name : header) names.push_back(plain_name(name));
  for (const auto& [source, target] : known) {
    const auto first = std::find(names.begin(), names.end(), source);
    const auto second = std::find(names.begin(), names.end(), target);
    if (first == names.end() || second == names.end()) continue;
    // `tail, head` is an edge from its first column, as `head, tail` is.
    if (source == "head" && second < first) continue;
    return std::pair(first - names.begin(), second - names.begin());
  }
  return std::nullopt;
}

/// Columns that are neither ends nor weights: an index as pandas and R write it, and what Gephi
/// and others know about edges.
bool is_remark(std::string_view name) {
  constexpr std::array known{"",     "id",   "edgeid", "index",     "key",      "label",  "type",
                             "time", "date", "year",   "timestamp", "datetime", "timeset"};
  const std::string plain = plain_name(name);
  return std::find(known.begin(), known.end(), plain) != known.end();
}

/// Whether a text can name a column: no number, broken or not, and no missing value.
bool is_column_name(std::string_view text) {
  constexpr std::array missing{"nan", "inf", "infinity", "na", "n/a", "null", "none", "nil"};
  const std::string word = lower(text);
  if (std::find(missing.begin(), missing.end(), word) != missing.end()) return false;
  if (text.empty()) return false;
  const auto front = static_cast<unsigned char>(text.front());
  return std::isalpha(front) != 0 || front == '_' || front >= 0x80U;
}

/// A header has known names, or words where the next line has numbers. A first line of nodes with a
/// broken weight is none.
bool is_header(const Fields& first, const Fields& second, char separator) {
  if (find_ends(first)) return true;
  if (second.size() != first.size()) return false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!is_column_name(first[i]) && !(i == 0 && first[i].empty())) return false;
  }
  const auto numbers = [&](std::size_t i) { return weight_of(second[i], separator).has_value(); };
  if (numbers(0) && numbers(1)) return true;
  for (std::size_t i = 2; i < first.size(); ++i) {
    if (numbers(i)) return true;
  }
  return false;
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

std::string list_names(const Fields& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + quote(name);
  return text;
}

/// Tells which column is what.
class Columns {
 public:
  Columns(const Where& where, const Fields& names, bool header, Dialect& dialect)
      : where_(where), names_(names), header_(header), dialect_(dialect) {}

  void find(const std::optional<std::string>& weight_attribute) {
    if (header_) find_ends_by_name();
    dialect_.weight_column = weight_attribute ? named_weight(*weight_attribute) : usual_weight();
    for (std::size_t i = 0; header_ && i < names_.size(); ++i) {
      if (plain_name(names_[i]) == "type") dialect_.direction_column = i;
    }
  }

 private:
  void find_ends_by_name() {
    if (const auto ends = srgw::detail::find_ends(names_)) {
      dialect_.source_column = ends->first;
      dialect_.target_column = ends->second;
      return;
    }
    const std::size_t first = names_.front().empty() ? 1 : 0;
    dialect_.source_column = first;
    dialect_.target_column = first + 1;
    for (std::size_t i = first; i < first + 2; ++i) {
      if (i < names_.size() && !is_remark(names_[i]) && plain_name(names_[i]) != "weight") continue;
      fail_at(where_,
              "columns {}, expected two that are known as the ends of an edge; call them source "
              "and target",
              list_names(names_));
    }
  }

  [[nodiscard]] bool is_end(std::size_t column) const {
    return column == dialect_.source_column || column == dialect_.target_column;
  }

  [[nodiscard]] std::size_t named_weight(const std::string& name) const {
    for (const bool exactly : {true, false}) {
      for (std::size_t i = 0; header_ && i < names_.size(); ++i) {
        const bool same = exactly ? names_[i] == name : lower(names_[i]) == lower(name);
        if (same && !is_end(i)) return i;
      }
    }
    fail_at(where_, "no column {} besides the two nodes, expected a header that names it",
            quote(name));
  }

  [[nodiscard]] std::optional<std::size_t> usual_weight() const {
    std::optional<std::size_t> only;
    std::size_t others = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (is_end(i)) continue;
      const std::string name = header_ ? plain_name(names_[i]) : "";
      if (name == "weight" || name == "weights" || name == "edgeweight") return i;
      if (header_ && is_remark(name)) continue;
      only = i;
      ++others;
    }
    if (others <= 1) return only;
    fail_at(where_,
            "{} fields, expected two nodes and at most a weight; name the column of the weights in "
            "a header and as weight attribute",
            names_.size());
  }

  const Where& where_;
  const Fields& names_;
  bool header_;
  Dialect& dialect_;
};

/// Whether a value of Gephi's column Type says that edges are arcs; nothing for other words.
std::optional<bool> direction_of(std::string_view text) {
  const std::string word = lower(text);
  if (word == "directed") return true;
  return word == "undirected" ? std::optional(false) : std::nullopt;
}

}  // namespace

Dialect sniff_dialect(const Input& input, const io::ReadOptions& options) {
  Dialect dialect;
  const std::string_view text = as_text(input);
  dialect.body = text;
  LineReader lines(input);
  if (!lines.next_content(comment_marks)) return dialect;
  const Where where = lines.where();
  dialect.separator = separator_of(where, lines.line());
  Fields first, second;
  split(where, lines.line(), dialect.separator, first);
  if (first.size() < 2) {
    fail_at(where, "{}, expected two nodes separated by blanks, tabs or commas",
            quote(lines.line()));
  }
  const std::size_t behind_first = text.size() - lines.bytes_left();
  if (lines.next_content(comment_marks)) {
    split(lines.where(), lines.line(), dialect.separator, second);
  }
  // R and pandas leave out the name of a column that counts the rows.
  if (find_ends(first) && second.size() == first.size() + 1) first.insert(first.begin(), "");
  dialect.fields = first.size();
  const bool header = is_header(first, second, dialect.separator);
  Columns(where, first, header, dialect).find(options.weight_attribute);
  if (dialect.direction_column) {
    const std::size_t column = *dialect.direction_column;
    const auto directed = column < second.size() ? direction_of(second[column]) : std::nullopt;
    dialect.directed = directed.value_or(false);
    if (!directed) dialect.direction_column.reset();  // some other type
  }
  if (header) {
    dialect.body = text.substr(behind_first);
    dialect.lines_before = where.line;
  }
  return dialect;
}

void EdgeMarks::add(const Where& where, std::string_view line) {
  Words words(line.substr(mark_start.size()));
  const std::string_view word = words.next();
  Fields rest;
  const bool sound = split_fields(words.rest(), '\n', rest);
  const std::string& value = rest.front();
  const auto count = to_integer(value);
  if (word == "directed" && value.empty()) {
    directed = true;
  } else if (word == "nodes" && count && *count > 0) {
    nodes = std::max(nodes, static_cast<std::uint64_t>(*count));
  } else if (word == "node" && sound && !value.empty()) {
    check_name(where, value);
    names.push_back(value);
  } else {
    fail_at(where, "{}, expected '{}directed', '{}nodes COUNT' or '{}node NAME'", quote(line),
            mark_start, mark_start, mark_start);
  }
}

DataLines::DataLines(const Input& input, const Dialect& dialect)
    : dialect_(dialect), lines_(input.name, dialect.body) {}

bool DataLines::next() {
  std::string_view content;
  do {
    if (!lines_.next()) return false;
    content = trim(lines_.line());
    if (content.starts_with(mark_start)) marks_.add(where(), content);
  } while (content.empty() || comment_marks.find(content.front()) != std::string_view::npos);
  if (lines_.line().find('\0') != std::string_view::npos) {
    fail_at(where(), "a zero byte, expected text; is the format of the file another one?");
  }
  split(where(), lines_.line(), dialect_.separator, fields_);
  check_count(where(), fields_.size(), dialect_.fields, dialect_.separator);
  if (dialect_.direction_column) {
    const std::string& type = fields_[*dialect_.direction_column];
    if (direction_of(type) != dialect_.directed) {
      fail_at(where(), "type {} after {} edges, expected one type in a file", quote(type),
              dialect_.directed ? "directed" : "undirected");
    }
  }
  return true;
}

Where DataLines::where() const {
  const Where place = lines_.where();
  return {place.file, place.line + dialect_.lines_before};
}

double DataLines::weight() {
  if (!dialect_.weight_column) return 1;
  const std::string& text = fields_[*dialect_.weight_column];
  const auto number = weight_of(text, dialect_.separator);
  if (!number) {
    fail_at(where(), "weight {}, expected a finite number{}", quote(text),
            has_decimal_comma(text) ? "; write a decimal point, or semicolons between the columns"
                                    : "");
  }
  const std::size_t mark = text.find_first_of(".,");
  if (dialect_.separator == ';' && mark != std::string::npos) {
    // 1.500 is a number in both ways of writing, but not the same.
    if (decimal_ != 0 && decimal_ != text[mark]) {
      fail_at(where(), "weight {} has a decimal {} and others do not, expected one kind",
              quote(text), decimal_ == ',' ? "point" : "comma");
    }
    decimal_ = text[mark];
  }
  return *number;
}

void check_name(const Where& where, const std::string& name) {
  if (name.empty()) fail_at(where, "an empty node name, expected two names of nodes");
  if (!is_utf8(name)) fail_at(where, "name {} is not UTF-8, expected UTF-8", quote(name));
}

NodeId indexed_node(const Where& where, const std::string& name, const io::ReadOptions& options) {
  const auto id = to_integer(name);
  const Index first = options.index_base, last = first + *options.nodes - 1;
  if (!id || *id < first || *id > last) {
    fail_at(where,
            "node {}, expected an index from {} to {}; is the number of nodes or the first index "
            "another one?",
            quote(name), first, last);
  }
  return static_cast<NodeId>(*id - first);
}

}  // namespace srgw::detail
