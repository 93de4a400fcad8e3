// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "srgw/names.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// The rows of an undirected graph that this rank holds: no rank has them all. Ranks hold
/// consecutive rows, and all but the last end at a multiple of 1,024 (the blocks in which rows are
/// worked on anyway), with about as many entries each; a rank may have none.
struct GraphShard {
  std::vector<Index> starts;  ///< ranks + 1: rank r holds the nodes [starts[r], starts[r + 1])
  // Rows of this rank. Columns are nodes of the whole graph, ascending in a row; a self-loop is
  // stored once.
  std::vector<std::uint64_t> offsets;  ///< rows + 1
  std::vector<NodeId> columns;
  std::vector<double> weights;  ///< of the entries; empty: all are 1, on every rank
  NodeNames names;              ///< of these rows
  Index edges = 0;              ///< of the whole graph, a self-loop is one
  bool symmetrized = false;     ///< was directed, here or before; the union of both directions
  bool directed = false;        ///< as the file has it, whatever the rows are now

  [[nodiscard]] Index nodes() const { return starts.back(); }
  [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
};

}  // namespace srgw
