// SPDX-License-Identifier: MIT
#pragma once

#include "communities/distributed_graph.hpp"
#include "communities/search/weighted_graph.hpp"
#include "srgw/partition.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

/// The structure and the node weights of a graph whose rows are distributed, with what a solver has
/// to know about all of it.
struct DistributedSource {
  CsrStorage rows;              ///< C_ij of the rows here; scalings have no copies
  std::vector<double> weights;  ///< h of the rows here; 0: in no cluster
  std::vector<double> degrees;  ///< of the rows here
  Index clustered = 0;          ///< rows of all ranks that have weight
  double kappa = 0;             ///< h'(C o C)h
  double largest_entry = 0;
  bool is_modularity = false;  ///< else adjacency
  bool counts_edges = false;   ///< putting nodes together gains edges less a constant times masses
};

/// Modularity or adjacency, with the weights that the options ask for. `rows` are those of the
/// graph with the entries of clustered nodes only.
[[nodiscard]] DistributedSource source_of(const DistributedGraph& graph, const Csr& rows,
                                          const std::vector<bool>& clustered,
                                          const PartitionOptions& options, int threads);

/// The graph of split and merge; the exchange of the graph must outlive it.
[[nodiscard]] WeightedGraph weighted_graph_of(const DistributedGraph& graph,
                                              const DistributedSource& source);

}  // namespace srgw::detail
