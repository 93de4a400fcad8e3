// SPDX-License-Identifier: MIT
#include "cli/target_word.hpp"

#include <vector>

#include "cli/common.hpp"
#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

constexpr Index most_target_nodes = 0xFFFFFFFF;

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Vector identity_weights(const WeightsWord& weights, const NodeNames& names) {
  if (weights.is_file) return scaled_to_one(read_weights(weights, names), weights.text);
  if (!weights.text.empty() && weights.text != "uniform") {
    fail_usage("--target-weights {} of an identity, expected uniform or a file", weights.text);
  }
  return Vector::Constant(names.size(), 1.0 / static_cast<double>(names.size()));
}

}  // namespace

TargetWord target_from_text(const std::string& text, std::optional<Index> size) {
  const auto parts = parts_of(text);
  const bool scaled = parts[0] == "scaled-identity";
  if (!scaled && parts[0] != "identity") return {.file = text};
  const char* shape = size ? (scaled ? "scaled-identity:SCALE" : "identity")
                           : (scaled ? "scaled-identity:SIZE:SCALE" : "identity:SIZE");
  const std::size_t wanted = 1 + (size ? 0U : 1U) + (scaled ? 1U : 0U);
  if (parts.size() != wanted) fail_usage("TARGET '{}', expected {}", text, shape);
  TargetWord word{.size = size ? size : to_index(parts[1])};
  if (!word.size || *word.size < 1 || *word.size > most_target_nodes) {
    fail_usage("TARGET '{}', expected {} with a size from 1 to {}", text, shape, most_target_nodes);
  }
  if (scaled) {
    const auto scale = to_number(parts.back());
    if (!scale || *scale == 0) fail_usage("TARGET '{}', expected {}", text, shape);
    word.scale = *scale;
  }
  return word;
}

Target make_target(const TargetWord& word, const StructureWord& structure,
                   const WeightsWord& weights, const io::ReadOptions& options, int threads) {
  if (word.is_identity()) {
    const NodeNames names = NodeNames::numbered(*word.size);
    return {Structure::scaled_identity(*word.size, word.scale), identity_weights(weights, names),
            names};
  }
  io::ReadOptions own = options;  // these two are about the source
  own.nodes.reset();
  own.index_base = 0;
  own.known_nodes.reset();
  const io::NamedGraph read = io::read_graph(word.file, own);
  const Source source =
      make_source(read.graph, structure, weights, read_weights(weights, read.names), threads);
  return {source.structure, source.weights, read.names, read.graph};
}

}  // namespace srgw::cli
