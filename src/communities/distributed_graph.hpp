// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "ranks/exchange.hpp"
#include "srgw/graph.hpp"

namespace srgw::detail {

/// The rows of an undirected graph that are here, and a way to the others: all of them in one
/// process, some on a rank. A self-loop is stored once.
struct DistributedGraph {
  Csr rows;           ///< columns are places of the exchange
  Exchange exchange;  ///< alone where all rows are here

  [[nodiscard]] Index size() const { return rows.rows(); }
  [[nodiscard]] Index nodes() const { return exchange.all_rows(size()); }
};

/// Shares the arrays of the graph.
[[nodiscard]] DistributedGraph distribute(const Graph& graph);
[[nodiscard]] DistributedGraph distribute(GraphShard graph, Ranks& ranks);

/// Calls `visit(row, place, weight)` for the entries of a block of rows.
template <class Visit>
void for_each_entry_of_block(const Csr& csr, Index block, const Visit& visit);

/// Degrees of the rows here; a self-loop counts twice.
[[nodiscard]] std::vector<double> degrees_of(const DistributedGraph& graph, int threads);

/// The sum of numbers, one for each row here, over all ranks: the same bits on any number of ranks.
[[nodiscard]] double sum_over_rows(const Exchange& exchange, std::span<const double> values);

/// Which rows are clustered: those of connected components of more than one node, and of these the
/// `most` that have the largest volume, the first of equals first.
[[nodiscard]] std::vector<bool> clustered_rows(const DistributedGraph& graph,
                                               std::span<const double> degrees, Index most);

/// Numbers of the rows that are marked.
[[nodiscard]] std::vector<NodeId> rows_where(const std::vector<bool>& marked);

/// The same graph where the other rows have no entries. Places stay what they were.
[[nodiscard]] Csr rows_among(const DistributedGraph& graph, const std::vector<bool>& kept);

/// Modularity at resolution 1; labels are below `count`, one for each row here.
[[nodiscard]] double modularity_of(const DistributedGraph& graph, std::span<const NodeId> labels,
                                   std::size_t count, int threads);

}  // namespace srgw::detail

#include "base/parallel.hpp"
#include "graph/csr_rows.hpp"

namespace srgw::detail {

template <class Visit>
void for_each_entry_of_block(const Csr& csr, Index block, const Visit& visit) {
  with_rows(csr, [&](const auto& rows) {
    for (Index i = block * block_rows; i < std::min(rows.size(), (block + 1) * block_rows); ++i) {
      for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
        visit(i, rows.columns[e], rows.value(e));
      }
    }
  });
}

}  // namespace srgw::detail
