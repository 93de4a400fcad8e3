// SPDX-License-Identifier: MIT
#include "cli/structure_word.hpp"

#include "cli/common.hpp"
#include "cli/exit_code.hpp"

namespace srgw::cli {

StructureWord structure_from_text(const std::string& text) {
  return as_usage("--", [&] { return parse_structure(text); });
}

Storage storage_of(const StructureWord& structure) {
  switch (structure.row->kind) {
    case StructureKind::stability:
    case StructureKind::heat: return Storage::kernel;
    case StructureKind::laplacian:
    case StructureKind::normalized_laplacian: return Storage::copied;
    case StructureKind::shortest_path: return Storage::dense;
    default: return Storage::shared;
  }
}

bool is_weights_file(const std::string& text) {
  return !text.starts_with("power") && text.find_first_of("./") != std::string::npos;
}

WeightsWord weights_from_text(const std::string& text, const StructureWord& structure) {
  WeightsWord result{.text = text == "auto" ? "" : text};
  if (result.text.empty()) return result;
  if (structure.row->fixes_weights && text != "degree") {
    fail_usage("--weights '{}' with {}, which requires degree", text, structure.row->name);
  }
  result.is_file = is_weights_file(text);
  if (result.is_file) return result;
  if (text.starts_with("power")) {
    result.power = as_usage("--", [&] { return split_number(text, "weights"); }).number;
    if (!result.power) fail_usage("--weights '{}', expected an exponent as in power:0.5", text);
  } else if (text != "uniform" && text != "degree") {
    fail_usage("--weights '{}', expected uniform, degree, power:b or a file (.npy or .csv)", text);
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
  Source source = srgw::make_source(graph, structure, threads);
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
