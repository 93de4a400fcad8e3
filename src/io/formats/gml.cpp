// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

#include "base/message.hpp"
#include "io/formats.hpp"
#include "io/formats/attributes.hpp"

namespace srgw::detail {

namespace {

/// Words, numbers, strings and brackets of a GML file, with their lines.
class GmlTokens {
 public:
  enum class Kind { word, number, string, open, close, end };
  struct Token {
    Kind kind = Kind::end;
    std::string text;
    std::size_t line = 1;
  };

  explicit GmlTokens(const Input& input) : file_(input.name), text_(as_text(input)) {}

  Token next() {
    stop_.throw_if_stopped();
    skip();
    if (at_ == text_.size()) return {Kind::end, "the end of the file", line_};
    const char c = text_[at_];
    if (c == '[' || c == ']') {
      ++at_;
      return {c == '[' ? Kind::open : Kind::close, std::string(1, c), line_};
    }
    if (c == '"') return string();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_plain(text_[at_])) ++at_;
    if (at_ == begin) fail_at({file_, line_}, "{}, expected a key or a value", quote({&c, 1}));
    const std::string text(text_.substr(begin, at_ - begin));
    const bool word = std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_';
    if (!word && !to_number(text)) {
      fail_at({file_, line_}, "{}, expected a finite number", quote(text));
    }
    return {word ? Kind::word : Kind::number, text, line_};
  }

 private:
  static bool is_plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '+' || c == '-' ||
           c == '.';
  }

  void skip() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  Token string() {
    const std::size_t first_line = line_, end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) {
      fail_at({file_, line_}, "a double quote is left open, expected its partner");
    }
    const std::string_view raw = text_.substr(at_ + 1, end - at_ - 1);
    line_ += std::count(raw.begin(), raw.end(), '\n');
    at_ = end + 1;
    std::string text = decode(raw);
    if (!is_utf8(text)) {
      fail_at({file_, first_line}, "{} is not UTF-8, expected UTF-8", quote(text));
    }
    return {Kind::string, std::move(text), first_line};
  }

  /// Replaces &quot;, &amp; and &#number;, by which GML writes what ASCII lacks.
  static std::string decode(std::string_view raw) {
    std::string text;
    for (std::size_t i = 0; i < raw.size();) {
      const std::size_t end = raw[i] == '&' ? raw.find(';', i) : std::string_view::npos;
      const std::string character =
          end == std::string_view::npos ? "" : character_of(raw.substr(i + 1, end - i - 1));
      if (character.empty()) {
        text += raw[i++];
      } else {
        text += character;
        i = end + 1;
      }
    }
    return text;
  }

  static std::string character_of(std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> known[] = {
        {"quot", "\""}, {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"apos", "'"}};
    for (const auto& [entity, character] : known) {
      if (name == entity) return std::string(character);
    }
    if (!name.starts_with('#')) return {};
    const auto code = to_integer(name.substr(1));
    constexpr std::int64_t last = 0x10FFFF;
    if (!code || *code < 1 || *code > last) return {};
    return utf8(static_cast<std::uint32_t>(*code));
  }

  static std::string utf8(std::uint32_t code) {
    const auto tail = [&](int shift) { return static_cast<char>(0x80U | (code >> shift & 0x3FU)); };
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xC0U | code >> 6), tail(0)};
    if (code < 0x10000) return {static_cast<char>(0xE0U | code >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xF0U | code >> 18), tail(12), tail(6), tail(0)};
  }

  std::string_view file_, text_;
  std::size_t at_ = 0, line_ = 1;
  StopCounter stop_;
};

class GmlReader {
 public:
  GmlReader(const Input& input, const ReadOptions& options)
      : input_(input), options_(options), tokens_(input) {}

  NamedGraph read() {
    bool found = false;
    for (Token key = tokens_.next(); key.kind != Kind::end; key = tokens_.next()) {
      expect_key(key);
      const Token value = tokens_.next();
      if (key.text == "graph") {
        if (found) fail(key, "a second graph, expected one in a file");
        if (value.kind != Kind::open) fail(value, "{} after graph, expected [", quote(value.text));
        found = true;
        read_graph();
      } else {
        skip_value(value);
      }
    }
    if (!found) fail_at({input_.name}, "no graph, expected 'graph [ ... ]'");
    finish();
    return make_attributed(std::move(parts_), input_, options_);
  }

 private:
  using Kind = GmlTokens::Kind;
  using Token = GmlTokens::Token;

  struct Item {  // a node or an edge
    std::size_t line = 0;
    struct Value {
      std::string key, text;
      bool is_text = false;
    };
    std::vector<Value> values;

    [[nodiscard]] const std::string* find(std::string_view key) const {
      for (const Value& value : values) {
        if (value.key == key) return &value.text;
      }
      return nullptr;
    }
  };

  template <class... Args>
  [[noreturn]] void fail(const Token& token, fmt::format_string<Args...> text,
                         Args&&... args) const {
    fail_at({input_.name, token.line}, text, std::forward<Args>(args)...);
  }

  void expect_key(const Token& token) const {
    if (token.kind != Kind::word) fail(token, "{}, expected a key", quote(token.text));
  }

  /// Steps over a value, whatever is nested in it, without recursion.
  void skip_value(const Token& value) {
    if (value.kind == Kind::close || value.kind == Kind::end) {
      fail(value, "{}, expected a value", quote(value.text));
    }
    std::size_t depth = value.kind == Kind::open ? 1 : 0;
    constexpr std::size_t deepest = 100;
    while (depth > 0) {
      const Token token = tokens_.next();
      if (token.kind == Kind::end) fail(value, "a bracket is left open, expected its partner");
      if (token.kind == Kind::open && ++depth > deepest) {
        fail(token, "more than {} open brackets, expected fewer", deepest);
      }
      if (token.kind == Kind::close) --depth;
    }
  }

  void read_graph() {
    for (;;) {
      const Token key = tokens_.next();
      if (key.kind == Kind::close) return;
      if (key.kind == Kind::end) fail(key, "the file ends inside the graph, expected ]");
      expect_key(key);
      const Token value = tokens_.next();
      if (key.text == "directed") {
        if (value.text != "0" && value.text != "1") {
          fail(value, "directed {}, expected 0 or 1", quote(value.text));
        }
        parts_.directed = value.text == "1";
      } else if ((key.text == "node" || key.text == "edge") && value.kind == Kind::open) {
        (key.text == "node" ? nodes_ : edges_).push_back(read_item(key.line));
      } else {
        skip_value(value);
      }
    }
  }

  Item read_item(std::size_t line) {
    Item item{line, {}};
    for (;;) {
      const Token key = tokens_.next();
      if (key.kind == Kind::close) return item;
      if (key.kind == Kind::end) fail(key, "the file ends inside the graph, expected ]");
      expect_key(key);
      Token value = tokens_.next();
      if (value.kind == Kind::number || value.kind == Kind::string || value.kind == Kind::word) {
        item.values.push_back({key.text, std::move(value.text), value.kind != Kind::number});
      } else {
        skip_value(value);  // pictures
      }
    }
  }

  const std::string& required(const Item& item, std::string_view key, std::string_view what) const {
    const std::string* value = item.find(key);
    if (value == nullptr)
      fail_at({input_.name, item.line}, "{} without {}, expected one", what, key);
    return *value;
  }

  /// Labels are the names when each node has one of its own.
  [[nodiscard]] bool labels_are_names() const {
    std::unordered_set<std::string_view> seen;
    return std::all_of(nodes_.begin(), nodes_.end(), [&](const Item& node) {
      const std::string* label = node.find("label");
      return label != nullptr && !label->empty() && seen.insert(*label).second;
    });
  }

  void finish() {
    const bool by_label = labels_are_names();
    std::unordered_map<std::string, NodeId> index;
    StopCounter stop;
    for (const Item& node : nodes_) {
      stop.throw_if_stopped();
      const std::string& id = required(node, "id", "a node");
      if (!index.emplace(id, static_cast<NodeId>(index.size())).second) {
        fail_at({input_.name, node.line}, "node {} is there twice, expected once", quote(id));
      }
      parts_.names.push_back(by_label ? *node.find("label") : id);
      for (const auto& [key, text, is_text] : node.values) {
        if (key != "id" && (key != "label" || !by_label)) parts_.nodes.set(key, text, is_text);
      }
      parts_.nodes.end_row();
    }
    for (const Item& edge : edges_) {
      stop.throw_if_stopped();
      const auto end = [&](std::string_view which) {
        const std::string& id = required(edge, which, "an edge");
        const auto found = index.find(id);
        if (found == index.end()) {
          fail_at({input_.name, edge.line}, "{} {} is no node, expected a node of the file", which,
                  quote(id));
        }
        return found->second;
      };
      parts_.ends.push_back({end("source"), end("target")});
      parts_.lines.push_back(edge.line);
      for (const auto& [key, text, is_text] : edge.values) {
        if (key != "source" && key != "target") parts_.edges.set(key, text, is_text);
      }
      parts_.edges.end_row();
    }
  }

  const Input& input_;
  const ReadOptions& options_;
  GmlTokens tokens_;
  std::vector<Item> nodes_, edges_;
  AttributedGraph parts_;
};

/// Text in quotes: GML is ASCII, other characters are written as numbers.
std::string gml_string(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"') {
      result += "&quot;";
    } else if (byte == '&') {
      result += "&amp;";
    } else if (byte < 0x20) {
      result += fmt::format("&#{};", byte);
    } else if (byte < 0x80) {
      result += text[i];
    } else {
      const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
      std::uint32_t code = byte & (0xFFU >> (length + 1));
      for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
        code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
      }
      result += fmt::format("&#{};", code);
      i += length - 1;
    }
    ++i;
  }
  return result + '"';
}

void check_keys(const std::vector<Attribute>& attributes,
                std::initializer_list<std::string_view> taken, const Output& out) {
  for (const Attribute& attribute : attributes) {
    const std::string& name = attribute.name;
    const bool word = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
                      std::all_of(name.begin(), name.end(),
                                  [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!word || std::find(taken.begin(), taken.end(), name) != taken.end()) {
      fail_argument(
          "{}: attribute {}, expected a word of letters and digits that GML does not use "
          "itself",
          out.name(), quote(name));
    }
  }
}

void write_values(const std::vector<Attribute>& attributes, std::size_t item, Output& out) {
  for (const Attribute& attribute : attributes) {
    const auto text = value_text(attribute, item);
    if (!text) continue;
    const bool quoted = std::holds_alternative<std::vector<std::string>>(attribute.values);
    out.print(" {} {}", attribute.name, quoted ? gml_string(*text) : *text);
  }
}

}  // namespace

NamedGraph read_gml(const Input& input, const ReadOptions& options) {
  refuse_index_base(input, options);
  return GmlReader(input, options).read();
}

void write_gml(const NamedGraph& named, Output& out) {
  check_keys(named.node_attributes, {"id", "label"}, out);
  check_keys(named.edge_attributes, {"source", "target", "weight"}, out);
  const Graph& graph = named.graph;
  out.print("graph [\n  directed {}\n", graph.directed() ? 1 : 0);
  for (Index i = 0; i < graph.nodes(); ++i) {
    out.print("  node [ id {} label {}", i, gml_string(named.names[i]));
    write_values(named.node_attributes, i, out);
    out.write(" ]\n");
  }
  for_each_written_edge(named, [&](Index source, Index target, double weight, std::size_t entry) {
    out.print("  edge [ source {} target {}", source, target);
    if (graph.weighted()) out.print(" weight {}", real_text(weight));
    write_values(named.edge_attributes, entry, out);
    out.write(" ]\n");
  });
  out.write("]\n");
}

}  // namespace srgw::detail
