// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>
#include <cmath>

#include "base/message.hpp"
#include "srgw/transform.hpp"

namespace srgw {

namespace {

using Kind = StructureKind;
using Number = StructureName::Number;

constexpr std::array<StructureName, 8> structures{{
    {Kind::adjacency, "adjacency", Number::none, false, true},
    {Kind::modularity, "modularity", Number::none, true, false},
    {Kind::stability, "stability", Number::needed, true, false},
    {Kind::heat, "heat", Number::needed, false, true},
    {Kind::normalized_adjacency, "normalized-adjacency", Number::none, false, false},
    {Kind::laplacian, "laplacian", Number::none, false, false},
    {Kind::normalized_laplacian, "normalized-laplacian", Number::none, false, false},
    {Kind::shortest_path, "shortest-path", Number::allowed, false, true},
}};

std::string known_names() {
  std::string text;
  for (const StructureName& row : structures) {
    text += (text.empty() ? "" : ", ") + std::string(row.name);
    if (row.number == Number::needed) text += ":t";
    if (row.number == Number::allowed) text += "[:distance]";
  }
  return text;
}

}  // namespace

NameAndNumber split_number(std::string_view text, std::string_view option) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {std::string(text)};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) {
    detail::fail_argument("{} '{}', expected a number after the colon", option, text);
  }
  return {std::string(text.substr(0, colon)), number};
}

std::span<const StructureName> structure_names() { return structures; }

std::string NamedStructure::text() const {
  return number ? fmt::format("{}:{}", row->name, *number) : std::string(row->name);
}

NamedStructure parse_structure(std::string_view text) {
  const auto [name, number] = split_number(text, "structure");
  for (const StructureName& row : structures) {
    if (row.name != name) continue;
    if (row.number == Number::needed && !number) {
      detail::fail_argument("structure '{}', expected its time as in {}:5", text, name);
    }
    if (row.number == Number::none && number) {
      detail::fail_argument("structure '{}', expected {} without a number", text, name);
    }
    if (number && *number < 0) {
      detail::fail_argument("structure '{}', expected no negative number", text);
    }
    return {&row, number};
  }
  detail::fail_argument("structure '{}', expected one of: {}", text, known_names());
}

Source make_source(const Graph& graph, const NamedStructure& structure, int threads) {
  const auto& [row, number] = structure;
  if (graph.directed() && !row->takes_directed) {
    detail::fail_argument(
        "{} of a directed graph, expected an undirected one; --symmetrize makes it so", row->name);
  }
  const bool formed = graph.nodes() <= largest_formed_kernel;
  switch (row->kind) {
    case Kind::adjacency: return adjacency(graph);
    case Kind::modularity: return modularity(graph);
    case Kind::stability:
      return formed ? stability(graph, *number, threads) : implicit_stability(graph, *number);
    case Kind::heat:
      return formed ? heat_kernel(graph, *number, threads)
                    : implicit_heat_kernel(graph, *number, 1e-10, threads);
    case Kind::normalized_adjacency: return normalized_adjacency(graph);
    case Kind::laplacian: return laplacian(graph);
    case Kind::normalized_laplacian: return normalized_laplacian(graph);
    case Kind::shortest_path: return shortest_path(graph, number, threads);
    case Kind::automatic:
    case Kind::other: break;
  }
  detail::fail_argument("structure {}, expected one with a name", static_cast<int>(row->kind));
}

}  // namespace srgw
