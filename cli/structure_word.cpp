// SPDX-License-Identifier: MIT
#include "cli/structure_word.hpp"

#include <array>

#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "srgw/transform.hpp"

namespace srgw::cli {

namespace {

using Number = StructureRow::Number;
using Parameter = std::optional<double>;

/// A transform that has no parameters, as the table wants it.
template <Source (*transform)(const Graph&)>
Source plain(const Graph& graph, Parameter, int) {
  return transform(graph);
}

bool formed(const Graph& graph) { return graph.nodes() <= largest_formed_kernel; }

Source heat(const Graph& graph, Parameter t, int threads) {
  return formed(graph) ? heat_kernel(graph, *t, threads)
                       : implicit_heat_kernel(graph, *t, 1e-10, threads);
}

Source stable(const Graph& graph, Parameter t, int threads) {
  return formed(graph) ? stability(graph, *t, threads) : implicit_stability(graph, *t);
}

Source distances(const Graph& graph, Parameter unreachable, int threads) {
  return shortest_path(graph, unreachable, threads);
}

constexpr std::array<StructureRow, 8> rows{{
    {"adjacency", Number::none, false, true, Storage::shared, plain<adjacency>},
    {"modularity", Number::none, true, false, Storage::shared, plain<modularity>},
    {"stability", Number::needed, true, false, Storage::kernel, stable},
    {"heat", Number::needed, false, true, Storage::kernel, heat},
    {"normalized-adjacency", Number::none, false, false, Storage::shared,
     plain<normalized_adjacency>},
    {"laplacian", Number::none, false, false, Storage::copied, plain<laplacian>},
    {"normalized-laplacian", Number::none, false, false, Storage::copied,
     plain<normalized_laplacian>},
    {"shortest-path", Number::allowed, false, true, Storage::dense, distances},
}};

std::string known_words() {
  std::string words;
  for (const StructureRow& row : rows) {
    words += (words.empty() ? "" : ", ") + std::string(row.name);
    if (row.number == Number::needed) words += ":t";
    if (row.number == Number::allowed) words += "[:distance]";
  }
  return words;
}

}  // namespace

std::string StructureWord::text() const {
  return number ? fmt::format("{}:{}", row->name, *number) : std::string(row->name);
}

StructureWord structure_from_text(const std::string& text) {
  const auto [word, number] = split_word(text, "structure");
  for (const StructureRow& row : rows) {
    if (row.name != word) continue;
    if (row.number == Number::needed && !number) {
      fail_usage("structure '{}', expected its time as in {}:5", text, word);
    }
    if (row.number == Number::none && number) {
      fail_usage("structure '{}', expected {} without a number", text, word);
    }
    if (number && *number < 0) fail_usage("structure '{}', expected no negative number", text);
    return {&row, number};
  }
  fail_usage("structure '{}', expected one of: {}", text, known_words());
}

WeightsWord weights_from_text(const std::string& text, const StructureWord& structure) {
  WeightsWord result{.text = text};
  if (text.empty()) return result;
  if (structure.row->fixes_weights && text != "degree") {
    fail_usage("weights '{}' with {}, which fixes its own: degree", text, structure.row->name);
  }
  if (text.starts_with("power")) {
    result.power = split_word(text, "weights").number;
    if (!result.power) fail_usage("weights '{}', expected an exponent as in power:0.5", text);
  } else if (text != "uniform" && text != "degree") {
    if (text.find_first_of("./") == std::string::npos) {
      fail_usage("weights '{}', expected uniform, degree, power:b or a file (.npy or .csv)", text);
    }
    result.is_file = true;
  }
  return result;
}

Vector read_weights(const WeightsWord& word, const NodeNames& names) {
  if (!word.is_file) return {};
  const Matrix column = io::read_features(word.text, names);
  if (column.cols() != 1) {
    fail_input("{}: {} columns of weights, expected one", word.text, column.cols());
  }
  return column.col(0);
}

Vector scaled_to_one(const Vector& weights, const std::string& file) {
  const double sum = weights.sum();
  if (!(weights.minCoeff() >= 0) || !(sum > 0)) {
    fail_input("{}: weights must not be negative, nor all zero", file);
  }
  return weights / sum;
}

Source make_source(const Graph& graph, const StructureWord& structure, const WeightsWord& word,
                   const Vector& given, int threads) {
  if (graph.directed() && !structure.row->takes_directed) {
    fail_input("{} of a directed graph, expected an undirected one; --symmetrize makes it so",
               structure.row->name);
  }
  Source source = structure.row->make(graph, structure.number, threads);
  if (structure.row->fixes_weights || word.text.empty()) return source;
  if (word.is_file) {
    source.weights = scaled_to_one(given, word.text);
  } else if (word.power) {
    source.weights = power_weights(graph, *word.power);
  } else {
    source.weights = word.text == "degree" ? degree_weights(graph) : uniform_weights(graph.nodes());
  }
  return source;
}

}  // namespace srgw::cli
