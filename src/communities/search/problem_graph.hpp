// SPDX-License-Identifier: MIT
#pragma once

#include "communities/search/weighted_graph.hpp"
#include "srgw/problem.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

/// The graph with weight_ij = 2 h_i h_j C_ij and mass h, of the rows here; the exchange must
/// outlive it.
[[nodiscard]] WeightedGraph weigh_pairs(const CsrStorage& C, std::vector<double> h,
                                        const Exchange& exchange = alone);

/// The graph on which a search finds hard plans of a problem onto c I, and c. `start` is named in
/// the errors: throws unless the target is a scaled identity with c > 0 and the source has rows.
struct ProblemGraph {
  WeightedGraph graph;
  double resolution = 1;
};
[[nodiscard]] ProblemGraph problem_graph(const Problem& problem, const char* start);

}  // namespace srgw::detail
