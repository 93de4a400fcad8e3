// SPDX-License-Identifier: MIT
#include "cli/graph_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "srgw/graph.hpp"

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Counts {
  std::vector<Index> ends;  // edges at each node, a self-loop once
  Index self_loops = 0;
  Index negative = 0;  // weights
};

Counts count(const Graph& graph) {
  const Csr& adjacency = graph.adjacency();
  Counts counts;
  counts.ends.resize(graph.nodes(), 0);
  std::visit(
      [&](const auto& offsets) {
        for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
          for (std::size_t entry = offsets[row]; entry < offsets[row + 1]; ++entry) {
            const NodeId column = adjacency.columns[entry];
            ++counts.ends[row];
            if (graph.directed() && column != row) ++counts.ends[column];
            if (column == row) ++counts.self_loops;
          }
        }
      },
      adjacency.offsets);
  counts.negative = std::count_if(adjacency.values.begin(), adjacency.values.end(),
                                  [](double weight) { return weight < 0; });
  return counts;
}

std::string value_text(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The names of a thousand classes are more than a line.
std::string shortened(std::string text) {
  constexpr std::size_t longest = 200;
  if (text.size() > longest) text.replace(longest, std::string::npos, "...");
  return text;
}

}  // namespace

Json facts(const io::NamedGraph& read) {
  const Graph& graph = read.graph;
  const Counts counts = count(graph);
  const Components components = connected_components(graph);
  const auto [least, most] = std::minmax_element(counts.ends.begin(), counts.ends.end());
  Json json{
      {"nodes", graph.nodes()},
      {"edges", graph.edges()},
      {"directed", graph.directed()},
      {"weighted", graph.weighted()},
      {"components", components.sizes.size()},
      {"isolated", std::count(counts.ends.begin(), counts.ends.end(), 0)},
      {"self_loops", counts.self_loops},
      {"negative_weights", counts.negative},
      {"entries", graph.adjacency().entries()},
      {"symmetrized", read.symmetrized},
      {"named", !read.names.are_numbers()},
  };
  if (graph.nodes() > 0) {
    json["largest_component"] = *std::max_element(components.sizes.begin(), components.sizes.end());
    json["smallest_degree"] = *least;
    json["largest_degree"] = *most;
    json["mean_degree"] = graph.degrees().sum() / static_cast<double>(graph.nodes());
  }
  for (const auto& [key, attributes] : {std::pair{"node_attributes", &read.node_attributes},
                                        std::pair{"edge_attributes", &read.edge_attributes}}) {
    json[key] = Json::array();
    for (const io::Attribute& attribute : *attributes) json[key].push_back(attribute.name);
  }
  return json;
}

Json facts(const Dataset& dataset) {
  Index nodes = 0, edges = 0, largest = 0, isolated = 0, components = 0;
  bool directed = false, weighted = false;
  for (const Graph& graph : dataset.graphs) {
    nodes += graph.nodes();
    edges += graph.edges();
    largest = std::max(largest, graph.nodes());
    directed = directed || graph.directed();
    weighted = weighted || graph.weighted();
    const Counts counts = count(graph);
    isolated += std::count(counts.ends.begin(), counts.ends.end(), 0);
    components += std::ssize(connected_components(graph).sizes);
  }
  const std::set<std::int64_t> classes(dataset.labels.begin(), dataset.labels.end());
  return {
      {"graphs", dataset.graphs.size()},
      {"nodes", nodes},
      {"edges", edges},
      {"directed", directed},
      {"weighted", weighted},
      {"components", components},
      {"isolated", isolated},
      {"largest_graph", largest},
      {"classes", classes.size()},
      {"class_names", dataset.classes},
      {"left_out", dataset.left_out},
      {"node_labels", !dataset.node_labels.empty()},
      {"edge_labels", !dataset.edge_labels.empty()},
      {"features", dataset.node_features.empty() ? 0 : dataset.node_features.front().cols()},
  };
}

Json facts(const io::Archive& archive) {
  Json json{{"kind", archive.kind()}, {"version", archive.version()}};
  const Json header = Json::parse(archive.header());
  for (const auto& [key, value] : header.items()) json[key] = value;
  Json& arrays = json["arrays"] = Json::object();
  for (const auto& [name, array] : archive.arrays()) arrays[name] = array.shape;
  return json;
}

void print_facts(const Json& facts) {
  for (const auto& [key, value] : facts.items()) {
    if (value.is_array() && value.empty()) continue;
    if (value.is_object()) {
      fmt::print("{}\n", key);
      for (const auto& [name, part] : value.items()) {
        fmt::print("  {:<16} {}\n", name, shortened(value_text(part)));
      }
      continue;
    }
    std::string label = key;
    std::replace(label.begin(), label.end(), '_', ' ');
    fmt::print("{:<18} {}\n", label, shortened(value_text(value)));
  }
}

}  // namespace srgw::cli
