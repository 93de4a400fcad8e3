// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ranks/parcel.hpp"
#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Where the rows of each rank begin, and the last ones end: at multiples of 1,024 rows, with about
/// as many entries on each rank. `entries_before(block)` are those of all blocks of so many rows
/// before one.
[[nodiscard]] std::vector<Index> cut_rows(
    Index nodes, int ranks, const std::function<std::uint64_t(Index block)>& entries_before);

/// Which rank has a row.
class RowOwners {
 public:
  explicit RowOwners(std::span<const Index> starts);
  [[nodiscard]] std::size_t of(NodeId row) const { return of_block_[row / block_]; }

 private:
  static constexpr NodeId block_ = 1024;
  std::vector<std::uint32_t> of_block_;
};

/// The rows of an undirected graph from arcs in the rows of this rank, columns ascending: each arc
/// also gets its place in the row of its other end. Where there are arcs in both directions the
/// larger weight stays. Either all ranks have values or none has. Names are left to the caller.
[[nodiscard]] GraphShard unite_rows(Ranks& ranks, std::vector<Index> starts, const Csr& arcs);

/// Throws, as Graph::from_adjacency does, unless each entry of these rows has an equal partner, up
/// to rounding, in the row of its other end.
void check_symmetric_rows(Ranks& ranks, const std::vector<Index>& starts, const Csr& rows);

}  // namespace srgw::detail
