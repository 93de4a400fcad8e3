// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/source_rows.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// For rows i of a sparse source: counts_ik = how many of i's neighbours have label k. Rows of
/// counts are `stride` long, a multiple of count_lanes(); no row may have more than 65,535 entries.
struct NeighbourCounts {
  SourceRows source;
  const NodeId* labels = nullptr;
  Index stride = 0;
  const std::uint16_t* units = nullptr;  ///< `stride` rows, the k-th with a one at k
  std::uint16_t* counts = nullptr;
};

void count_neighbours(const NeighbourCounts& task, Index begin, Index end);

/// The length that rows of counts are padded to a multiple of.
[[nodiscard]] Index count_lanes();

/// What NeighbourCounts::units has to point to.
[[nodiscard]] std::vector<std::uint16_t> count_units(Index stride);

}  // namespace srgw::detail
