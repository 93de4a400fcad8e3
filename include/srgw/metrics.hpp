// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/ranks.hpp"
#include "srgw/types.hpp"

namespace srgw::metrics {

enum class Normaliser { arithmetic, maximum };

/// Agreement of two labelings of the same items; each throws when sizes differ or are zero.
/// Labels are any numbers; only which items share one matters.
[[nodiscard]] double rand_index(std::span<const NodeId> a, std::span<const NodeId> b);
/// Hubert and Arabie.
[[nodiscard]] double adjusted_rand_index(std::span<const NodeId> a, std::span<const NodeId> b);
/// In nats.
[[nodiscard]] double mutual_information(std::span<const NodeId> a, std::span<const NodeId> b);
/// Mean over random labelings with the same cluster sizes (hypergeometric model), in nats.
[[nodiscard]] double expected_mutual_information(std::span<const NodeId> a,
                                                 std::span<const NodeId> b);
[[nodiscard]] double normalized_mutual_information(std::span<const NodeId> a,
                                                   std::span<const NodeId> b,
                                                   Normaliser normaliser = Normaliser::arithmetic);
[[nodiscard]] double adjusted_mutual_information(std::span<const NodeId> a,
                                                 std::span<const NodeId> b,
                                                 Normaliser normaliser = Normaliser::arithmetic);

/// How many items have which pair of labels: all that agreement depends on. Clusters are numbered
/// as they occur.
struct Contingency {
  struct Cell {
    std::size_t row = 0, column = 0;
    Index count = 0;
  };
  std::vector<Index> rows = {},
                     columns = {};  ///< items of each cluster of the first and the second labeling
  std::vector<Cell> cells = {};     ///< that have items, row by row
  Index items = 0;

  /// Whether the labelings differ in names only.
  [[nodiscard]] bool same_partition() const {
    return cells.size() == rows.size() && cells.size() == columns.size();
  }
};
[[nodiscard]] Contingency contingency(std::span<const NodeId> a, std::span<const NodeId> b);
/// Compares the items of all ranks, each of which gives its own. Collective.
[[nodiscard]] Contingency contingency(std::span<const NodeId> a, std::span<const NodeId> b,
                                      Ranks& ranks);
[[nodiscard]] double rand_index(const Contingency& table);
[[nodiscard]] double adjusted_rand_index(const Contingency& table);
[[nodiscard]] double normalized_mutual_information(const Contingency& table,
                                                   Normaliser normaliser = Normaliser::arithmetic);
[[nodiscard]] double adjusted_mutual_information(const Contingency& table,
                                                 Normaliser normaliser = Normaliser::arithmetic);

/// Newman's modularity at a resolution: sum over clusters of L_c/m - resolution (d_c/2m)^2, where a
/// self-loop adds 1 to L_c and m and 2 to the degree. Directed: d_c^out d_c^in / m^2. Throws when
/// sizes differ or the edge weights do not sum to a positive number.
[[nodiscard]] double modularity(const Graph& graph, std::span<const NodeId> labels,
                                double resolution = 1);

}  // namespace srgw::metrics
