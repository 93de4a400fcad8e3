// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "srgw/dictionary.hpp"
#include "srgw/run.hpp"
#include "srgw/samples.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// What a graph becomes once it is projected on an atom: some columns for each atom.
enum class Coordinate {
  weights,    ///< q, the target weights (m)
  sqrt,       ///< their square roots (m): distances are those of Hellinger
  value,      ///< the value of the divergence (1)
  form,       ///< q'B q, the mean entry that the atom has for the graph (1)
  spectrum,   ///< eigenvalues of D B D with D^2 = diag(q), largest first (m)
  quantiles,  ///< of the degrees B q under the weights q, at 1/20, 3/20, ... 19/20 (10)
  log_size,   ///< log n of the graph (1); once, whatever the number of atoms
};

struct CoordinateName {
  Coordinate coordinate;
  std::string_view name;
  std::string_view doc;
};
/// The one list of names; the fronts and the error messages read it.
[[nodiscard]] std::span<const CoordinateName> coordinate_names();
/// Throws an argument error that lists the names.
[[nodiscard]] Coordinate coordinate_from_name(std::string_view name);
[[nodiscard]] std::string_view name(Coordinate coordinate);

/// How the plan of a graph is searched from the product start.
enum class EmbedSearch {
  /// By row coordinate descent (spec 3.7): faster and mostly lower than conditional gradient, to
  /// the same gap. Where this does not serve (a penalty, entropy, mirror descent, asymmetric or
  /// scaled structures, large graphs), the other.
  rows,
  method,  ///< with the method of the dictionary, as in the paper
};

struct EmbedOptions {
  std::vector<Coordinate> coordinates = {Coordinate::weights};
  EmbedSearch search = EmbedSearch::rows;
  /// With some, the method of the dictionary is tried besides, from the product and from so many
  /// random labels; the lowest value is kept.
  int random_starts = 0;
  std::size_t first = 0;  ///< number of the first graph: messages and random starts count from it
};

struct Embedding {
  Matrix coordinates;  ///< one row for each graph: for each atom, its coordinates in order
  Matrix values;       ///< graphs x atoms
  double mean_value = 0;
};

/// Columns of each block of an embedding: for each atom those of each coordinate in order, then
/// that of log_size.
[[nodiscard]] std::vector<Index> embedding_blocks(const Dictionary& dictionary,
                                                  const EmbedOptions& options);
/// Columns of an embedding.
[[nodiscard]] Index embedding_columns(const Dictionary& dictionary, const EmbedOptions& options);

/// Projects graphs on all atoms of a dictionary, in parallel; the result does not depend on the
/// threads, and nothing is allocated for a graph but its row of the result. Throws, with the number
/// of the graph, when samples are malformed or not of the kind that the dictionary was learned on.
[[nodiscard]] Embedding embed(const Dictionary& dictionary, std::span<const Sample> samples,
                              const EmbedOptions& options = {}, const Run& run = {});

}  // namespace srgw
