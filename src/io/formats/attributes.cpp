// SPDX-License-Identifier: MIT
#include "io/formats/attributes.hpp"

#include <algorithm>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "graph/csr_rows.hpp"
#include "io/formats.hpp"

namespace srgw::detail {

namespace {

using Values = decltype(Attribute::values);

/// Typed as narrowly as all of the values allow.
Values infer_type(std::vector<std::string> texts) {
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    const auto integer = to_integer(text);
    if (integer && integers.size() == numbers.size()) integers.push_back(*integer);
    const auto number = to_number(text);
    if (!number) return texts;
    numbers.push_back(*number);
  }
  if (integers.size() == texts.size()) return integers;
  return numbers;
}

/// For each entry of the adjacency the edge of the file that it stands for, the first of several.
std::vector<std::size_t> edges_of_entries(const Graph& graph,
                                          const std::vector<EdgeChunk::Ends>& ends) {
  struct Arc {
    EdgeChunk::Ends place;
    std::size_t edge = 0;
  };
  std::vector<Arc> arcs;
  arcs.reserve(2 * ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) arcs.push_back({ends[i], i});
  if (!graph.directed()) {
    for (std::size_t i = 0; i < ends.size(); ++i) arcs.push_back({{ends[i][1], ends[i][0]}, i});
  }
  std::stable_sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return a.place != b.place ? a.place < b.place : a.edge < b.edge;
  });
  std::vector<std::size_t> result;
  result.reserve(graph.adjacency().entries());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (i == 0 || arcs[i].place != arcs[i - 1].place) result.push_back(arcs[i].edge);
  }
  return result;
}

/// The weights of the edges in file order; empty: all are 1.
std::vector<double> take_weights(AttributedGraph& parts, const Input& input,
                                 const ReadOptions& options) {
  const std::string name = options.weight_attribute.value_or("weight");
  const auto* column = parts.edges.find(name);
  if (column == nullptr) {
    if (!options.weight_attribute) return {};
    fail_at({input.name}, "no edge has an attribute {}, expected the weights there", quote(name));
  }
  std::vector<double> weights;
  for (std::size_t i = 0; i < parts.ends.size(); ++i) {
    const Where where{input.name, parts.lines[i]};
    const bool given = i < column->size() && (*column)[i].has_value();
    if (!given) {
      fail_at(where, "an edge without {}, expected a weight for each edge or for none",
              quote(name));
    }
    const auto weight = to_number(*(*column)[i]);
    if (!weight) fail_at(where, "weight {}, expected a finite number", quote(*(*column)[i]));
    weights.push_back(*weight);
  }
  parts.edges.erase(name);
  return weights;
}

/// Nodes that the caller knows of, behind those of the file.
void add_known_nodes(AttributedGraph& parts, const ReadOptions& options, const Input& input) {
  if (options.known_nodes) {
    const NodeNames names(parts.names);
    const NameIndex index(names);
    for (Index i = 0; i < options.known_nodes->size(); ++i) {
      const std::string name = (*options.known_nodes)[i];
      if (!index.find(name)) parts.names.push_back(name);
    }
  }
  if (!options.nodes) return;
  if (std::ssize(parts.names) > *options.nodes) {
    fail_at({input.name}, "{} nodes, expected at most the {} that were asked for",
            parts.names.size(), *options.nodes);
  }
  if (std::ssize(parts.names) < *options.nodes && !NodeNames(parts.names).are_indices()) {
    fail_at({input.name}, "{} nodes with names, expected all of the {} that were asked for",
            parts.names.size(), *options.nodes);
  }
  while (std::ssize(parts.names) < *options.nodes) {
    parts.names.push_back(std::to_string(parts.names.size()));
  }
}

}  // namespace

void AttributeTable::set(const std::string& name, std::string value, bool is_text) {
  const auto [found, is_new] = index_.emplace(name, columns_.size());
  if (is_new) columns_.push_back({name, false, {}});
  columns_[found->second].is_text |= is_text;
  auto& values = columns_[found->second].values;
  values.resize(rows_ + 1);
  values[rows_] = std::move(value);
}

std::vector<Attribute> AttributeTable::columns(const std::vector<std::size_t>* order) const {
  std::vector<Attribute> result;
  for (const Column& column : columns_) {
    std::vector<std::string> texts;
    const std::size_t count = order != nullptr ? order->size() : rows_;
    texts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = order != nullptr ? (*order)[i] : i;
      const bool given = row < column.values.size() && column.values[row].has_value();
      texts.push_back(given ? *column.values[row] : std::string());
    }
    if (column.is_text) {
      result.push_back({column.name, std::move(texts)});
    } else {
      result.push_back({column.name, infer_type(std::move(texts))});
    }
  }
  return result;
}

const std::vector<std::optional<std::string>>* AttributeTable::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &columns_[found->second].values;
}

void AttributeTable::erase(const std::string& name) {
  std::erase_if(columns_, [&](const Column& column) { return column.name == name; });
  index_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) index_.emplace(columns_[i].name, i);
}

NamedGraph make_attributed(AttributedGraph parts, const Input& input, const ReadOptions& options) {
  if (options.directed && !parts.directed) {
    fail_at({input.name}, "the file says that the graph is undirected, expected a directed one");
  }
  const std::vector<double> weights = take_weights(parts, input, options);
  add_known_nodes(parts, options, input);
  if (parts.names.empty()) fail_at({input.name}, "no nodes, expected at least one");
  while (parts.nodes.rows() < parts.names.size()) parts.nodes.end_row();
  EdgeList list{.nodes = std::ssize(parts.names), .directed = parts.directed};
  EdgeChunk& chunk = list.chunks.emplace_back();
  for (std::size_t i = 0; i < parts.ends.size(); ++i) {
    chunk.add(parts.ends[i][0], parts.ends[i][1], weights.empty() ? 1.0 : weights[i]);
  }
  const auto refuse = [&](const DuplicateEdge& edge) {
    fail_duplicate({input.name, parts.lines[edge.second_edge]}, parts.lines[edge.first_edge], edge,
                   parts.names[edge.source], parts.names[edge.target]);
  };
  NamedGraph result{
      .graph = make_graph(std::move(list), options.duplicates, options.threads, refuse),
      .names = {}};
  result = symmetrize_if_asked(std::move(result), options);
  result.names = NodeNames(std::move(parts.names));
  result.node_attributes = parts.nodes.columns(nullptr);
  const auto order = edges_of_entries(result.graph, parts.ends);
  result.edge_attributes = parts.edges.columns(&order);
  return result;
}

std::optional<std::string> value_text(const Attribute& attribute, std::size_t item) {
  if (const auto* integers = std::get_if<0>(&attribute.values)) {
    return std::to_string((*integers)[item]);
  }
  if (const auto* numbers = std::get_if<1>(&attribute.values)) return real_text((*numbers)[item]);
  const std::string& text = std::get<2>(attribute.values)[item];
  return text.empty() ? std::nullopt : std::optional(text);
}

void for_each_written_edge(const NamedGraph& named,
                           const std::function<void(Index, Index, double, std::size_t)>& write) {
  std::size_t entry = 0;
  StopCounter stop(1 << 16);
  for_each_entry(named.graph.adjacency(), [&](Index row, Index column, double weight) {
    stop.throw_if_stopped();
    if (named.graph.directed() || row <= column) write(row, column, weight, entry);
    ++entry;
  });
}

}  // namespace srgw::detail
