// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "srgw/io.hpp"
#include "srgw/transform.hpp"

namespace srgw::cli {

/// How much memory a structure takes next to its graph.
enum class Storage { shared, copied, dense, kernel };

using StructureWord = NamedStructure;
/// Throws a usage error that lists the names.
[[nodiscard]] StructureWord structure_from_text(const std::string& text);
[[nodiscard]] Storage storage_of(const StructureWord& structure);

/// `uniform`, `degree`, `power:b` or a file; empty, or `auto`: those of the structure.
struct WeightsWord {
  std::string text = {};
  std::optional<double> power = {};
  bool is_file = false;
};
/// Whether the text has a dot or a slash, which no name has.
[[nodiscard]] bool is_weights_file(const std::string& text);
/// Throws a usage error if the structure requires other weights.
[[nodiscard]] WeightsWord weights_from_text(const std::string& text,
                                            const StructureWord& structure);

/// The numbers of a file of weights, one for each node; empty if it is not a file.
[[nodiscard]] Vector read_weights(const WeightsWord& word, const NodeNames& names);

/// Throws an input error when a weight of the file is negative, or all are 0.
[[nodiscard]] Vector scaled_to_one(const Vector& weights, const std::string& file);

/// The structure of a graph with its weights; `given` are those of a file, scaled to sum 1 here.
/// Throws an argument error that names --symmetrize when the graph is directed and the structure
/// cannot be.
[[nodiscard]] Source make_source(const Graph& graph, const StructureWord& structure,
                                 const WeightsWord& word, const Vector& given, int threads);

}  // namespace srgw::cli
