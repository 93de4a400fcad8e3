// SPDX-License-Identifier: MIT
#include <map>
#include <pugixml.hpp>
#include <unordered_map>

#include "base/message.hpp"
#include "io/formats.hpp"
#include "io/formats/attributes.hpp"

namespace srgw::detail {

namespace {

struct Key {
  std::string name;
  bool is_text = false;
  std::optional<std::string> fallback = {};
};

class GraphmlReader {
 public:
  GraphmlReader(const Input& input, const ReadOptions& options)
      : input_(input), options_(options) {}

  NamedGraph read() {
    refuse_entities();
    const auto parsed =
        document_.load_buffer(input_.bytes.data(), input_.bytes.size(), pugi::parse_default);
    if (!parsed) {
      fail_at({input_.name, line_of(input_.bytes, parsed.offset)},
              "broken XML ({}), expected GraphML", parsed.description());
    }
    const pugi::xml_node root = document_.child("graphml");
    if (!root) fail_at({input_.name, 1}, "no element graphml, expected GraphML");
    for (const pugi::xml_node key : root.children("key")) read_key(key);
    const pugi::xml_node graph = root.child("graph");
    if (!graph) fail_at({input_.name}, "no element graph, expected one");
    if (graph.next_sibling("graph")) {
      fail(graph.next_sibling("graph"), "a second graph, expected one in a file");
    }
    read_graph(graph);
    return make_attributed(std::move(parts_), input_, options_);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(pugi::xml_node node, fmt::format_string<Args...> text,
                         Args&&... args) const {
    const auto offset = node.offset_debug();
    fail_at({input_.name, offset < 0 ? 0 : line_of(input_.bytes, offset)}, text,
            std::forward<Args>(args)...);
  }

  /// The parser would leave entities unexpanded, and names would be wrong without a word.
  void refuse_entities() const {
    const std::size_t at = input_.bytes.find("<!ENTITY");
    if (at != std::string_view::npos) {
      fail_at({input_.name, line_of(input_.bytes, at)},
              "an entity is declared, expected none: they are not expanded");
    }
  }

  void read_key(pugi::xml_node node) {
    const std::string name = node.attribute("attr.name").value();
    if (name.empty()) return;  // pictures of editors
    Key key{name, std::string_view(node.attribute("attr.type").value()) == "string"};
    if (const pugi::xml_node fallback = node.child("default")) key.fallback = fallback.text().get();
    const std::string_view domain = node.attribute("for").value();
    const std::string id = node.attribute("id").value();
    if (domain != "edge") node_keys_.emplace(id, key);
    if (domain != "node") edge_keys_.emplace(id, key);
  }

  void read_graph(pugi::xml_node graph) {
    const std::string_view direction = graph.attribute("edgedefault").value();
    if (direction != "directed" && direction != "undirected") {
      fail(graph, "edgedefault {}, expected directed or undirected", quote(direction));
    }
    parts_.directed = direction == "directed";
    StopCounter stop;
    for (const pugi::xml_node node : graph.children()) {
      stop.throw_if_stopped();
      const std::string_view kind = node.name();
      if (kind == "node") read_node(node);
      if (kind == "hyperedge") fail(node, "a hyperedge, expected edges of two nodes");
    }
    for (const pugi::xml_node edge : graph.children("edge")) {
      stop.throw_if_stopped();
      read_edge(edge);
    }
  }

  void read_node(pugi::xml_node node) {
    if (node.child("graph")) fail(node, "a graph inside a node, expected plain nodes");
    const pugi::xml_attribute id = node.attribute("id");
    if (!id) fail(node, "a node without id, expected one");
    std::string name = id.value();
    if (!is_utf8(name)) fail(node, "id {} is not UTF-8, expected UTF-8", quote(name));
    const auto number = static_cast<NodeId>(parts_.names.size());
    if (!index_.emplace(name, number).second) {
      fail(node, "node {} is there twice, expected once", quote(name));
    }
    parts_.names.push_back(std::move(name));
    read_data(node, node_keys_, parts_.nodes);
  }

  void read_edge(pugi::xml_node edge) {
    const NodeId source = end(edge, "source"), target = end(edge, "target");
    if (const pugi::xml_attribute directed = edge.attribute("directed")) {
      if (directed.as_bool() != parts_.directed) {
        fail(edge, "directed and undirected edges in one graph, expected one kind");
      }
    }
    parts_.ends.push_back({source, target});
    parts_.lines.push_back(line(edge));
    read_data(edge, edge_keys_, parts_.edges);
  }

  /// Lines of edges rise through the file, so counting goes on where it stopped.
  std::size_t line(pugi::xml_node node) {
    const std::size_t offset = std::max<std::ptrdiff_t>(0, node.offset_debug());
    if (offset < counted_to_) return line_of(input_.bytes, offset);
    lines_so_far_ += line_of(input_.bytes.substr(counted_to_), offset - counted_to_) - 1;
    counted_to_ = offset;
    return lines_so_far_ + 1;
  }

  NodeId end(pugi::xml_node edge, const char* which) const {
    const pugi::xml_attribute id = edge.attribute(which);
    if (!id) fail(edge, "an edge without {}, expected one", which);
    const auto found = index_.find(id.value());
    if (found == index_.end()) {
      fail(edge, "{} {} is no node, expected a node of the file", which, quote(id.value()));
    }
    return found->second;
  }

  void read_data(pugi::xml_node owner, const std::map<std::string, Key>& keys,
                 AttributeTable& table) const {
    for (const auto& [id, key] : keys) {
      if (key.fallback) table.set(key.name, *key.fallback, key.is_text);
    }
    for (const pugi::xml_node data : owner.children("data")) {
      const auto key = keys.find(data.attribute("key").value());
      if (key == keys.end()) continue;
      const std::string value = data.text().get();
      if (!is_utf8(value)) fail(data, "{} is not UTF-8, expected UTF-8", quote(value));
      table.set(key->second.name, value, key->second.is_text);
    }
    table.end_row();
  }

  const Input& input_;
  const ReadOptions& options_;
  pugi::xml_document document_;
  std::map<std::string, Key> node_keys_, edge_keys_;
  std::unordered_map<std::string, NodeId> index_;
  std::size_t counted_to_ = 0, lines_so_far_ = 0;
  AttributedGraph parts_;
};

/// Text between tags or in quotes. Control characters cannot be in XML at all.
std::string escape(std::string_view text, const Output& out) {
  std::string result;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') {
      fail_argument("{}: {} has a control character, which XML cannot hold", out.name(),
                    quote(text));
    }
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\t':
      case '\n':
      case '\r': result += fmt::format("&#{};", static_cast<int>(c)); break;
      default: result += c;
    }
  }
  return result;
}

std::string_view type_of(const Attribute& attribute) {
  constexpr std::string_view names[] = {"long", "double", "string"};
  return names[attribute.values.index()];
}

void write_data(const std::vector<Attribute>& attributes, std::string_view prefix, std::size_t item,
                Output& out) {
  for (std::size_t k = 0; k < attributes.size(); ++k) {
    if (const auto value = value_text(attributes[k], item)) {
      out.print("<data key=\"{}{}\">{}</data>", prefix, k, escape(*value, out));
    }
  }
}

void write_keys(const std::vector<Attribute>& attributes, std::string_view domain,
                std::string_view prefix, Output& out) {
  for (std::size_t k = 0; k < attributes.size(); ++k) {
    out.print("  <key id=\"{}{}\" for=\"{}\" attr.name=\"{}\" attr.type=\"{}\"/>\n", prefix, k,
              domain, escape(attributes[k].name, out), type_of(attributes[k]));
  }
}

}  // namespace

NamedGraph read_graphml(const Input& input, const ReadOptions& options) {
  refuse_index_base(input, options);
  return GraphmlReader(input, options).read();
}

void write_graphml(const NamedGraph& named, Output& out) {
  const Graph& graph = named.graph;
  out.write(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  write_keys(named.node_attributes, "node", "n", out);
  if (graph.weighted()) {
    out.write("  <key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n");
  }
  write_keys(named.edge_attributes, "edge", "e", out);
  out.print("  <graph edgedefault=\"{}\">\n", graph.directed() ? "directed" : "undirected");
  for (Index i = 0; i < graph.nodes(); ++i) {
    out.print("    <node id=\"{}\">", escape(named.names[i], out));
    write_data(named.node_attributes, "n", i, out);
    out.write("</node>\n");
  }
  for_each_written_edge(named, [&](Index source, Index target, double weight, std::size_t entry) {
    out.print("    <edge source=\"{}\" target=\"{}\">", escape(named.names[source], out),
              escape(named.names[target], out));
    if (graph.weighted()) out.print("<data key=\"w\">{}</data>", weight);
    write_data(named.edge_attributes, "e", entry, out);
    out.write("</edge>\n");
  });
  out.write("  </graph>\n</graphml>\n");
}

}  // namespace srgw::detail
