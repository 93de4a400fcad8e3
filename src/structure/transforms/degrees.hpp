// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/graph.hpp"

namespace srgw::detail {

/// Requirements of transforms; `transform` is the name in the message.
void check_undirected(const Graph& graph, const char* transform);
void check_weights_not_negative(const Graph& graph, const char* transform);
/// Throws a resource error when a dense n x n array is out of reach; `remedy` says what to do then.
void check_dense_size(Index nodes, const char* transform, const char* remedy);
/// Throws unless 0 <= t < infinity.
void check_time(double t, const char* transform);

/// The graph with weights times a power of two that brings the largest to size 1, where squares and
/// sums of them would overflow or vanish; the graph itself otherwise. For all that does not depend
/// on the size of the weights.
[[nodiscard]] Graph at_unit_scale(const Graph& graph);

/// x / sum(x), for numbers that are not negative; throws when the sum is zero or overflows.
[[nodiscard]] Vector normalize(const Vector& x, const char* name);

/// Sums of the rows of A; a self-loop counts once.
[[nodiscard]] Vector row_sums(const Csr& A);

/// 1/x, and 0 where x is 0: rows of nodes without edges are empty, and any finite factor will do.
[[nodiscard]] Vector inverse_or_zero(const Vector& x);

/// A with its diagonal doubled; the pattern is shared.
[[nodiscard]] Csr double_diagonal(const Csr& A);

/// The adjacency matrix of an undirected graph with its diagonal doubled. The pattern is shared,
/// and without self-loops so is everything.
[[nodiscard]] Csr with_doubled_self_loops(const Graph& graph);
[[nodiscard]] Csr with_doubled_self_loops(const Csr& A);

}  // namespace srgw::detail
