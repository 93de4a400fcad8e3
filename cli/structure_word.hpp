// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "srgw/io.hpp"
#include "srgw/structure.hpp"

namespace srgw::cli {

/// How much memory a structure takes next to its graph.
enum class Storage { shared, copied, dense, kernel };

/// One row of the table of structures.
struct StructureRow {
  std::string_view name;
  enum class Number { none, needed, allowed } number;  ///< after a colon
  bool fixes_weights;                                  ///< h is d / 2w and nothing else
  bool takes_directed;
  Storage storage;
  Source (*make)(const Graph& graph, std::optional<double> number, int threads);
};

/// `adjacency`, `heat:5`, ...
struct StructureWord {
  const StructureRow* row = nullptr;
  std::optional<double> number = {};
  [[nodiscard]] std::string text() const;
};
/// Throws a usage error that lists the words.
[[nodiscard]] StructureWord structure_from_text(const std::string& text);

/// `uniform`, `degree`, `power:b` or a file; empty: what the structure brings.
struct WeightsWord {
  std::string text = {};
  std::optional<double> power = {};
  bool is_file = false;
};
/// Throws a usage error when the structure fixes other weights.
[[nodiscard]] WeightsWord weights_from_text(const std::string& text,
                                            const StructureWord& structure);

/// The numbers of a file of weights, one for each node; empty when the word is no file.
[[nodiscard]] Vector read_weights(const WeightsWord& word, const NodeNames& names);

/// Throws an input error when a weight of the file is negative, or all are 0.
[[nodiscard]] Vector scaled_to_one(const Vector& weights, const std::string& file);

/// The structure of a graph with its weights; `given` are those of a file, scaled to sum 1 here.
/// Throws an argument error that names --symmetrize when the graph is directed and the structure
/// cannot be.
[[nodiscard]] Source make_source(const Graph& graph, const StructureWord& structure,
                                 const WeightsWord& word, const Vector& given, int threads);

}  // namespace srgw::cli
